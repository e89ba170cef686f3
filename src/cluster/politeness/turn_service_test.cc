// SPDX-License-Identifier: Apache-2.0
#include "cluster/politeness/turn_service.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/test_waiting.h"
#include "cluster/agent/memory_bus_test_support.h"

namespace crivello::cluster {
namespace {

using std::chrono::milliseconds;

constexpr TurnOptions kQuickTurns = {.term = milliseconds(300),
                                     .request = milliseconds(1500),
                                     .delay = milliseconds(10),
                                     .again = milliseconds(100)};

// Addresses that see their visitors.
class WatchedAddresses {
 public:
  void Enter(const std::string& address) {
    MutexLock lock(mu_);
    const auto now = SystemClock().Now();
    at_once_ |= !visited_.insert(address).second;
    if (ended_.contains(address)) too_early_ |= now - ended_[address] < kQuickTurns.delay;
  }
  void Leave(const std::string& address) {
    MutexLock lock(mu_);
    visited_.erase(address);
    ended_[address] = SystemClock().Now();
    visits_++;
  }
  int visits() {
    MutexLock lock(mu_);
    return visits_;
  }
  bool at_once() {
    MutexLock lock(mu_);
    return at_once_;
  }
  bool too_early() {
    MutexLock lock(mu_);
    return too_early_;
  }

 private:
  Mutex mu_;
  std::set<std::string> visited_ CRV_GUARDED_BY(mu_);
  std::map<std::string, MonotonicTime> ended_ CRV_GUARDED_BY(mu_);
  int visits_ CRV_GUARDED_BY(mu_) = 0;
  bool at_once_ CRV_GUARDED_BY(mu_) = false;
  bool too_early_ CRV_GUARDED_BY(mu_) = false;
};

// An agent that visits each address some times, with its own delay between its visits.
class Visitor {
 public:
  Visitor(Bus& bus, WatchedAddresses& web, const std::string& name, const std::vector<std::string>& addresses,
          int visits)
      : web_(web) {
    auto started =
        TurnService::Start(bus, {.scope = "test",
                                 .agent = name,
                                 .process = name.size(),
                                 .map = web::TabletMap::Uniform(2).value(),
                                 .turns = kQuickTurns,
                                 .now = [] { return SystemClock().Now(); },
                                 .may_fetch = [this](const std::string&) { return may_fetch_.load(); },
                                 .on_turn =
                                     [this](const std::string& address) {
                                       MutexLock lock(mu_);
                                       turns_.insert(address);
                                     }});
    EXPECT_TRUE(started.ok());
    service_ = std::move(*started);
    for (const std::string& address : addresses) left_[address] = visits;
    thread_ = std::jthread([this](std::stop_token stop) { Run(stop); });
  }
  TurnService& service() { return *service_; }
  void SetMayFetch(bool may) { may_fetch_ = may; }

 private:
  void Run(const std::stop_token& stop) {
    std::map<std::string, MonotonicTime> next;  // of its own delay
    std::set<std::string> wanted;
    while (!stop.stop_requested() && !left_.empty()) {
      const MonotonicTime now = SystemClock().Now();
      for (const auto& [address, left] : left_) {
        if (!wanted.contains(address) && now >= next[address]) {
          wanted.insert(address);
          service_->Want(address);
        }
      }
      std::set<std::string> turns;
      {
        MutexLock lock(mu_);
        turns.swap(turns_);
      }
      for (const std::string& address : turns) {
        if (!wanted.contains(address) || !service_->Begin(address)) continue;
        web_.Enter(address);
        std::this_thread::yield();
        web_.Leave(address);
        service_->End(address);
        wanted.erase(address);
        next[address] = SystemClock().Now() + kQuickTurns.delay;
        if (--left_[address] == 0) left_.erase(address);
      }
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

  WatchedAddresses& web_;
  std::atomic<bool> may_fetch_ = true;
  std::map<std::string, int> left_;
  Mutex mu_;
  std::set<std::string> turns_ CRV_GUARDED_BY(mu_);
  std::unique_ptr<TurnService> service_;
  std::jthread thread_;
};

TEST(TurnServiceTest, AgentsTakeTurnsWhileATabletMoves) {
  MemoryBus bus;
  WatchedAddresses web;
  const std::vector<std::string> addresses = {"192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::1"};
  Visitor red(bus, web, "red", addresses, 8);
  Visitor green(bus, web, "green", addresses, 8);
  ASSERT_TRUE(red.service().OpenTablet("t-0", 1, {}).ok());
  ASSERT_TRUE(green.service().OpenTablet("t-1", 1, {}).ok());
  EXPECT_TRUE(WaitFor([&] { return web.visits() >= 16; }));
  const std::string turns = red.service().CloseTablet("t-0");
  EXPECT_NE(turns, "");
  EXPECT_EQ(red.service().CloseTablet("t-0"), "");
  ASSERT_TRUE(green.service().OpenTablet("t-0", 2, {.handed_over = turns}).ok());
  EXPECT_TRUE(WaitFor([&] { return web.visits() == 64; })) << web.visits();
  EXPECT_FALSE(web.at_once());
  EXPECT_FALSE(web.too_early());
}

TEST(TurnServiceTest, ANewOwnerWaitsOnlyForTurnsThatWereOut) {
  // A turn may last for an hour, so whoever waits for one does not end in this test.
  TurnOptions slow = kQuickTurns;
  slow.request = std::chrono::hours(1);
  MonotonicTime now{};
  TurnGranter last("t-0", 1, slow, now, std::vector<std::string>{});
  last.OnRequest({.agent = "red",
                  .process = 1,
                  .tablet = "t-0",
                  .asks = {{.address = "192.0.2.1", .number = 1, .request = slow.request},
                           {.address = "192.0.2.2", .number = 2, .request = slow.request}}},
                 now);
  EXPECT_EQ(last.Tick(now, true).size(), 1u);
  last.OnRequest(
      {.agent = "red", .process = 1, .tablet = "t-0", .returns = {{.address = "192.0.2.2", .through = 2}}},
      now);
  EXPECT_EQ(last.Outstanding(now), (std::vector<std::string>{"192.0.2.1"}));
  now += std::chrono::minutes(1);
  TurnGranter next("t-0", 2, slow, now, last.Outstanding(now));
  EXPECT_EQ(next.Outstanding(now), (std::vector<std::string>{"192.0.2.1"}));  // it may move on at once
  const auto granted = [&](const std::string& address) {
    next.OnRequest({.agent = "green",
                    .process = 2,
                    .tablet = "t-0",
                    .asks = {{.address = address, .number = 1, .request = slow.request}}},
                   now);
    return !next.Tick(now, true).empty();
  };
  EXPECT_TRUE(granted("192.0.2.2"));
  EXPECT_TRUE(granted("192.0.2.3"));
  EXPECT_FALSE(granted("192.0.2.1"));
  now += TurnGranter::Longest(slow);
  EXPECT_TRUE(granted("192.0.2.1"));
  // Nobody knows what an owner that was cut off has granted, nor does the one after it.
  TurnGranter blind("t-0", 3, slow, now);
  EXPECT_EQ(blind.Outstanding(now), std::nullopt);
}

TEST(TurnServiceTest, WhatIsHandedOverIsReadWithCare) {
  MemoryBus bus;
  WatchedAddresses web;
  Visitor red(bus, web, "red", {}, 0);
  ASSERT_TRUE(red.service().OpenTablet("t-0", 1, {}).ok());
  EXPECT_EQ(red.service().CloseTablet("t-0"), "");  // it waited itself
  ASSERT_TRUE(red.service().OpenTablet("t-0", 2, {.is_new = true}).ok());
  const std::string turns = red.service().CloseTablet("t-0");
  ASSERT_TRUE(red.service().OpenTablet("t-0", 3, {.handed_over = turns}).ok());
  EXPECT_NE(red.service().CloseTablet("t-0"), "");
  std::string damaged = turns;
  damaged[damaged.size() / 2] ^= 1;
  ASSERT_TRUE(red.service().OpenTablet("t-0", 4, {.handed_over = damaged}).ok());
  EXPECT_EQ(red.service().CloseTablet("t-0"), "");
  ASSERT_TRUE(red.service().OpenTablet("t-1", 1, {.handed_over = turns}).ok());  // of another tablet
  EXPECT_EQ(red.service().CloseTablet("t-1"), "");
}

TEST(TurnServiceTest, GrantsNothingWithoutALease) {
  MemoryBus bus;
  WatchedAddresses web;
  Visitor red(bus, web, "red", {"192.0.2.1"}, 1);
  red.SetMayFetch(false);
  ASSERT_TRUE(red.service().OpenTablet("t-0", 1, {}).ok());
  ASSERT_TRUE(red.service().OpenTablet("t-1", 1, {}).ok());
  Visitor green(bus, web, "green", {"192.0.2.1"}, 1);
  std::this_thread::sleep_for(2 * TurnGranter::Longest(kQuickTurns));
  EXPECT_EQ(web.visits(), 0);
  red.SetMayFetch(true);
  EXPECT_TRUE(WaitFor([&] { return web.visits() == 2; }));
}

}  // namespace
}  // namespace crivello::cluster
