// SPDX-License-Identifier: Apache-2.0
// The frontier with a failing disk, and with many threads.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <set>
#include <thread>

#include "base/fault_file_system.h"
#include "base/mutex.h"
#include "frontier/frontier.h"
#include "frontier/frontier_test_support.h"

namespace crivello::frontier {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

// The Nth change to the database's disk fails, as if it was full; then there is space again.
TEST(FrontierRecoveryTest, AFullDiskIsToldAndTheCrawlGoesOn) {
  int failures = 0;
  for (uint64_t fail_at = 20; fail_at < 160; fail_at += 7) {
    SCOPED_TRACE(fail_at);
    const TemporaryFolder folder;
    FaultFileSystem fs({.fail_at = fail_at, .tear = fail_at % 2 == 0, .stay_down = false});
    const auto opened_tablets = StoredTablets::Open(folder.path(), {.fs = &fs});
    if (!opened_tablets.ok()) continue;  // it failed before there was anything to lose
    const Tablets& tablets = ***opened_tablets;
    LocalExchange exchange(tablets);
    ManualClock clock(kTestStart);
    auto opened =
        Frontier::Open(tablets, exchange, clock, {.memory_bytes = 3 * 2048, .quantum = 2, .robots = false});
    ASSERT_TRUE(opened.ok());
    Frontier& frontier = **opened;
    std::multiset<std::string> offered, done;
    for (int i = 0; i < 30; i++) {
      const std::string url = "http://h" + std::to_string(i % 5) + ".sim/" + std::to_string(i);
      const UrlRecord record = {.url = url, .found = clock.Wall()};
      ASSERT_TRUE(frontier.Offer({&record, 1}).ok());
      offered.insert(url);
    }
    const auto recover = [&](const Status& status) {
      failures++;
      EXPECT_FALSE(status.message().empty());
      Status recovered = Status::Unavailable("");
      for (int i = 0; i < 10 && !recovered.ok(); i++) recovered = frontier.Recover();
      ASSERT_TRUE(recovered.ok()) << recovered.ToString();
    };
    for (int i = 0; i < 5000 && !frontier.Finished(); i++) {
      const auto pumped = frontier.Pump();
      if (!pumped.ok()) recover(pumped.status());
      for (const auto& host : frontier.NeedsAddress(10))
        frontier.Resolved(host, host, clock.Wall() + hours(1000));
      const auto taken = frontier.Take();
      ASSERT_TRUE(taken.ok()) << taken.status().ToString();
      if (!taken->visit) {
        clock.Advance(milliseconds(500));
        continue;
      }
      const Visit& visit = *taken->visit;
      ASSERT_TRUE(
          frontier.Fetched(visit, {.status = 200, .started = clock.Now(), .ended = clock.Now()}).ok());
      done.insert(visit.url);
      while (frontier.IsOpen(visit)) {
        auto commit = frontier.Begin(visit.tablet);
        commit->Done(visit);
        const Status status = commit->Write({.sync = true});
        commit.reset();
        if (!status.ok()) recover(status);
      }
    }
    EXPECT_TRUE(frontier.Finished()) << Standing(frontier);
    EXPECT_EQ(done, offered) << "each once";
    if (HasFailure()) return;
  }
  EXPECT_GT(failures, 3) << "the faults did not hit";
}

// Eight threads that take, finish, commit and offer what they find, on the real clock.
TEST(FrontierThreadsTest, EachUrlOnceWithEightThreads) {
  const TemporaryFolder folder;
  const auto tablets = OpenTestTablets(folder.path(), 2);
  LocalExchange exchange(**tablets);
  FrontierOptions options = {.memory_bytes = 40 * 2048, .quantum = 4, .robots = false, .sync = false};
  options.politeness.host_delay = options.politeness.address_delay = {};
  auto opened = Frontier::Open(**tablets, exchange, SystemClock(), options);
  ASSERT_TRUE(opened.ok());
  Frontier& frontier = **opened;
  const SimulatedWeb web({.hosts = 60, .pages = 3000, .server_errors = 0});
  const std::string seed = web.Seed();
  const UrlRecord record = {.url = seed, .found = SystemClock().Wall()};
  ASSERT_TRUE(frontier.Offer({&record, 1}).ok());

  Mutex mu;
  std::multiset<std::string> done;
  std::atomic<bool> stop = false;
  std::atomic<int> errors = 0;
  const auto work = [&] {
    std::vector<Visit> mine;
    const auto commit = [&] {
      for (uint32_t tablet = 0; tablet < 2; tablet++) {
        const auto change = frontier.Begin(tablet);
        for (const Visit& visit : mine) {
          if (visit.tablet == tablet) change->Done(visit);
        }
        errors += !change->Write({}).ok();
      }
      mine.clear();
    };
    while (!stop) {
      const auto taken = frontier.Take();
      errors += !taken.ok();
      if (!taken.ok() || !taken->visit) {
        if (!mine.empty()) commit();
        errors += !frontier.Pump().ok();
        for (const auto& host : frontier.NeedsAddress(10))
          frontier.Resolved(host, web.Address(*web.HostNumber(host)), SystemClock().Wall() + hours(1));
        if (frontier.Finished()) stop = true;
        continue;
      }
      const Visit& visit = *taken->visit;
      std::vector<UrlRecord> links;
      const auto answer = web.Fetch(visit.url, 2);
      for (const auto& link : answer.links)
        links.push_back({.url = link, .depth = visit.depth + 1, .found = SystemClock().Wall()});
      const MonotonicTime now = SystemClock().Now();
      errors += !frontier.Fetched(visit, {.status = 200, .started = now, .ended = now}).ok();
      errors += !frontier.Offer(links).ok();
      {
        MutexLock lock(mu);
        done.insert(visit.url);
      }
      mine.push_back(visit);
      if (mine.size() >= 8) commit();
      frontier.Stats();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(errors, 0);
  std::set<std::string> expected = {seed};
  std::deque<std::string> queue = {seed};
  for (; !queue.empty(); queue.pop_front()) {
    for (const auto& link : web.Fetch(queue.front(), 2).links) {
      if (expected.insert(link).second) queue.push_back(link);
    }
  }
  EXPECT_EQ(std::set<std::string>(done.begin(), done.end()), expected);
  EXPECT_EQ(done.size(), expected.size()) << "each once";
}

}  // namespace
}  // namespace crivello::frontier
