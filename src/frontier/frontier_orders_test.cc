// SPDX-License-Identifier: Apache-2.0
// Commands to a running frontier.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontier/frontier_test_support.h"
#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

class FrontierOrdersTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.sync = false;
    options_.wait_for_sieve = true;
    options_.robots = false;
    options_.politeness.host_delay = seconds(1);
    Open();
  }
  void Open() {
    frontier_.reset();
    tablets_.reset();
    tablets_ = OpenTestTablets(folder_.path());
    exchange_ = std::make_unique<LocalExchange>(**tablets_);
    auto frontier = Frontier::Open(**tablets_, *exchange_, clock_, options_);
    ASSERT_TRUE(frontier.ok()) << frontier.status().ToString();
    frontier_ = *std::move(frontier);
  }
  void Offer(const std::vector<std::string>& urls) {
    std::vector<UrlRecord> records;
    for (const std::string& url : urls) records.push_back({.url = url, .found = clock_.Wall()});
    ASSERT_TRUE(frontier_->Offer(records).ok());
  }
  void Schedule(const std::string& url, Duration after = {}, bool known = true, uint8_t priority = 0) {
    const Appointment one = {
        .record = {.url = url, .priority = priority}, .not_before = clock_.Wall() + after, .known = known};
    ASSERT_TRUE(frontier_->Schedule({&one, 1}).ok());
  }
  void Pump() {
    while (true) {
      const auto pumped = frontier_->Pump();
      ASSERT_TRUE(pumped.ok()) << pumped.status().ToString();
      for (const auto& host : frontier_->NeedsAddress(100))
        frontier_->Resolved(host, "address of " + host, clock_.Wall() + hours(1000));
      if (!pumped->more && pumped->queued == 0 && pumped->woken == 0) return;
    }
  }
  // The visits within that time, each fetched and committed at once.
  std::vector<std::string> VisitsWithin(Duration time) {
    std::vector<std::string> urls;
    for (const MonotonicTime end = clock_.Now() + time; clock_.Now() < end;) {
      Pump();
      auto taken = frontier_->Take();
      EXPECT_TRUE(taken.ok());
      if (!taken->visit) {
        clock_.Advance(milliseconds(100));
        continue;
      }
      urls.push_back(taken->visit->url);
      Fetch(*taken->visit);
      Commit({*taken->visit});
    }
    return urls;
  }
  void Fetch(const Visit& visit) {
    EXPECT_TRUE(
        frontier_->Fetched(visit, {.status = 200, .started = clock_.Now(), .ended = clock_.Now()}).ok());
  }
  void Commit(const std::vector<Visit>& visits) {
    const auto commit = frontier_->Begin(0);
    for (const Visit& visit : visits) commit->Done(visit);
    ASSERT_TRUE(commit->Write({}).ok());
  }
  // Takes a visit, which must be available now.
  Visit TakeNow() {
    for (int i = 0; i < 3; ++i) {
      Pump();
      auto taken = frontier_->Take();
      if (taken.ok() && taken->visit) return *std::move(taken->visit);
    }
    ADD_FAILURE() << Standing(*frontier_);
    return {};
  }
  Frontier::Swept Sweep(const std::vector<std::string>& hosts, const std::string& part) {
    std::vector<uint64_t> hashes;
    for (const std::string& host : hosts) hashes.push_back(web::HostHash(host));
    const Sweeper sweeper = {
        .goes = [&](const QueueItem& item) { return item.url.find(part) != std::string::npos; },
        .note =
            [this](const QueueItem& item, kv::Batch&) {
              noted_.push_back(item.url);
              return Status::Ok();
            }};
    auto swept = frontier_->Sweep(0, hashes, sweeper);
    EXPECT_TRUE(swept.ok()) << swept.status().ToString();
    return swept.ok() ? *std::move(swept) : Frontier::Swept();
  }

  TemporaryFolder folder_;
  ManualClock clock_{kTestStart};
  FrontierOptions options_;
  std::unique_ptr<StoredTablets> tablets_;
  std::unique_ptr<LocalExchange> exchange_;
  std::unique_ptr<Frontier> frontier_;
  std::vector<std::string> noted_;
};

TEST_F(FrontierOrdersTest, VisitsAUrlAgainAtItsTimeAndNotBefore) {
  Offer({"http://a.test/"});
  EXPECT_THAT(VisitsWithin(seconds(5)), ElementsAre("http://a.test/"));
  Schedule("http://a.test/", hours(1));
  EXPECT_TRUE(frontier_->Finished());
  EXPECT_EQ(frontier_->Stats().scheduled, 1u);
  EXPECT_THAT(VisitsWithin(hours(1) - seconds(1)), IsEmpty());
  EXPECT_THAT(VisitsWithin(seconds(3)), ElementsAre("http://a.test/"));
  EXPECT_EQ(frontier_->Stats().scheduled, 0u);
  EXPECT_TRUE(frontier_->Finished());
}

TEST_F(FrontierOrdersTest, AUrlThatIsDueOvertakesWhatItsHostHasReadAhead) {
  std::vector<std::string> expected;
  for (int i = 0; i < 30; ++i) {
    const std::string url = "http://a.test/" + std::to_string(i);
    Schedule(url, {}, true, 3);
    if (i > 0) expected.push_back(url);
    clock_.Advance(milliseconds(1));  // otherwise the agenda orders them by their hashes
  }
  const Visit first = TakeNow();
  EXPECT_EQ(first.url, "http://a.test/0");
  Fetch(first);
  Commit({first});
  // More than one read takes.
  std::vector<std::string> news;
  for (int i = 0; i < 20; ++i) {
    news.push_back("http://a.test/news" + std::to_string(i));
    Schedule(news.back(), {}, true, 0);
    clock_.Advance(milliseconds(1));
  }
  Schedule("http://a.test/last", {}, true, 5);
  expected.insert(expected.begin(), news.begin(), news.end());
  expected.push_back("http://a.test/last");
  EXPECT_EQ(VisitsWithin(seconds(100)), expected);
  EXPECT_TRUE(frontier_->Finished());
}

TEST_F(FrontierOrdersTest, TriesAHostThatWasGivenUpAgainWhenOneOfItsUrlsIsDue) {
  Offer({"http://a.test/1", "http://a.test/2"});
  const Visit visit = TakeNow();
  const FetchOutcome refused = {.result = FetchResult::kForbidden,
                                .started = clock_.Now(),
                                .ended = clock_.Now(),
                                .error = "127.0.0.1 is loopback"};
  EXPECT_EQ(frontier_->Fetched(visit, refused)->verdict, Verdict::kGiveUpHost);
  Commit({visit});
  EXPECT_THAT(VisitsWithin(hours(1)), IsEmpty()) << "our own refusal is final";
  EXPECT_TRUE(frontier_->Finished());
  EXPECT_EQ(frontier_->Stats().given_up, 1u);
  Offer({"http://a.test/3"});
  EXPECT_THAT(VisitsWithin(hours(1)), IsEmpty());
  Open();
  Schedule("http://a.test/1");
  EXPECT_THAT(VisitsWithin(hours(1)), ElementsAre("http://a.test/1"));
  EXPECT_EQ(frontier_->Stats().given_up, 0u);
  Offer({"http://a.test/4"});
  EXPECT_THAT(VisitsWithin(hours(1)), ElementsAre("http://a.test/4"));
}

TEST_F(FrontierOrdersTest, KeepsWhatIsScheduledAcrossARestart) {
  Schedule("http://a.test/1", hours(1));
  Schedule("http://a.test/2");
  EXPECT_FALSE(frontier_->Finished());
  Open();
  EXPECT_FALSE(frontier_->Finished());
  EXPECT_THAT(VisitsWithin(hours(1) + seconds(5)), ElementsAre("http://a.test/2", "http://a.test/1"));
}

TEST_F(FrontierOrdersTest, IsNotFinishedInTheMillisecondInWhichSomethingIsScheduledForNow) {
  clock_.Advance(std::chrono::microseconds(300));
  Schedule("http://a.test/");
  EXPECT_FALSE(frontier_->Finished());
  EXPECT_EQ(frontier_->Pump()->queued, 0u) << "it is not due yet";
  EXPECT_FALSE(frontier_->Finished());
  EXPECT_THAT(VisitsWithin(seconds(5)), ElementsAre("http://a.test/"));
  EXPECT_TRUE(frontier_->Finished());
}

TEST_F(FrontierOrdersTest, VisitsAScheduledUrlThatNobodyKnewOnlyOnce) {
  Schedule("http://a.test/", {}, /*known=*/false);
  EXPECT_THAT(VisitsWithin(seconds(5)), ElementsAre("http://a.test/"));
  Offer({"http://a.test/"});  // a link to it
  EXPECT_THAT(VisitsWithin(seconds(5)), IsEmpty());
  EXPECT_TRUE(frontier_->Finished());
  EXPECT_EQ(frontier_->Stats().unfit, 0u);
}

TEST_F(FrontierOrdersTest, ServesWhatIsScheduledByItsClassAndOverTheLimitsOfAHost) {
  frontier_->SetBudget({.per_host = 2});
  Offer({"http://a.test/1", "http://a.test/2", "http://a.test/3"});
  Schedule("http://a.test/last", {}, true, 5);
  Schedule("http://a.test/0");
  EXPECT_THAT(VisitsWithin(seconds(20)),
              ElementsAre("http://a.test/1", "http://a.test/2", "http://a.test/0", "http://a.test/last"));
}

TEST_F(FrontierOrdersTest, CountsNoRevisitAgainstTheLimitOfAHost) {
  frontier_->SetBudget({.per_host = 2});
  Offer({"http://a.test/1"});
  VisitsWithin(seconds(5));
  for (int i = 0; i < 3; ++i) {
    Schedule("http://a.test/1");
    EXPECT_THAT(VisitsWithin(seconds(5)), ElementsAre("http://a.test/1"));
  }
  Offer({"http://a.test/2"});
  EXPECT_THAT(VisitsWithin(seconds(5)), ElementsAre("http://a.test/2"));
}

TEST_F(FrontierOrdersTest, GivesOutNothingWhileItIsHeldAndKeepsQueuesAndDelays) {
  Offer({"http://a.test/1", "http://a.test/2", "http://b.test/1"});
  const Visit visit = TakeNow();
  frontier_->Hold(true);
  Fetch(visit);
  Commit({visit});
  const uint64_t queued = frontier_->Stats().queued_urls;
  EXPECT_EQ(queued, 2u);
  EXPECT_THAT(VisitsWithin(hours(1)), IsEmpty());
  EXPECT_EQ(frontier_->Stats().queued_urls, queued);
  frontier_->Hold(false);
  EXPECT_EQ(VisitsWithin(seconds(5)).size(), 2u);
}

TEST_F(FrontierOrdersTest, GivesOutMoreWhenALimitThatWasReachedIsRaised) {
  frontier_->SetBudget({.pages = 1});
  Offer({"http://a.test/1", "http://a.test/2"});
  EXPECT_THAT(VisitsWithin(seconds(9)), ElementsAre("http://a.test/1"));
  EXPECT_EQ(frontier_->Take()->spent, "max-pages");
  frontier_->SetBudget({.pages = 5});
  EXPECT_THAT(VisitsWithin(seconds(9)), ElementsAre("http://a.test/2"));
}

TEST_F(FrontierOrdersTest, SweepsHostsThatSleepAtOnceAndThoseThatAreAwakeWhenTheyFellAsleep) {
  Offer({"http://a.test/1", "http://a.test/x", "http://a.test/2", "http://b.test/x"});
  const Visit visit = TakeNow();
  const Frontier::Swept first = Sweep({"a.test", "b.test"}, "/x");
  EXPECT_EQ(first.urls, 0u);
  EXPECT_EQ(first.busy.size(), 2u) << "both were woken";
  Fetch(visit);
  Commit({visit});
  Pump();
  const bool was_a = visit.host == "a.test";
  const Frontier::Swept second = Sweep({"a.test", "b.test"}, "/x");
  EXPECT_THAT(second.busy, IsEmpty());
  EXPECT_EQ(second.urls, was_a ? 2u : 1u) << Standing(*frontier_);
  EXPECT_EQ(noted_.size(), second.urls);
  std::vector<std::string> left = {"http://a.test/1", "http://a.test/2"};
  if (was_a) left.erase(left.begin());
  EXPECT_EQ(VisitsWithin(seconds(9)), left);
  EXPECT_TRUE(frontier_->Finished());
}

TEST_F(FrontierOrdersTest, SweepsALongQueueIntoBlocksThatAreFull) {
  std::vector<std::string> urls;
  for (int i = 0; i < 1000; ++i) urls.push_back("http://a.test/page/" + std::to_string(i));
  urls.push_back("http://a.test/x");
  Offer(urls);
  Pump();
  EXPECT_EQ(Sweep({"a.test"}, "/x").busy.size(), 1u);
  ASSERT_TRUE(frontier_->Pump().ok());
  EXPECT_EQ(Sweep({"a.test"}, "/x").urls, 1u);
  const HostQueues& queues = *(**tablets_)[0].queues;
  const auto state = queues.Load(web::HostHash("a.test"));
  ASSERT_TRUE(state.ok() && *state);
  const ClassQueue& queue = (*state)->queues[0];
  EXPECT_EQ(queue.items, 1000u);
  EXPECT_LT(queue.tail - queue.head.block, 50u);
  QueueCursor cursor = HostQueues::Start(**state);
  const auto items = queues.Read(web::HostHash("a.test"), cursor, 2000);
  ASSERT_TRUE(items.ok());
  ASSERT_EQ(items->size(), 1000u);
  for (size_t i = 0; i < items->size(); ++i) EXPECT_EQ((*items)[i].url, urls[i]);
}

}  // namespace
}  // namespace crivello::frontier
