// SPDX-License-Identifier: Apache-2.0
#include "frontier/frontier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontier/frontier_test_support.h"
#include "frontier/host_queues.h"

namespace crivello::frontier {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

class FrontierTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.sync = false;
    options_.wait_for_sieve = true;
    options_.robots = false;
  }
  void Open(uint32_t tablets = 0) {
    tablets_ = OpenTestTablets(folder_.path(), tablets);
    exchange_ = std::make_unique<LocalExchange>(**tablets_);
    auto frontier = Frontier::Open(**tablets_, *exchange_, clock_, options_);
    ASSERT_TRUE(frontier.ok()) << frontier.status().ToString();
    frontier_ = *std::move(frontier);
  }
  void Reopen() {
    frontier_.reset();
    tablets_.reset();
    Open();
  }
  void Offer(const std::vector<std::string>& urls, uint32_t depth = 0, uint8_t priority = 0) {
    std::vector<UrlRecord> records;
    for (const auto& url : urls)
      records.push_back({.url = url, .priority = priority, .depth = depth, .found = clock_.Wall()});
    ASSERT_TRUE(frontier_->Offer(records).ok());
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
  // The visit that may be taken now, if any.
  std::optional<Visit> Take() {
    Pump();
    auto taken = frontier_->Take();
    EXPECT_TRUE(taken.ok()) << taken.status().ToString();
    if (taken.ok() && !taken->visit) {
      Pump();  // now it knows that visits are needed
      taken = frontier_->Take();
    }
    return taken.ok() ? taken->visit : std::nullopt;
  }
  // The next visit, whenever it comes.
  Visit TakeLater() {
    for (int i = 0; i < 100000; i++) {
      if (auto visit = Take()) return *visit;
      clock_.Advance(milliseconds(100));
    }
    ADD_FAILURE() << "nothing comes: " << Standing(*frontier_);
    return {};
  }
  Frontier::After Fetched(const Visit& visit, int status = 200) {
    auto after =
        frontier_->Fetched(visit, {.status = status, .started = clock_.Now(), .ended = clock_.Now()});
    EXPECT_TRUE(after.ok());
    return *std::move(after);
  }
  Frontier::After Fail(const Visit& visit, FetchResult result = FetchResult::kTimedOut) {
    return *frontier_->Fetched(visit, {.result = result, .started = clock_.Now(), .ended = clock_.Now()});
  }
  void Commit(const std::vector<Visit>& visits) {
    const auto commit = frontier_->Begin(visits[0].tablet);
    for (const Visit& visit : visits) commit->Done(visit);
    const Status status = commit->Write({});
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  const TemporaryFolder folder_;
  ManualClock clock_{kTestStart};
  FrontierOptions options_;
  std::unique_ptr<StoredTablets> tablets_;
  std::unique_ptr<LocalExchange> exchange_;
  std::unique_ptr<Frontier> frontier_;
};

TEST_F(FrontierTest, IsFinishedWhenThereIsNothing) {
  Open();
  EXPECT_EQ(Take(), std::nullopt);
  EXPECT_TRUE(frontier_->Finished());
}

TEST_F(FrontierTest, GivesEachUrlOnceInOrderAfterTheDelay) {
  Open();
  Offer({"http://a.org/1", "http://a.org/2", "http://a.org/1"});
  const auto first = Take();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->url, "http://a.org/1");
  EXPECT_EQ(first->address, "address of a.org");
  EXPECT_EQ(first->attempt, 1u);
  EXPECT_EQ(Take(), std::nullopt) << "the host is taken";
  Fetched(*first);
  EXPECT_EQ(Take(), std::nullopt) << "the host rests";
  const MonotonicTime end = clock_.Now();
  const Visit second = TakeLater();
  EXPECT_EQ(second.url, "http://a.org/2");
  EXPECT_GE(clock_.Now() - end, options_.politeness.host_delay);
  Fetched(second);
  Commit({*first, second});
  clock_.Advance(hours(1));
  EXPECT_EQ(Take(), std::nullopt);
  EXPECT_TRUE(frontier_->Finished());
  Offer({"http://a.org/2"});
  EXPECT_EQ(Take(), std::nullopt) << "it is known";
}

TEST_F(FrontierTest, WhatWasNotCommittedComesAgainAfterACrash) {
  Open();
  Offer({"http://a.org/1", "http://a.org/2"});
  const Visit first = TakeLater();
  Fetched(first);
  Commit({first});
  const Visit second = TakeLater();
  Fetched(second);
  Reopen();
  const auto now = Take();
  EXPECT_EQ(now, std::nullopt) << "who knows when the host was asked last";
  EXPECT_EQ(TakeLater().url, "http://a.org/2");
}

TEST_F(FrontierTest, AnotherFrontierOfTheProcessGoesOn) {
  Open();
  Offer({"http://a.org/1", "http://a.org/2", "http://a.org/3"});
  const Visit first = TakeLater();
  Fetched(first);
  Commit({first});
  for (const char* const url : {"http://a.org/2", "http://a.org/3"}) {
    frontier_.reset();  // but not the collection, whose queues count the host as awake
    frontier_ = *Frontier::Open(**tablets_, *exchange_, clock_, options_);
    const Visit next = TakeLater();
    EXPECT_EQ(next.url, url);
    Fetched(next);
    Commit({next});
  }
  EXPECT_TRUE(frontier_->Finished());
}

TEST_F(FrontierTest, ACommitThatSkipsAVisitDequeuesUpToIt) {
  Open();
  Offer({"http://a.org/1", "http://a.org/2", "http://a.org/3"});
  std::vector<Visit> visits;
  for (int i = 0; i < 3; i++) {
    visits.push_back(TakeLater());
    Fetched(visits.back());
  }
  Commit({visits[1]});  // the first is still being parsed
  EXPECT_EQ(frontier_->Stats().queued_urls, 3u);
  Commit({visits[0]});
  EXPECT_EQ(frontier_->Stats().queued_urls, 1u);
  EXPECT_EQ(frontier_->Stats().uncommitted_urls, 1u);
  Reopen();
  EXPECT_EQ(TakeLater().url, "http://a.org/3");
}

TEST_F(FrontierTest, ACommitThatIsNotWrittenIsNone) {
  Open();
  Offer({"http://a.org/1"});
  const Visit visit = TakeLater();
  Fetched(visit);
  frontier_->Begin(0)->Done(visit);
  EXPECT_EQ(frontier_->Stats().uncommitted_urls, 1u);
  Commit({visit});
  EXPECT_EQ(frontier_->Stats().uncommitted_urls, 0u);
}

TEST_F(FrontierTest, AHostWaitsWhenTooManyOfItsVisitsAreUncommitted) {
  options_.max_uncommitted = 2;
  Open();
  Offer({"http://a.org/1", "http://a.org/2", "http://a.org/3"});
  std::vector<Visit> visits;
  for (int i = 0; i < 2; i++) {
    visits.push_back(TakeLater());
    Fetched(visits.back());
  }
  clock_.Advance(hours(1));
  EXPECT_EQ(Take(), std::nullopt);
  EXPECT_EQ(frontier_->Standings(10).at(0).waits_for, "a commit");
  Commit(visits);
  EXPECT_TRUE(Take());
}

TEST_F(FrontierTest, SkippingCostsNoDelay) {
  Open();
  Offer({"http://a.org/1", "http://a.org/2"});
  const Visit first = TakeLater();
  frontier_->Skipped(first);
  const auto second = Take();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->url, "http://a.org/2");
  frontier_->Skipped(*second);
  Commit({first, *second});
  Pump();
  EXPECT_TRUE(frontier_->Finished());
}

TEST_F(FrontierTest, TriesAFailedUrlAgainAfterTheOthersAndThenGivesItUp) {
  options_.politeness.max_attempts = 2;
  Open();
  Offer({"http://a.org/1", "http://a.org/2"});
  const Visit first = TakeLater();
  EXPECT_EQ(Fetched(first, 500).verdict, Verdict::kRetry);
  Commit({first});
  const Visit second = TakeLater();
  EXPECT_EQ(second.url, "http://a.org/2");
  Fetched(second);
  Commit({second});
  const Visit again = TakeLater();
  EXPECT_EQ(again.url, "http://a.org/1");
  EXPECT_EQ(again.attempt, 2u);
  EXPECT_EQ(Fetched(again, 500).verdict, Verdict::kGiveUpUrl);
  Commit({again});
  Pump();
  EXPECT_TRUE(frontier_->Finished());
}

TEST_F(FrontierTest, GivesAFailingHostUpWithTheReasonForGood) {
  options_.politeness.max_failures = 2;
  Open();
  Offer({"http://a.org/1", "http://a.org/2", "http://a.org/3"});
  for (const auto verdict : {Verdict::kRetry, Verdict::kGiveUpHost}) {
    const Visit visit = TakeLater();
    EXPECT_EQ(Fail(visit).verdict, verdict);
    Commit({visit});
  }
  Pump();
  EXPECT_TRUE(frontier_->Finished()) << Standing(*frontier_);
  EXPECT_EQ(frontier_->Stats().given_up, 1u);
  Reopen();
  Offer({"http://a.org/4"});
  Pump();
  EXPECT_TRUE(frontier_->Finished());
  EXPECT_EQ(frontier_->Stats().of_given_up, 1u);
  std::string why;
  ASSERT_TRUE((**tablets_)[0]
                  .queues
                  ->ForEachHost([&why](uint64_t, const HostState& state) {
                    why = state.last_error;
                    return true;
                  })
                  .ok());
  EXPECT_EQ(why, "2 failures in a row, the last: timed out");
}

TEST_F(FrontierTest, AHostWithoutANameIsGivenUpAndOneWithoutAnAnswerTriedAgain) {
  Open();
  Offer({"http://no.org/", "http://late.org/"});
  EXPECT_TRUE(frontier_->Pump().ok());
  while (frontier_->Stats().resolving < 2) {
    ASSERT_TRUE(frontier_->Take().ok());
    ASSERT_TRUE(frontier_->Pump().ok());
  }
  EXPECT_THAT(frontier_->NeedsAddress(10), testing::UnorderedElementsAre("no.org", "late.org"));
  EXPECT_THAT(frontier_->NeedsAddress(10), testing::IsEmpty()) << "each is given out once";
  frontier_->ResolveFailed("no.org", {.why = "NXDOMAIN", .permanent = true});
  frontier_->ResolveFailed("late.org", {.why = "SERVFAIL"});
  const Visit visit = TakeLater();
  EXPECT_EQ(visit.url, "http://late.org/");
  EXPECT_EQ(frontier_->Stats().given_up, 1u);
  EXPECT_GE(clock_.Now() - MonotonicTime(), BackOff(options_.politeness, 1));
}

TEST_F(FrontierTest, AnAddressThatExpiresIsAskedForAgain) {
  Open();
  Offer({"http://a.org/1", "http://a.org/2"});
  const Visit visit = TakeLater();
  clock_.Advance(hours(2000));
  Fetched(visit);
  EXPECT_EQ(frontier_->Stats().resolving, 1u);
  EXPECT_EQ(TakeLater().url, "http://a.org/2");
}

TEST_F(FrontierTest, VisitsRobotsTxtBeforeThePagesOfAnOriginAndAgainWhenItExpires) {
  options_.robots = true;
  Open();
  Offer({"http://a.org/1", "https://a.org/2", "http://a.org/3"});
  const auto robots = [&](const std::string& origin, Duration crawl_delay) {
    const Visit visit = TakeLater();
    EXPECT_EQ(visit.kind, UrlKind::kRobots);
    EXPECT_EQ(visit.url, origin + "/robots.txt");
    EXPECT_EQ(visit.origin, origin);
    Fetched(visit);
    EXPECT_EQ(frontier_->Stats().robots, 1u);
    frontier_->RobotsDone(visit, {.until = clock_.Wall() + hours(1), .crawl_delay = crawl_delay});
  };
  const auto page = [&](const std::string& url) {
    const MonotonicTime before = clock_.Now();
    const Visit visit = TakeLater();
    EXPECT_EQ(visit.url, url);
    Fetched(visit);
    Commit({visit});
    return clock_.Now() - before;
  };
  robots("http://a.org", seconds(9));
  EXPECT_GE(page("http://a.org/1"), seconds(9)) << "the Crawl-delay counts at once";
  robots("https://a.org", seconds(0));
  page("https://a.org/2");
  clock_.Advance(hours(1));
  robots("http://a.org", seconds(0));
  page("http://a.org/3");
}

TEST_F(FrontierTest, PutsAPageBackWhoseRulesTheCallerHasLost) {
  options_.robots = true;
  Open();
  Offer({"http://a.org/1"});
  Visit visit = TakeLater();
  Fetched(visit);
  frontier_->RobotsDone(visit, {.until = clock_.Wall() + hours(1)});
  visit = TakeLater();
  ASSERT_EQ(visit.kind, UrlKind::kPage);
  frontier_->NeedsRobots(visit);
  const auto robots = Take();
  ASSERT_TRUE(robots) << "at once";
  EXPECT_EQ(robots->kind, UrlKind::kRobots);
  Fetched(*robots);
  frontier_->RobotsDone(*robots, {.until = clock_.Wall() + hours(1)});
  EXPECT_EQ(TakeLater().url, "http://a.org/1");
}

TEST_F(FrontierTest, FollowsARobotsTxtThatMovedToAnotherHost) {
  options_.robots = true;
  for (const char* target : {"http://b.org/r", "http://a.org/r", "http://c.org/r"}) {
    SCOPED_TRACE(target);
    if (frontier_ == nullptr) Open();
    const bool known = std::string(target) == "http://c.org/r";
    if (known) Offer({"http://c.org/"});
    Offer({std::string("http://a.org/?") + target});
    std::optional<Visit> page;
    bool moved = false;
    for (int i = 0; i < 10 && !(page && page->host == "a.org"); i++) {
      const Visit visit = TakeLater();
      Fetched(visit);
      if (visit.kind == UrlKind::kPage) {
        page = visit;
        Commit({visit});
      } else if (visit.url == "http://a.org/robots.txt") {
        EXPECT_TRUE(frontier_->RobotsMoved(visit, target).ok());
        moved = true;
      } else {
        if (visit.url == target) {
          EXPECT_EQ(visit.origin, "http://a.org");
          EXPECT_EQ(visit.hops, 1u);
        }
        frontier_->RobotsDone(visit, {.until = clock_.Wall() + seconds(60)});
      }
    }
    EXPECT_TRUE(moved);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->url, std::string("http://a.org/?") + target);
    clock_.Advance(hours(1));
  }
}

TEST_F(FrontierTest, TellsThatAMovedRobotsTxtIsOnAHostThatWasGivenUp) {
  options_.robots = true;
  Open();
  Offer({"http://a.org/1"});
  Visit visit = TakeLater();
  Fetched(visit);
  ASSERT_TRUE(frontier_->RobotsMoved(visit, "http://dead.org/robots.txt").ok());
  // It fails until it is given up; then a.org asks again, and learns of it.
  for (int i = 0; i < 100; i++) {
    visit = TakeLater();
    if (visit.host == "a.org") break;
    Fail(visit, FetchResult::kConnectFailed);
    frontier_->RobotsDone(visit, {});
  }
  EXPECT_EQ(visit.url, "http://a.org/robots.txt");
}

TEST_F(FrontierTest, ByProportionGoesOnWithTheSameHost) {
  options_.politeness.proportion = 0.5;
  options_.politeness.host_delay = {};
  Open();
  Offer({"http://a.org/1", "http://a.org/2", "http://a.org/3"});
  const Visit first = TakeLater();
  const MonotonicTime start = clock_.Now();
  clock_.Advance(milliseconds(600));
  auto after = frontier_->Fetched(first, {.status = 200, .started = start, .ended = clock_.Now()});
  ASSERT_TRUE(after.ok() && after->next);
  EXPECT_EQ(after->next->url, "http://a.org/2");
  const MonotonicTime second = clock_.Now();
  clock_.Advance(milliseconds(600));
  after = frontier_->Fetched(*after->next, {.status = 200, .started = second, .ended = clock_.Now()});
  ASSERT_TRUE(after.ok());
  EXPECT_FALSE(after->next) << "the burst is over";
  const MonotonicTime end = clock_.Now();
  EXPECT_EQ(TakeLater().url, "http://a.org/3");
  EXPECT_GE(clock_.Now() - end, milliseconds(2400));
}

TEST_F(FrontierTest, KeepsToItsBudgets) {
  options_.budget = {.pages = 4, .per_host = 3, .per_directory = 2, .depth = 1, .links_per_page = 5};
  Open();
  Offer({"http://a.org/d/1", "http://a.org/d/2", "http://a.org/d/3", "http://a.org/e/1", "http://a.org/f/1",
         "http://never.org/"});
  Offer({"http://deep.org/"}, 2);
  Offer({"http://b.org/1", "http://b.org/x/2"}, 1);
  Pump();
  EXPECT_EQ(frontier_->Stats().queued_urls, 3u + 2u);
  EXPECT_EQ(frontier_->Stats().over_budget, 1u + 1u + 1u + 1u);
  for (int i = 0; i < 4; i++) {
    const Visit visit = TakeLater();
    Fetched(visit);
    Commit({visit});
  }
  clock_.Advance(hours(1));
  Pump();
  EXPECT_EQ(frontier_->Take()->spent, "max-pages");
}

TEST_F(FrontierTest, ServesBetterClassesFirst) {
  Open();
  Offer({"http://a.org/late"}, 0, 5);
  Offer({"http://a.org/soon"}, 0, 2);
  Offer({"http://a.org/now"}, 0, 0);
  for (const char* url : {"http://a.org/now", "http://a.org/soon", "http://a.org/late"}) {
    const Visit visit = TakeLater();
    EXPECT_EQ(visit.url, url);
    Fetched(visit);
    Commit({visit});
  }
}

TEST_F(FrontierTest, RefusesWhatIsNoCanonicalUrl) {
  Open();
  const UrlRecord record = {.url = "mailto:a@b.org"};
  EXPECT_EQ(frontier_->Offer({&record, 1}).code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace crivello::frontier
