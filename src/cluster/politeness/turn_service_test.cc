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
  ASSERT_TRUE(red.service().OpenTablet("t-0", 1).ok());
  ASSERT_TRUE(green.service().OpenTablet("t-1", 1).ok());
  EXPECT_TRUE(WaitFor([&] { return web.visits() >= 16; }));
  red.service().CloseTablet("t-0");
  ASSERT_TRUE(green.service().OpenTablet("t-0", 2).ok());
  EXPECT_TRUE(WaitFor([&] { return web.visits() == 64; })) << web.visits();
  EXPECT_FALSE(web.at_once());
  EXPECT_FALSE(web.too_early());
}

TEST(TurnServiceTest, GrantsNothingWithoutALease) {
  MemoryBus bus;
  WatchedAddresses web;
  Visitor red(bus, web, "red", {"192.0.2.1"}, 1);
  red.SetMayFetch(false);
  ASSERT_TRUE(red.service().OpenTablet("t-0", 1).ok());
  ASSERT_TRUE(red.service().OpenTablet("t-1", 1).ok());
  Visitor green(bus, web, "green", {"192.0.2.1"}, 1);
  std::this_thread::sleep_for(2 * TurnGranter::Longest(kQuickTurns));
  EXPECT_EQ(web.visits(), 0);
  red.SetMayFetch(true);
  EXPECT_TRUE(WaitFor([&] { return web.visits() == 2; }));
}

}  // namespace
}  // namespace crivello::cluster
