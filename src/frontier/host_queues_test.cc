// SPDX-License-Identifier: Apache-2.0
#include "frontier/host_queues.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <set>
#include <thread>

#include "base/random.h"
#include "base/test_support.h"
#include "frontier/host_queues_test_support.h"
#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(HostQueuesTest, GivesItemsByClassAndThenInOrderOfArrival) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  const std::vector<UrlRecord> records = {
      {.url = "https://a.example/3", .priority = 2},
      {.url = "http://a.example:81/1", .priority = 0},
      {.url = "https://b.example/x", .depth = 7},
      {.url = "https://a.example/4", .priority = 2},
      {.url = "https://a.example/2", .kind = UrlKind::kSitemap, .priority = 0, .found = At(5000)}};
  MustEnqueue(*o.queues, records, At(1000));
  const uint64_t a = web::HostHash("a.example");
  const auto woken = o.queues->TakeSleeping(10, At(1000));
  ASSERT_TRUE(woken.ok());
  ASSERT_EQ(woken->size(), 2u);
  EXPECT_THAT(Urls(*o.queues, a), ElementsAre("http://a.example:81/1", "https://a.example/2",
                                              "https://a.example/3", "https://a.example/4"));
  const std::vector<QueueItem> items = ReadAll(*o.queues, a);
  EXPECT_EQ(items[1].kind, UrlKind::kSitemap);
  EXPECT_EQ(items[1].found, At(5000));
  EXPECT_EQ(ReadAll(*o.queues, web::HostHash("b.example"))[0].depth, 7u);
  EXPECT_EQ(o.queues->counts().items, 5u);
  EXPECT_EQ(o.queues->counts().hosts, 2u);
  EXPECT_EQ(o.queues->counts().waiting, 2u);
  EXPECT_EQ(o.queues->counts().awake, 2u);
}

TEST(HostQueuesTest, LeavesOutWhatIsUnfitAndAsksAboutTheRest) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  const std::string long_url = "https://a.example/" + std::string(HostQueues::kMaxItemBytes, 'x');
  const std::vector<UrlRecord> records = {{.url = "mailto:x"},
                                          {.url = long_url},
                                          {.url = "https://a.example/1"},
                                          {.url = "https://a.example/2"},
                                          {.url = "https://a.example/3"},
                                          {.url = "https://b.example/1", .priority = kPriorityClasses}};
  auto change = o.queues->Begin();
  const auto result = change.Enqueue(records, At(0), [](HostState& state, const UrlRecord& record) {
    state.extra += record.url.back();
    return state.enqueued < 2 ? HostQueues::Entry::kCounted : HostQueues::Entry::kRefused;
  });
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->enqueued, 2u);
  EXPECT_EQ(result->refused, 1u);
  EXPECT_EQ(result->unfit, 3u);
  ASSERT_TRUE(change.Write({}).ok());
  const auto state = o.queues->Load(web::HostHash("a.example"));
  ASSERT_TRUE(state.ok() && state->has_value());
  EXPECT_EQ((*state)->extra, "123");
  EXPECT_EQ((*state)->queued(), 2u);
}

// The number of blocks in the first class.
uint32_t BlocksOf(const HostQueues& queues, uint64_t host) {
  const auto state = queues.Load(host);
  EXPECT_TRUE(state.ok() && state->has_value());
  const ClassQueue& queue = (*state)->queues[0];
  return queue.tail - queue.head.block;
}

TEST(HostQueuesTest, JoinsWhatComesForAHostThatSleeps) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  const uint64_t a = web::HostHash("a.example");
  std::vector<std::string> expected;
  const auto enqueue = [&](size_t count) {
    for (size_t i = 0; i < count; i++) {
      expected.push_back(fmt::format("https://a.example/{}", expected.size()));
      MustEnqueue(*o.queues, std::vector<UrlRecord>{{.url = expected.back()}}, At(1000));
    }
  };
  enqueue(10);
  EXPECT_EQ(BlocksOf(*o.queues, a), 1u);
  o = Reopen(std::move(o), folder / "db");
  enqueue(10);
  EXPECT_EQ(BlocksOf(*o.queues, a), 1u);
  EXPECT_EQ(Urls(*o.queues, a), expected);

  // A reader may have seen the end of the last block: what comes while the host is awake begins another.
  ASSERT_TRUE(o.queues->Wake(a)->has_value());
  const std::vector<QueueItem> items = ReadAll(*o.queues, a);
  enqueue(2);
  EXPECT_EQ(BlocksOf(*o.queues, a), 3u);
  for (size_t i = 0; i < 5; i++) Pop(*o.queues, a, items[i]);
  expected.erase(expected.begin(), expected.begin() + 5);
  EXPECT_EQ(Urls(*o.queues, a), expected);
  for (size_t i = 5; i < items.size(); i++) Pop(*o.queues, a, items[i]);
  EXPECT_EQ(BlocksOf(*o.queues, a), 2u);
  {
    auto change = o.queues->Begin();
    ASSERT_TRUE(change.Sleep(a, At(2000)).ok());
    ASSERT_TRUE(change.Write({}).ok());
  }
  expected.erase(expected.begin(), expected.begin() + 15);
  enqueue(10);
  EXPECT_EQ(BlocksOf(*o.queues, a), 2u);
  enqueue(500);
  EXPECT_GT(BlocksOf(*o.queues, a), 4u) << "a block has its limit";
  EXPECT_LT(BlocksOf(*o.queues, a), 60u);
  EXPECT_EQ(Urls(*o.queues, a), expected);
}

TEST(HostQueuesTest, KeepsWhereAUrlWasFound) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  const std::string url = "https://a.example/1";
  const std::string page = "https://b.example/links";
  MustEnqueue(*o.queues, std::vector<UrlRecord>{{.url = url, .via = Via::Of(url, page)}}, At(0));
  const uint64_t a = web::HostHash("a.example");
  const std::vector<QueueItem> items = ReadAll(*o.queues, a);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].via, page);
  {
    auto change = o.queues->Begin();
    ASSERT_TRUE(change.Pop(a, items[0]).ok());
    ASSERT_TRUE(change.PutBack(a, items[0]).ok());
    ASSERT_TRUE(change.Write({}).ok());
  }
  EXPECT_EQ(ReadAll(*o.queues, a)[0].via, page);
}

TEST(HostQueuesTest, ShowsNothingOfAChangeThatWasNotWritten) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  MustEnqueue(*o.queues, std::vector<UrlRecord>{{.url = "https://a.example/1"}}, At(0));
  const uint64_t a = web::HostHash("a.example");
  ASSERT_EQ(o.queues->TakeSleeping(1, At(0))->size(), 1u);
  {
    auto change = o.queues->Begin();
    ASSERT_TRUE(change.Pop(a, ReadAll(*o.queues, a)[0]).ok());
    ASSERT_TRUE(change.Sleep(a, At(9000)).ok());
    const std::vector<UrlRecord> more = {{.url = "https://c.example/"}};
    ASSERT_TRUE(change.Enqueue(more, At(0)).ok());
  }
  EXPECT_THAT(Urls(*o.queues, a), ElementsAre("https://a.example/1"));
  EXPECT_EQ(o.queues->counts().items, 1u);
  EXPECT_EQ(o.queues->counts().awake, 1u);
  EXPECT_FALSE(o.queues->Load(web::HostHash("c.example"))->has_value());
}

TEST(HostQueuesTest, AChangeHasTheBatchOfTheOneBeforeAndNothingThatWasInIt) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  constexpr kv::Family kRows = 0;
  {
    auto change = o.queues->Begin();
    change.batch().Put(kRows, "written", std::string(100'000, 'x'));
    ASSERT_TRUE(change.Write({}).ok());
    // Another Change may begin while this object still exists.
    auto next = o.queues->Begin();
    EXPECT_TRUE(next.batch().empty());
    EXPECT_GT(next.batch().capacity_bytes(), 100'000u);
    next.batch().Put(kRows, "dropped", "x");
  }
  {
    auto change = o.queues->Begin();
    EXPECT_TRUE(change.batch().empty());
    EXPECT_GT(change.batch().capacity_bytes(), 100'000u);
    change.batch().Put(kRows, "large", std::string(5 << 20, 'x'));
    ASSERT_TRUE(change.Write({}).ok());
  }
  auto change = o.queues->Begin();
  EXPECT_LT(change.batch().capacity_bytes(), 100'000u) << "what has grown large is not kept";
  ASSERT_TRUE(change.Write({}).ok());
  EXPECT_TRUE(o.db->Get(kRows, "written")->has_value());
  EXPECT_TRUE(o.db->Get(kRows, "large")->has_value());
  EXPECT_FALSE(o.db->Get(kRows, "dropped")->has_value());
}

TEST(HostQueuesTest, PopsOnlyTheFirstAndEachOnce) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  const std::vector<UrlRecord> records = {{.url = "https://a.example/1"}, {.url = "https://a.example/2"}};
  MustEnqueue(*o.queues, records, At(0));
  const uint64_t a = web::HostHash("a.example");
  const auto items = ReadAll(*o.queues, a);
  auto change = o.queues->Begin();
  EXPECT_EQ(change.Pop(a, items[1]).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(change.Pop(a + 1, items[0]).code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(change.Pop(a, items[0]).ok());
  EXPECT_TRUE(change.Pop(a, items[0]).ok());
  EXPECT_TRUE(change.Pop(a, items[1]).ok());
  EXPECT_TRUE(change.Pop(a, items[1]).ok());
  ASSERT_TRUE(change.Write({}).ok());
  EXPECT_EQ(o.queues->counts().items, 0u);
  EXPECT_EQ(o.queues->counts().waiting, 0u);
  EXPECT_THAT(*o.queues->TakeSleeping(5, At(1'000'000)), IsEmpty());
}

TEST(HostQueuesTest, PutsBackAtTheEnd) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  const std::vector<UrlRecord> records = {{.url = "https://a.example/1", .depth = 3},
                                          {.url = "https://a.example/2"}};
  MustEnqueue(*o.queues, records, At(0));
  const uint64_t a = web::HostHash("a.example");
  QueueItem item = ReadAll(*o.queues, a)[0];
  auto change = o.queues->Begin();
  ASSERT_TRUE(change.Pop(a, item).ok());
  item.attempts = 2;
  ASSERT_TRUE(change.PutBack(a, item).ok());
  item.url = "https://b.example/";
  EXPECT_EQ(change.PutBack(a, item).code(), StatusCode::kInvalidArgument);
  ASSERT_TRUE(change.Write({}).ok());
  const auto items = ReadAll(*o.queues, a);
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[1].url, "https://a.example/1");
  EXPECT_EQ(items[1].attempts, 2u);
  EXPECT_EQ(items[1].depth, 3u);
  EXPECT_EQ(o.queues->counts().enqueued, 2u);
}

TEST(HostQueuesTest, WakesHostsInOrderOfTheirTime) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  for (int i = 0; i < 5; i++) {
    const std::string url = fmt::format("https://h{}.example/", i);
    MustEnqueue(*o.queues, std::vector<UrlRecord>{{.url = url}}, At(1000 * (5 - i)));
  }
  EXPECT_EQ(*o.queues->NextWake(), At(1000));
  EXPECT_THAT(*o.queues->TakeSleeping(5, At(999)), IsEmpty());
  EXPECT_THAT(WokenNames(*o.queues, 2, At(3000)), ElementsAre("h4.example", "h3.example"));
  EXPECT_EQ(*o.queues->NextWake(), At(3000));
  EXPECT_THAT(WokenNames(*o.queues, 2, At(3000)), ElementsAre("h2.example"));

  auto change = o.queues->Begin();  // an awake host, to a time that has already passed
  ASSERT_TRUE(change.Sleep(web::HostHash("h4.example"), At(500)).ok());
  ASSERT_TRUE(change.Write({}).ok());
  EXPECT_EQ(*o.queues->NextWake(), At(500));
  EXPECT_THAT(WokenNames(*o.queues, 9, At(9000)), ElementsAre("h4.example", "h1.example", "h0.example"));
  EXPECT_EQ(*o.queues->NextWake(), std::nullopt);

  o = Reopen(std::move(o), folder / "db");  // all hosts are asleep again
  EXPECT_EQ(o.queues->counts().waiting, 5u);
  EXPECT_THAT(WokenNames(*o.queues, 9, At(9000)),
              ElementsAre("h4.example", "h3.example", "h2.example", "h1.example", "h0.example"));
}

TEST(HostQueuesTest, TellsOfItemsForHostsThatAreAwake) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  MustEnqueue(*o.queues, std::vector<UrlRecord>{{.url = "https://a.example/1"}}, At(0));
  const uint64_t a = web::HostHash("a.example");
  const auto woken = o.queues->Wake(a);
  ASSERT_TRUE(woken.ok() && woken->has_value());
  EXPECT_FALSE(o.queues->Wake(a)->has_value());
  EXPECT_FALSE(o.queues->Wake(a + 1)->has_value());
  QueueCursor cursor = HostQueues::Start((*woken)->state);
  const auto first = o.queues->Read(a, cursor, 10);
  ASSERT_EQ(first->size(), 1u);
  Pop(*o.queues, a, (*first)[0]);
  EXPECT_THAT(*o.queues->Read(a, cursor, 10), IsEmpty());

  auto change = o.queues->Begin();
  const std::vector<UrlRecord> more = {{.url = "https://a.example/2"}, {.url = "https://b.example/1"}};
  const auto result = change.Enqueue(more, At(0));
  ASSERT_EQ(result->refills.size(), 1u);
  EXPECT_EQ(result->refills[0].host, a);
  EXPECT_EQ(result->refills[0].items, 1u);
  ASSERT_TRUE(change.Write({}).ok());
  const auto second = o.queues->Read(a, cursor, 10);  // the same reader continues
  ASSERT_EQ(second->size(), 1u);
  EXPECT_EQ((*second)[0].url, "https://a.example/2");
  EXPECT_THAT(WokenNames(*o.queues, 9, At(0)), ElementsAre("b.example"));
}

// After a clock was once 100 years ahead, hosts must not wait that long when it is right again.
TEST(HostQueuesTest, WakesHostsFromATimeThatNobodyCanMean) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  const WallTime now = At(1'000'000'000'000), late = now + std::chrono::hours(24 * 365 * 100);
  const std::vector<UrlRecord> records = {{.url = "https://a.example/1"}, {.url = "https://b.example/1"}};
  MustEnqueue(*o.queues, records, now);
  const uint64_t a = web::HostHash("a.example"), b = web::HostHash("b.example");
  for (const auto& [host, until] : {std::pair(a, late), std::pair(b, now + std::chrono::hours(20))}) {
    auto woken = o.queues->Wake(host).value();
    woken->state.next_fetch = until;
    woken->state.address_until = until;
    woken->state.robots = {{.origin = "https://a.example", .until = until}};
    auto change = o.queues->Begin();
    ASSERT_TRUE(change.Store(host, woken->state).ok());
    ASSERT_TRUE(change.Sleep(host, until).ok());
    ASSERT_TRUE(change.Write({}).ok());
  }
  o = Reopen(std::move(o), folder / "db");
  EXPECT_EQ(o.queues->WakeFromImpossibleTimes(now).value(), 1u);
  EXPECT_EQ(o.queues->WakeFromImpossibleTimes(now).value(), 0u);
  const HostState state = *o.queues->Load(a).value();
  EXPECT_EQ(state.next_fetch, WallTime());
  EXPECT_EQ(state.address_until, WallTime());
  EXPECT_EQ(state.robots[0].until, WallTime());
  EXPECT_EQ(o.queues->NextWake().value(), now);
  const auto woken = o.queues->TakeSleeping(10, now);
  ASSERT_EQ(woken->size(), 1u);
  EXPECT_EQ(woken->front().host, a);
  EXPECT_EQ(o.queues->Load(b).value()->next_fetch, now + std::chrono::hours(20));
}

TEST(HostQueuesTest, ShowsTheStatesOfTheJournalInADatabaseThatIsOnlyRead) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  const std::vector<UrlRecord> records = {{.url = "https://a.example/1"}, {.url = "https://a.example/2"}};
  MustEnqueue(*o.queues, records, At(1000));
  const uint64_t a = web::HostHash("a.example");
  ASSERT_EQ(o.queues->TakeSleeping(1, At(1000))->size(), 1u);
  Pop(*o.queues, a, ReadAll(*o.queues, a)[0]);  // is written only to the journal, because the host is awake
  o = {};
  auto read = OpenQueues(folder / "db", nullptr, true);
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(read->queues->Load(a).value()->queued(), 1u);
  EXPECT_THAT(Urls(*read->queues, a), ElementsAre("https://a.example/2"));
  EXPECT_EQ(read->queues->counts().items, 1u);
}

TEST(HostQueuesTest, StoresOnlyTheCallersPartOfAState) {
  const TemporaryFolder folder;
  Opened o = MustOpen(folder / "db");
  MustEnqueue(*o.queues, std::vector<UrlRecord>{{.url = "https://a.example/1"}}, At(0));
  const uint64_t a = web::HostHash("a.example");
  HostState state;
  state.given_up = true;
  state.last_error = "gone";
  auto change = o.queues->Begin();
  ASSERT_TRUE(change.Store(a, state).ok());
  ASSERT_TRUE(change.Drop(a).ok());
  EXPECT_EQ(change.Store(a + 1, state).code(), StatusCode::kInvalidArgument);
  ASSERT_TRUE(change.Write({}).ok());
  const auto stored = o.queues->Load(a);
  EXPECT_EQ((*stored)->name, "a.example");
  EXPECT_EQ((*stored)->last_error, "gone");
  EXPECT_EQ((*stored)->enqueued, 1u);
  EXPECT_EQ((*stored)->queued(), 0u);
  EXPECT_EQ(o.queues->counts().given_up, 1u);
  EXPECT_EQ(o.queues->counts().items, 0u);
}

// Changes wait for each other; readers and waking do not affect them.
TEST(HostQueuesTest, ServesManyThreads) {
  const TemporaryFolder folder;
  const Opened o = MustOpen(folder / "db");
  constexpr int kWriters = 2, kVisitors = 4, kRounds = 40;
  std::atomic<int> visited = 0;
  std::atomic<int> writing = kWriters;
  std::vector<std::thread> threads;
  for (int t = 0; t < kWriters; t++) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRounds; i++) {
        const std::string url = fmt::format("https://h{}.example/{}-{}", i % 7, t, i);
        MustEnqueue(*o.queues, std::vector<UrlRecord>{{.url = url}}, At(0));
      }
      writing--;
    });
  }
  for (int t = 0; t < kVisitors; t++) {
    threads.emplace_back([&] {
      for (;;) {
        const bool last = writing == 0;
        const auto woken = o.queues->TakeSleeping(2, At(1));
        ASSERT_TRUE(woken.ok());
        for (const HostQueues::Woken& host : *woken) {
          QueueCursor cursor = HostQueues::Start(host.state);
          const auto items = o.queues->Read(host.host, cursor, 5);
          ASSERT_TRUE(items.ok());
          auto change = o.queues->Begin();
          for (const QueueItem& item : *items) ASSERT_TRUE(change.Pop(host.host, item).ok());
          ASSERT_TRUE(change.Sleep(host.host, At(1)).ok());
          ASSERT_TRUE(change.Write({}).ok());
          visited += static_cast<int>(items->size());
        }
        EXPECT_TRUE(o.queues->NextWake().ok());
        EXPECT_TRUE(o.queues->Load(web::HostHash("h0.example")).ok());
        if (last && woken->empty() && o.queues->counts().items == 0) return;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(visited, kWriters * kRounds);
  EXPECT_EQ(o.queues->counts().items, 0u);
  EXPECT_EQ(o.queues->counts().awake, 0u);
}

// Compares everything with deques in memory, through reopenings.
TEST(HostQueuesTest, AgreesWithDequesInMemory) {
  for (uint64_t seed = 1; seed <= 6; seed++) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    SeededRandom random(seed);
    const TemporaryFolder folder;
    Opened o = MustOpen(folder / "db");
    struct Host {
      std::array<std::deque<std::string>, kPriorityClasses> queues;
      bool awake = false;
    };
    std::map<std::string, Host> model;
    int serial = 0;
    for (int step = 0; step < 300; step++) {
      const std::string name = fmt::format("h{}.example", random.Below(12));
      const uint64_t hash = web::HostHash(name);
      const uint64_t what = random.Below(8);
      if (what <= 2) {
        std::vector<std::string> urls;
        std::vector<UrlRecord> records;
        const uint64_t count = random.Below(4) == 0 ? 300 : random.Below(6);
        for (uint64_t i = 0; i < count; i++) {
          urls.push_back(fmt::format("https://h{}.example/{}", random.Below(12), serial++));
        }
        for (const std::string& url : urls) {
          const auto priority = static_cast<uint8_t>(random.Below(3));
          records.push_back({.url = url, .priority = priority});
          model[std::string(SplitUrl(url)->host)].queues[priority].push_back(url);
        }
        MustEnqueue(*o.queues, records, At(static_cast<int64_t>(random.Below(100))));
      } else if (what <= 4 && model.contains(name)) {
        Host& host = model[name];
        auto change = o.queues->Begin();
        uint64_t left = random.Below(40);
        for (const QueueItem& item : ReadAll(*o.queues, hash)) {
          if (left-- == 0) break;
          ASSERT_EQ(item.url, host.queues[item.priority].front());
          host.queues[item.priority].pop_front();
          ASSERT_TRUE(change.Pop(hash, item).ok());
          if (random.Below(5) == 0) {
            ASSERT_TRUE(change.PutBack(hash, item).ok());
            host.queues[item.priority].push_back(item.url);
          }
        }
        if (random.Below(2) == 0) {
          ASSERT_TRUE(change.Sleep(hash, At(static_cast<int64_t>(random.Below(100)))).ok());
          host.awake = false;
        }
        ASSERT_TRUE(change.Write({}).ok());
      } else if (what == 5 && random.Below(4) == 0 && model.contains(name)) {
        auto change = o.queues->Begin();
        ASSERT_TRUE(change.Drop(hash).ok());
        ASSERT_TRUE(change.Write({}).ok());
        for (auto& queue : model[name].queues) queue.clear();
      } else if (what == 6) {
        std::set<std::string> expected;
        for (const auto& [other, host] : model) {
          const bool any = std::any_of(host.queues.begin(), host.queues.end(),
                                       [](const auto& queue) { return !queue.empty(); });
          if (any && !host.awake) expected.insert(other);
        }
        const auto woken = WokenNames(*o.queues, 100, At(1000));
        EXPECT_EQ(std::set<std::string>(woken.begin(), woken.end()), expected);
        for (const std::string& other : woken) model[other].awake = true;
      } else if (what == 7 && random.Below(4) == 0) {
        o = Reopen(std::move(o), folder / "db");
        for (auto& [other, host] : model) host.awake = false;
      }
    }
    uint64_t total = 0;
    size_t hosts = 0;
    for (const auto& [name, host] : model) {
      std::vector<std::string> expected;
      for (const auto& queue : host.queues) expected.insert(expected.end(), queue.begin(), queue.end());
      EXPECT_EQ(Urls(*o.queues, web::HostHash(name)), expected);
      total += expected.size();
    }
    const Status walked = o.queues->ForEachHost([&](uint64_t, const HostState& state) {
      EXPECT_TRUE(model.contains(state.name));
      hosts++;
      return true;
    });
    EXPECT_TRUE(walked.ok());
    EXPECT_EQ(hosts, model.size());
    EXPECT_EQ(o.queues->counts().items, total);
    EXPECT_EQ(o.queues->counts().hosts, model.size());
  }
}

}  // namespace
}  // namespace crivello::frontier
