// SPDX-License-Identifier: Apache-2.0
// Agents that fetch from a few addresses, each with the same delay, on a bus that loses, delays, repeats and
// reorders messages, while the tablets that give the turns move between them.  One seed is one history.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cluster/membership/simulated_bus_test_support.h"
#include "cluster/politeness/turn_granter.h"
#include "cluster/politeness/turn_taker.h"

namespace crivello::cluster {

// What can be wrong on purpose.
enum class TurnBug {
  kNone,
  kNewOwnerDoesNotWait,     // it grants before the turns of the last owner are over
  kTurnsNotHandedOver,      // an owner that closes its tablet tells the next one of no turns
  kWaitNotHandedOver,       // nor that it waits itself for turns that it does not know
  kCountedFromArrival,      // an agent counts the term from the moment in which the grant came
  kReturnedBeforeTheDelay,  // the delay is not waited for after a turn was returned
  kRequestNotCounted,       // a turn expires although its last request may still run
  kStaleOwnerGrants,        // an owner whose lease is over grants turns
  kTurnIsKept,              // an agent begins requests after the term
};
constexpr TurnBug kTurnBugs[] = {TurnBug::kNewOwnerDoesNotWait,    TurnBug::kTurnsNotHandedOver,
                                 TurnBug::kWaitNotHandedOver,      TurnBug::kCountedFromArrival,
                                 TurnBug::kReturnedBeforeTheDelay, TurnBug::kRequestNotCounted,
                                 TurnBug::kStaleOwnerGrants,       TurnBug::kTurnIsKept};
inline std::string_view TurnBugName(TurnBug bug) {
  switch (bug) {
    case TurnBug::kNone:
      return "none";
    case TurnBug::kNewOwnerDoesNotWait:
      return "new owner does not wait";
    case TurnBug::kTurnsNotHandedOver:
      return "turns not handed over";
    case TurnBug::kWaitNotHandedOver:
      return "wait not handed over";
    case TurnBug::kCountedFromArrival:
      return "term counted from the arrival of the grant";
    case TurnBug::kReturnedBeforeTheDelay:
      return "no delay after a turn was returned";
    case TurnBug::kRequestNotCounted:
      return "turn expires while its last request may run";
    case TurnBug::kStaleOwnerGrants:
      return "owner without a lease grants turns";
    case TurnBug::kTurnIsKept:
      return "request begins after the term";
  }
  return "";
}

struct TurnSimulationStats {
  uint64_t requests = 0, messages = 0, lost = 0, repeated = 0, moves = 0, stale_owners = 0, crashes = 0,
           cuts = 0, granted = 0, expired = 0, long_requests = 0, handed_over = 0;
  Duration longest_wait = {};
  void Add(const TurnSimulationStats& o) {
    requests += o.requests, messages += o.messages, lost += o.lost, repeated += o.repeated;
    moves += o.moves, stale_owners += o.stale_owners, crashes += o.crashes, granted += o.granted;
    handed_over += o.handed_over, expired += o.expired, long_requests += o.long_requests, cuts += o.cuts;
    longest_wait = std::max(longest_wait, o.longest_wait);
  }
};

class TurnSimulation {
 public:
  TurnSimulation(uint64_t seed, TurnBug bug) : random_(seed), bug_(bug), faulty_(seed % 4 != 0) {
    for (int i = 0; i < kAgents; i++) {
      agents_[i].drift = 1 + 0.045 * (2 * random_.Unit() - 1);
      agents_[i].offset = Duration(static_cast<int64_t>(random_.Below(1'000'000'000'000)));
      Start(i);
    }
    for (int tablet = 0; tablet < kTablets; tablet++) OpenTablet(tablet, 1);
  }

  // What was violated; empty if nothing was.
  std::string Run() {
    RunFor(kBusy);
    faulty_ = false;
    // After the faults, everything that is wanted gets its turn, with nothing new coming in.
    RunFor(kCalm);
    ends_ = true;
    RunFor(kCalm);
    for (int i = 0; i < kAgents; i++) {
      for (const auto& [address, wanted] : agents_[i].wanted) {
        if (wanted.waiting) Fail(fmt::format("agent {} has waited for address {} in vain", i, address));
      }
      if (violation_.empty() && agents_[i].taker->held() > 0) Fail("a turn is never returned");
    }
    for (const auto& granter : granters_) {
      stats_.granted += granter->machine.granted(), stats_.expired += granter->machine.expired();
    }
    return violation_;
  }
  const TurnSimulationStats& stats() const { return stats_; }

 private:
  static constexpr int kAgents = 4;
  static constexpr int kTablets = 2;
  static constexpr int kAddresses = 5;
  static constexpr Duration kBusy = std::chrono::minutes(10);
  static constexpr Duration kCalm = std::chrono::minutes(4);
  static constexpr TurnOptions kTurns = {.request = std::chrono::seconds(3)};

  struct Wanted {
    bool waiting = false;
    bool requesting = false;
    Duration since = {};
    MonotonicTime next = {};  // the agent's own delay, on its clock
  };
  struct Agent {
    double drift = 1;
    Duration offset = {};
    uint64_t process = 0;
    Duration cut_until = {};  // nothing reaches it
    std::unique_ptr<TurnTaker> taker;
    std::map<std::string, Wanted> wanted = {};
    std::map<uint64_t, Duration> sent = {};  // asks, by number
  };
  // An owner of a tablet; older ones live on, and may be heard.
  struct Granter {
    int agent;
    int tablet;
    TurnGranter machine;
    bool may_grant = true;
    bool alive = true;
  };
  struct Served {  // an address, as it sees its visitors
    int running = 0;
    Duration ended = Duration::min();
  };

  void Fail(std::string what) {
    if (violation_.empty()) violation_ = std::move(what);
  }
  bool Chance(double share) { return faulty_ && random_.Unit() < share; }
  Duration Some(Duration most) {
    return Duration(static_cast<int64_t>(random_.Unit() * static_cast<double>(most.count())));
  }
  MonotonicTime Clock(int agent) const {
    const Agent& a = agents_[agent];
    return MonotonicTime(a.offset +
                         Duration(static_cast<int64_t>(a.drift * static_cast<double>(time_.now().count()))));
  }
  static std::string TabletName(int tablet) { return fmt::format("t-{}", tablet); }
  static std::string AddressName(int address) { return fmt::format("192.0.2.{}", address); }

  void Start(int number) {
    Agent& agent = agents_[number];
    agent.process = random_.Next();
    TurnOptions options = kTurns;
    if (bug_ == TurnBug::kTurnIsKept || bug_ == TurnBug::kCountedFromArrival) options.term *= 10;
    agent.taker = std::make_unique<TurnTaker>(fmt::format("agent{}", number), agent.process, options);
    agent.sent.clear();
    agent.wanted.clear();
  }
  void OpenTablet(int tablet, uint64_t epoch, std::optional<std::vector<std::string>> outstanding = {}) {
    const int agent = static_cast<int>(random_.Below(kAgents));
    if (bug_ == TurnBug::kNewOwnerDoesNotWait) outstanding.emplace();
    TurnOptions options = kTurns;
    if (bug_ == TurnBug::kRequestNotCounted) options.drift = -0.75;
    granters_.push_back(std::make_shared<Granter>(
        Granter{.agent = agent,
                .tablet = tablet,
                .machine = TurnGranter(TabletName(tablet), epoch, options, Clock(agent), outstanding)}));
    owner_[tablet] = granters_.back();
    epoch_[tablet] = epoch;
  }

  // Between an agent and whoever has a tablet.
  void Carry(int agent, const std::string& bytes, const std::function<void(const TurnMessage&)>& deliver) {
    const int copies = Chance(0.1) ? 2 : 1;
    if (copies > 1) stats_.repeated++;
    for (int i = 0; i < copies; i++) {
      stats_.messages++;
      if (Chance(0.1) || (faulty_ && time_.now() < agents_[agent].cut_until)) {
        stats_.lost++;
        continue;
      }
      const Duration late =
          Chance(0.1) ? Some(std::chrono::seconds(12)) : Some(std::chrono::milliseconds(20));
      time_.After(late, [bytes, deliver] { deliver(DecodeTurns(bytes).value()); });
    }
  }

  void RunFor(Duration length) {
    const Duration end = time_.now() + length;
    while (time_.now() < end && violation_.empty()) {
      time_.RunUntil(time_.now() + std::chrono::milliseconds(100));
      for (int i = 0; i < kAgents; i++) Step(i);
      for (const auto& granter : granters_) {
        if (granter->alive) StepGranter(granter);
      }
      if (faulty_) Fault();
    }
  }

  void Step(int number) {
    Agent& agent = agents_[number];
    const MonotonicTime now = Clock(number);
    for (int i = 0; i < kAddresses; i++) {
      Wanted& wanted = agent.wanted[AddressName(i)];
      if (ends_ || wanted.waiting || wanted.requesting || now < wanted.next) continue;
      // Some are busy all the time, others are wanted now and then.
      if (random_.Unit() > (i < 2 ? 0.9 : 0.01)) continue;
      wanted.waiting = true;
      wanted.since = time_.now();
      agent.taker->Want(AddressName(i), TabletName(i % kTablets), now);
    }
    for (const std::string& address : agent.taker->TakeGranted()) Begin(number, address);
    for (TurnRequest& request : agent.taker->Tick(now)) {
      for (const TurnRequest::Ask& ask : request.asks) agent.sent[ask.number] = time_.now();
      if (bug_ == TurnBug::kReturnedBeforeTheDelay) {
        for (TurnRequest::Return& one : request.returns) one.rested = kTurns.delay * 2;
      }
      Carry(number, EncodeTurns(request), [this](const TurnMessage& message) {
        const auto& one = std::get<TurnRequest>(message);
        for (const auto& granter : granters_) {
          if (granter->alive && TabletName(granter->tablet) == one.tablet) {
            granter->machine.OnRequest(one, Clock(granter->agent));
            StepGranter(granter);
          }
        }
      });
    }
  }

  void StepGranter(const std::shared_ptr<Granter>& granter) {
    const bool may = granter->may_grant || bug_ == TurnBug::kStaleOwnerGrants;
    for (TurnReply& reply : granter->machine.Tick(Clock(granter->agent), may)) {
      if (bug_ == TurnBug::kTurnIsKept) {
        for (TurnReply::Grant& grant : reply.grants) grant.term *= 10;
      }
      const int i = reply.agent.back() - '0';
      Carry(i, EncodeTurns(reply), [this, i](const TurnMessage& message) {
        TurnReply one = std::get<TurnReply>(message);
        for (TurnReply::Grant& grant : one.grants) {
          const auto sent = agents_[i].sent.find(grant.number);
          if (bug_ != TurnBug::kCountedFromArrival || sent == agents_[i].sent.end()) continue;
          if (grant.term > Duration(0)) grant.term += time_.now() - sent->second;
        }
        agents_[i].taker->OnReply(one, Clock(i));
        for (const std::string& address : agents_[i].taker->TakeGranted()) Begin(i, address);
      });
    }
  }

  void Begin(int number, const std::string& address) {
    Agent& agent = agents_[number];
    Wanted& wanted = agent.wanted[address];
    if (!wanted.waiting || wanted.requesting) return;
    if (!agent.taker->Begin(address, Clock(number))) return;
    wanted.waiting = false;
    wanted.requesting = true;
    stats_.requests++;
    stats_.longest_wait = std::max(stats_.longest_wait, time_.now() - wanted.since);
    Served& served = served_[address];
    if (served.running++ > 0) Fail(fmt::format("two requests to address {} at one time", address));
    // An agent or the owner of the tablet may have a fast clock.
    if (served.ended != Duration::min() && time_.now() - served.ended < kTurns.delay * 100 / 106) {
      Fail(fmt::format("a request to address {} came within its delay", address));
    }
    const bool is_long = Chance(0.1);
    if (is_long) stats_.long_requests++;
    const Duration takes = is_long ? kTurns.request * 100 / 106 : Some(std::chrono::seconds(1));
    time_.After(takes, [this, number, address, process = agent.process] {
      served_[address].running--;
      served_[address].ended = time_.now();
      Agent& ended = agents_[number];
      if (ended.process != process) return;
      ended.taker->End(address, Clock(number));
      ended.wanted[address].requesting = false;
      ended.wanted[address].next = Clock(number) + kTurns.delay;
    });
  }

  void Fault() {
    const double kind = random_.Unit();
    if (kind < 0.001) {
      // The requests of a process that is killed still reach the address.
      stats_.crashes++;
      Start(static_cast<int>(random_.Below(kAgents)));
    } else if (kind < 0.004) {
      stats_.cuts++;
      agents_[random_.Below(kAgents)].cut_until = time_.now() + Some(std::chrono::seconds(40));
    } else if (kind < 0.006) {
      const int tablet = static_cast<int>(random_.Below(kTablets));
      stats_.moves++;
      Granter& last = *owner_[tablet];
      last.may_grant = false;
      std::optional<std::vector<std::string>> outstanding;
      if (const uint64_t how = random_.Below(4); how == 0) {
        last.alive = false;
      } else if (how == 1) {
        stats_.stale_owners++;  // it hears what agents ask for, and must not grant
      } else {
        last.alive = false;
        outstanding = last.machine.Outstanding(Clock(last.agent));
        if (outstanding) stats_.handed_over++;
        if (outstanding && bug_ == TurnBug::kTurnsNotHandedOver) outstanding->clear();
        if (bug_ == TurnBug::kWaitNotHandedOver && !outstanding) outstanding.emplace();
      }
      OpenTablet(tablet, epoch_[tablet] + 1, outstanding);
    }
  }

  SeededRandom random_;
  const TurnBug bug_;
  bool faulty_;
  bool ends_ = false;
  SimulatedTime time_;
  Agent agents_[kAgents];
  std::vector<std::shared_ptr<Granter>> granters_;
  std::shared_ptr<Granter> owner_[kTablets];
  uint64_t epoch_[kTablets] = {};
  std::map<std::string, Served> served_;
  std::string violation_;
  TurnSimulationStats stats_;
};

}  // namespace crivello::cluster
