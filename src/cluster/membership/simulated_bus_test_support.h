// SPDX-License-Identifier: Apache-2.0
// A bus in memory that loses, delays, repeats and reorders messages, cuts agents off, answers with old values
// and forgets what it had; and the time in which all of it happens.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "cluster/membership/membership.h"

namespace crivello::cluster {

// Events in the order of time.  An event may run others before it ends (RunUntil), as if it took that long.
class SimulatedTime {
 public:
  Duration now() const { return now_; }
  void After(Duration delay, std::function<void()> event) {
    events_.push({.at = now_ + delay, .number = ++last_, .run = std::move(event)});
  }
  void RunUntil(Duration end) {
    while (!events_.empty() && events_.top().at <= end) {
      Event event = events_.top();
      events_.pop();
      now_ = std::max(now_, event.at);
      event.run();
    }
    now_ = std::max(now_, end);
  }

 private:
  struct Event {
    Duration at;
    uint64_t number;
    std::function<void()> run;
    friend bool operator<(const Event& a, const Event& b) {
      return a.at != b.at ? a.at > b.at : a.number > b.number;
    }
  };
  Duration now_{0};
  uint64_t last_ = 0;
  std::priority_queue<Event> events_;
};

class SimulatedBus {
 public:
  struct Stats {
    uint64_t messages = 0, lost = 0, repeated = 0, stale = 0, forgotten = 0, rolled_back = 0, conflicts = 0;
  };

  SimulatedBus(SimulatedTime& time, Random& random, Duration lease)
      : time_(time), random_(random), lease_(lease) {}

  // From `agent`; `answer` runs later, or never.
  void Execute(int agent, const BusRequest& request, std::function<void(const BusReply&)> answer) {
    Carry(agent, [this, agent, request, answer = std::move(answer)] {
      const BusReply reply = Apply(request);
      Carry(agent, [reply, answer] { answer(reply); });
    });
  }
  // To all agents that are not cut off; `deliver` runs once or more often for each, or never.
  void Publish(int agent, int agents, const std::function<void(int to)>& deliver) {
    for (int to = 0; to < agents; to++) {
      const int copies = Chance(0.1) ? 2 : 1;
      if (copies > 1) stats.repeated++;
      for (int i = 0; i < copies; i++) {
        if (cut.contains(agent)) return;
        Carry(to, [deliver, to] { deliver(to); });
      }
    }
  }

  // ---- Faults.
  bool faulty = false;             // messages are lost, late and repeated
  bool down = false;               // nothing is answered
  std::set<int> cut;               // agents that are cut off
  bool ignores_revisions = false;  // a deliberate bug
  bool forgets_conflicts = false;  // a deliberate bug: a conflict is taken for success

  void Forget() {
    stats.forgotten++;
    entries_.clear();
    old_.clear();
    revision_ = 0;
  }
  void RollBack() {
    if (old_.empty()) return;
    stats.rolled_back++;
    entries_ = old_;
    revision_ = old_revision_;
  }
  // What RollBack() returns to, and stale answers come from.
  void Remember() {
    old_ = entries_;
    old_revision_ = revision_;
  }

  Stats stats;

 private:
  bool Chance(double share) { return faulty && random_.Unit() < share; }

  void Carry(int agent, std::function<void()> arrive) {
    stats.messages++;
    if (down || cut.contains(agent) || Chance(0.05)) {
      stats.lost++;
      return;
    }
    const double late = Chance(0.05) ? 0.5 : 0.01;
    time_.After(Duration(static_cast<int64_t>(late * random_.Unit() * static_cast<double>(lease_.count()))),
                std::move(arrive));
  }

  BusReply Apply(const BusRequest& request) {
    BusReply reply = {.id = request.id, .outcome = UpdateOutcome::kDone};
    if (request.kind == BusRequest::Kind::kReadAll) {
      const bool stale = Chance(0.05) && !old_.empty();
      if (stale) stats.stale++;
      for (const auto& [key, entry] : stale ? old_ : entries_) reply.entries.push_back(entry);
      return reply;
    }
    const auto at = entries_.find(request.key);
    const uint64_t revision = at == entries_.end() ? 0 : at->second.revision;
    if (request.kind == BusRequest::Kind::kUpdate && revision != request.revision && !ignores_revisions) {
      stats.conflicts++;
      reply.outcome = forgets_conflicts ? UpdateOutcome::kDone : UpdateOutcome::kConflict;
      return reply;
    }
    entries_[request.key] = {.key = request.key, .value = request.value, .revision = ++revision_};
    reply.revision = revision_;
    return reply;
  }

  SimulatedTime& time_;
  Random& random_;
  const Duration lease_;
  std::map<std::string, BusEntry> entries_;
  uint64_t revision_ = 0;
  std::map<std::string, BusEntry> old_;
  uint64_t old_revision_ = 0;
};

}  // namespace crivello::cluster
