// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cluster/politeness/turn_granter.h"
#include "cluster/politeness/turn_message.h"
#include "web/url/tablet_id.h"

namespace crivello::cluster {

// The tablet whose owner gives the turns at an address: that of a host with the name of the address.
uint32_t AddressTablet(const web::TabletMap& map, std::string_view address);

// The turns that one agent wants and has: asks for them, and says whether a request may begin.
//
// What it expects of the crawl: at most one request at a time to an address, with the address delay between
// two of its own, and no request that takes longer than `request` of the options.  Both hold for a frontier
// of one process.
//
//   Want(address, tablet, now)    there is something to fetch; again for each request, and, with the option
//                                 `forget`, again and again until the turn has come
//   TakeGranted()                 the addresses whose turn has come, after OnReply()
//   Begin(address, now)           at the moment of the request: true if it may begin
//   End(address, now)             the request has ended, in whatever way
//
// A turn is kept for further requests until its term ends, the owner of the tablet calls it back, or nothing
// was wanted for a moment.  A pure state machine; times are of a clock that continues while the machine is
// suspended. Memory: some 400 bytes for each address that is wanted or held.  One thread at a time.
class TurnTaker {
 public:
  TurnTaker(std::string agent, uint64_t process, TurnOptions options);

  void Want(const std::string& address, const std::string& tablet, MonotonicTime now);
  // It is no longer wanted.
  void Forget(const std::string& address, MonotonicTime now);
  // False if the turn has not come, or is over: then the address is still wanted, and TakeGranted() will
  // return it again.
  bool Begin(const std::string& address, MonotonicTime now);
  void End(const std::string& address, MonotonicTime now);

  // Replies for other agents or processes are ignored.
  void OnReply(const TurnReply& reply, MonotonicTime now);
  // Each is returned once for each turn, and may be outdated: Begin() decides.
  std::vector<std::string> TakeGranted();
  // What is to be sent to the owners of tablets now.  To be called some times per second and after the
  // functions above.
  std::vector<TurnRequest> Tick(MonotonicTime now);

  // Addresses whose turn this agent has.
  uint64_t held() const { return held_; }
  // Addresses that are wanted or held.
  uint64_t addresses() const { return turns_.size(); }

 private:
  struct Turn {
    std::string tablet = {};
    bool wanted = false;
    MonotonicTime wanted_at = {};  // the last Want()
    bool requesting = false;
    std::map<uint64_t, MonotonicTime> asks = {};  // without an answer: when each was sent
    MonotonicTime next_ask = {};
    bool held = false;
    uint64_t number = 0;  // of the ask that was granted
    MonotonicTime until = {};
    bool once = false;
    uint64_t requests = 0;                    // begun in this turn
    MonotonicTime idle = {};                  // since the last request or the grant
    std::optional<MonotonicTime> ended = {};  // the last request, of this or an earlier turn
    MonotonicTime due = {};
  };
  using Requests = std::map<std::string, TurnRequest>;  // by tablet

  void OnGrant(const std::string& tablet, const TurnReply::Grant& grant, MonotonicTime now);
  void SetDue(const std::string& address, Turn& turn, MonotonicTime due);
  // Returns false if nothing is left to do for the address.
  bool Advance(const std::string& address, Turn& turn, MonotonicTime now, Requests& requests);
  bool IsOver(const Turn& turn, MonotonicTime now) const;
  void Ask(const std::string& address, Turn& turn, MonotonicTime now, Requests& requests);
  void GiveBack(const std::string& address, Turn& turn, MonotonicTime now, Requests& requests);
  TurnRequest& To(const std::string& tablet, Requests& requests) const;

  const std::string agent_;
  const uint64_t process_;
  const TurnOptions options_;
  std::map<std::string, Turn> turns_;                       // by address
  std::set<std::pair<MonotonicTime, std::string>> agenda_;  // `due` of each
  std::map<std::string, uint64_t> epochs_;                  // by tablet: the highest that answered
  std::vector<std::string> granted_;
  Requests unclaimed_;  // returns of turns that are not wanted any more
  uint64_t last_number_ = 0;
  uint64_t held_ = 0;
};

}  // namespace crivello::cluster
