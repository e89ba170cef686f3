// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cluster/politeness/turn_message.h"

namespace crivello::cluster {

// The settings of turns.  All agents of a cluster must have the same.
struct TurnOptions {
  Duration term = std::chrono::seconds(5);     // requests begin in so long after an ask
  Duration request = std::chrono::minutes(2);  // the longest request of an agent
  Duration delay = std::chrono::seconds(1);    // between two requests to an address
  Duration forget = Duration(0);               // a want that is not repeated for so long is dropped; 0: never
  Duration again = std::chrono::seconds(1);    // after which a message without an answer is repeated
  double drift = 0.1;                          // by which clocks may differ in speed
};

// The turns at the addresses of one tablet, in the process that owns it: at most one agent at a time may make
// requests to an address, and the next one only after the delay.
//
//   - An agent asks, again and again until it has its turn.  Agents that wait are served in the order in
//   which
//     they came; one that has not asked for four repetitions is passed over.
//   - If nobody else waits, a turn is for as many requests as the agent makes within the term, and asking for
//     more prolongs it.  If others wait, it is for one request, and a longer one is called back.
//   - A turn ends when it is returned, plus the delay.  If nothing is heard, it ends when it expires: the
//   agent
//     counts the term from the moment in which it sent the ask, which is earlier than the grant; so after
//     term, longest request and delay, times 1.1, it makes no request.
//   - A new owner of the tablet is told which addresses had a turn when the last owner closed it in order,
//   and
//     grants none there before the longest turn has expired.  If the last owner was cut off, nobody knows,
//     and no address gets a turn before that.
//
// Whoever gets a turn late, twice, or from an owner that was replaced meanwhile, finds that the term is over.
// So messages may be lost, delayed, repeated and reordered.
//
// A pure state machine: it sends nothing.  Times are of a clock that continues while the machine is
// suspended. Memory: some 300 bytes for each address that has a turn or is waited for.  One thread at a time.
class TurnGranter {
 public:
  // `opened`: when this process got the tablet.  `outstanding`: what the last owner's Outstanding() said when
  // it granted its last turn; nullopt: not known.
  TurnGranter(std::string tablet, uint64_t epoch, TurnOptions options, MonotonicTime opened,
              const std::optional<std::vector<std::string>>& outstanding = std::nullopt);

  void OnRequest(const TurnRequest& request, MonotonicTime now);
  // What is to be sent now; to be called some times per second and after OnRequest().  `may_grant`: the
  // tablet may fetch at `now` (Membership::MayFetch).
  std::vector<TurnReply> Tick(MonotonicTime now, bool may_grant);

  // The addresses where a turn may not be over, or was over less than the delay ago; nullopt if that is not
  // known, because this owner still waits for turns of the one before.
  std::optional<std::vector<std::string>> Outstanding(MonotonicTime now) const;

  // After which a turn that was not returned is certainly over.
  static Duration Longest(const TurnOptions& options);

  uint64_t addresses() const { return addresses_.size(); }
  uint64_t granted() const { return granted_; }
  uint64_t expired() const { return expired_; }

 private:
  using AgentId = std::pair<std::string, uint64_t>;  // name and process
  struct Waiting {
    AgentId agent;
    uint64_t number = 0;
    MonotonicTime heard = {};
    Duration delay = {};
    Duration request = {};
  };
  struct Address {
    std::deque<Waiting> waiting = {};
    bool taken = false;
    Waiting holder = {};
    bool once = false;
    bool repeat = false;  // the holder asked again: the grant may have been lost
    MonotonicTime expiry = {};
    MonotonicTime recall = {};  // when the holder is asked again to end its turn
    MonotonicTime free = MonotonicTime::min();
    MonotonicTime due = {};  // when there may be something to do
  };
  using Replies = std::map<AgentId, TurnReply>;

  void OnAsk(const AgentId& agent, const TurnRequest::Ask& ask, MonotonicTime now);
  void OnReturn(const AgentId& agent, const TurnRequest::Return& one, MonotonicTime now);
  void Serve(const std::string& name, Address& address, MonotonicTime now, Replies& replies);
  void Grant(const std::string& name, Address& address, Waiting to, MonotonicTime now, Replies& replies);
  void Reply(const AgentId& agent, TurnReply::Grant grant, Replies& replies);
  void SetDue(const std::string& name, Address& address, MonotonicTime due);
  void DropSilent(Address& address, MonotonicTime now);
  Duration Longer(Duration time) const {
    return Duration(static_cast<int64_t>((1 + options_.drift) * static_cast<double>(time.count())));
  }

  const std::string tablet_;
  const uint64_t epoch_;
  const TurnOptions options_;
  const MonotonicTime first_;  // no turn is granted before
  std::map<std::string, Address> addresses_;
  std::set<std::pair<MonotonicTime, std::string>> agenda_;  // `due` of each
  uint64_t granted_ = 0;
  uint64_t expired_ = 0;
};

}  // namespace crivello::cluster
