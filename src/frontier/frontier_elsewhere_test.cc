// SPDX-License-Identifier: Apache-2.0
// A frontier with some tablets in other processes, and with requests that must not be made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontier/frontier_test_support.h"
#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

// The first of two tablets is in this process.
class FrontierElsewhereTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.sync = false;
    options_.wait_for_sieve = true;
    options_.politeness.host_delay = seconds(1);
    stored_ = OpenTestTablets(folder_.path(), 2);
    Open(MonotonicTime::min());
  }
  void Open(MonotonicTime rests_until) {
    frontier_.reset();
    tablets_ = std::make_unique<Tablets>((*stored_)->map(), /*existed=*/false);
    TabletParts parts = (**stored_)[0];
    parts.rests_until = rests_until;
    tablets_->Own(0, parts);
    exchange_ = std::make_unique<LocalExchange>(*tablets_);
    frontier_ = Frontier::Open(*tablets_, *exchange_, clock_, options_).value();
  }
  // The second tablet comes, too.
  void AddSecond() {
    tablets_->Own(1, (**stored_)[1]);
    frontier_->Add(1);
  }
  void Remove(uint32_t tablet) {
    frontier_->Remove(tablet);
    tablets_->Disown(tablet);
  }
  // Makes the visits that can be made within an hour, and commits them.
  std::vector<std::string> VisitAll() {
    std::vector<std::string> urls;
    for (int i = 0; i < 3600; i++) {
      if (const auto visit = Take()) {
        Fetched(*visit);
        if (visit->kind == UrlKind::kRobots) {
          frontier_->RobotsDone(*visit, {.until = clock_.Wall() + hours(24)});
        } else {
          EXPECT_TRUE(Commit(*visit).ok());
        }
        urls.push_back(visit->url);
      }
      clock_.Advance(seconds(1));
    }
    return urls;
  }
  void Offer(const std::vector<std::string>& urls) {
    std::vector<UrlRecord> records;
    for (const std::string& url : urls) records.push_back({.url = url, .found = clock_.Wall()});
    ASSERT_TRUE(frontier_->Offer(records).ok());
    ASSERT_TRUE(frontier_->SyncOffers().ok());
  }
  // A URL of a host in this tablet.
  std::string UrlIn(uint32_t tablet) const {
    for (int i = 0;; i++) {
      const std::string host = "host" + std::to_string(i) + ".test";
      if (tablets_->map().SlotOf(web::HostHash(host)) == tablet) return "http://" + host + "/";
    }
  }
  std::optional<Visit> Take() {
    for (;;) {
      const auto pumped = frontier_->Pump();
      EXPECT_TRUE(pumped.ok()) << pumped.status().ToString();
      for (const auto& host : frontier_->NeedsAddress(100))
        frontier_->Resolved(host, "192.0.2.1", clock_.Wall() + hours(1000));
      if (!pumped->more && pumped->queued == 0 && pumped->woken == 0) break;
    }
    auto taken = frontier_->Take();
    EXPECT_TRUE(taken.ok()) << taken.status().ToString();
    again_ = taken->again;
    return taken->visit;
  }
  void Fetched(const Visit& visit) {
    ASSERT_TRUE(frontier_
                    ->Fetched(visit, {.result = FetchResult::kAnswered,
                                      .status = 200,
                                      .started = clock_.Now(),
                                      .ended = clock_.Now()})
                    .ok());
  }
  Status Commit(const Visit& visit) {
    const auto commit = frontier_->Begin(visit.tablet);
    commit->Done(visit);
    return commit->Write({});
  }

  TemporaryFolder folder_;
  ManualClock clock_{kTestStart};
  FrontierOptions options_;
  std::unique_ptr<StoredTablets> stored_;
  std::unique_ptr<Tablets> tablets_;
  std::unique_ptr<LocalExchange> exchange_;
  std::unique_ptr<Frontier> frontier_;
  std::optional<MonotonicTime> again_;
};

TEST_F(FrontierElsewhereTest, HandsOutTheUrlsOfOtherTablets) {
  const std::string here = UrlIn(0), there = UrlIn(1);
  const UrlRecord records[] = {{.url = there, .depth = 3, .found = clock_.Wall()},
                               {.url = here, .found = clock_.Wall()}};
  std::vector<OutgoingUrl> elsewhere;
  ASSERT_TRUE(frontier_->Offer(records, &elsewhere).ok());
  ASSERT_TRUE(frontier_->SyncOffers().ok());
  ASSERT_EQ(elsewhere.size(), 1u);
  EXPECT_EQ(elsewhere[0].tablet, 1u);
  const auto record = ParseUrlRecord(elsewhere[0].record);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->url, there);
  EXPECT_EQ(record->depth, 3u);
  EXPECT_EQ(elsewhere[0].signature, web::UrlSignature(web::HostHash(SplitUrl(there)->host), there));
  options_.robots = false;
  Open(MonotonicTime::min());
  EXPECT_EQ(Take()->url, here);
  EXPECT_EQ(frontier_->Offer(records).code(), StatusCode::kUnavailable);
}

TEST_F(FrontierElsewhereTest, AVisitThatIsPutBackComesAgainLater) {
  const std::string url = UrlIn(0);
  const UrlRecord records[] = {{.url = url, .found = clock_.Wall()}};
  ASSERT_TRUE(frontier_->Offer(records).ok());
  // First the visit of robots.txt, then that of the page.
  for (const UrlKind kind : {UrlKind::kRobots, UrlKind::kPage}) {
    const auto first = Take();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->kind, kind);
    frontier_->PutBack(*first, {.host = clock_.Now() + milliseconds(300)});
    EXPECT_FALSE(frontier_->Finished());
    EXPECT_FALSE(Take());
    EXPECT_EQ(again_, clock_.Now() + milliseconds(300));
    clock_.Advance(milliseconds(300));
    const auto second = Take();
    ASSERT_TRUE(second);
    EXPECT_EQ(second->kind, kind);
    EXPECT_EQ(second->url, first->url);
    EXPECT_EQ(second->attempt, 1u);
    Fetched(*second);
    if (kind == UrlKind::kRobots) {
      frontier_->RobotsDone(*second, {.until = clock_.Wall() + hours(24)});
      clock_.Advance(seconds(1));
    } else {
      ASSERT_TRUE(Commit(*second).ok());
    }
  }
  EXPECT_FALSE(Take());
  EXPECT_TRUE(frontier_->Finished()) << Standing(*frontier_);
}

TEST_F(FrontierElsewhereTest, NoHostOfAnAddressIsVisitedThatMayNotBeAskedYet) {
  options_.robots = false;
  Open(MonotonicTime::min());
  std::vector<std::string> urls;  // of hosts that share an address
  for (int i = 0; urls.size() < 3; i++) {
    const std::string host = "host" + std::to_string(i) + ".test";
    if (tablets_->map().SlotOf(web::HostHash(host)) == 0) urls.push_back("http://" + host + "/");
  }
  std::vector<UrlRecord> records;
  for (const std::string& url : urls) records.push_back({.url = url, .found = clock_.Wall()});
  ASSERT_TRUE(frontier_->Offer(records).ok());
  const auto first = Take();
  ASSERT_TRUE(first);
  frontier_->PutBack(*first, {.address = clock_.Now() + milliseconds(300)});
  EXPECT_FALSE(Take());
  EXPECT_EQ(again_, clock_.Now() + milliseconds(300));
  clock_.Advance(milliseconds(300));
  EXPECT_TRUE(Take());
}

TEST_F(FrontierElsewhereTest, AfterATakeOverHostsRestForTheirDelaySinceTheRequestsOfTheLastOwner) {
  Open(clock_.Now() + seconds(30));
  const std::string url = UrlIn(0);
  const UrlRecord records[] = {{.url = url, .found = clock_.Wall()}};
  ASSERT_TRUE(frontier_->Offer(records).ok());
  EXPECT_FALSE(Take());
  clock_.Advance(seconds(31) - milliseconds(1));
  EXPECT_FALSE(Take());
  clock_.Advance(milliseconds(1));
  EXPECT_TRUE(Take());
}

TEST_F(FrontierElsewhereTest, AsksAHostOfAnotherProcessForRulesThatWereMovedThere) {
  const std::string url = UrlIn(0);
  const std::string moved = UrlIn(1) + "robots.txt";
  const UrlRecord records[] = {{.url = url, .found = clock_.Wall()}};
  ASSERT_TRUE(frontier_->Offer(records).ok());
  const auto robots = Take();
  ASSERT_TRUE(robots);
  Fetched(*robots);
  ASSERT_TRUE(frontier_->RobotsMoved(*robots, moved).ok());
  clock_.Advance(seconds(2));  // both hosts share an address
  const auto errand = Take();
  ASSERT_TRUE(errand);
  EXPECT_EQ(errand->url, moved);
  EXPECT_EQ(errand->tablet, 0u);  // on behalf of which it is asked
  frontier_->PutBack(*errand, {.host = clock_.Now() + milliseconds(10)});
  clock_.Advance(milliseconds(10));
  const auto again = Take();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->url, moved);
  EXPECT_EQ(again->hops, 1u);
  Fetched(*again);
  frontier_->RobotsDone(*again, {.until = clock_.Wall() + hours(24)});
  clock_.Advance(seconds(2));
  const auto page = Take();
  ASSERT_TRUE(page);
  EXPECT_EQ(page->url, url);
  frontier_->Skipped(*page);
  ASSERT_TRUE(Commit(*page).ok());
}

TEST_F(FrontierElsewhereTest, ATabletComesAndLeavesWithItsUrlsWhileTheOtherIsVisited) {
  options_.robots = false;
  Open(MonotonicTime::min());
  AddSecond();
  const std::string first = UrlIn(0), second = UrlIn(1);
  Offer({first, first + "1", second, second + "1", second + "2"});
  std::vector<Visit> visits;
  for (int i = 0; i < 2; i++) {  // both hosts share an address
    visits.push_back(Take().value());
    Fetched(visits.back());
    ASSERT_TRUE(Commit(visits.back()).ok());
    clock_.Advance(seconds(10));
  }
  EXPECT_NE(visits[0].tablet, visits[1].tablet);
  // One more of the second tablet begins, and is cancelled.
  auto begun = Take().value();
  if (begun.tablet == 0) {
    frontier_->PutBack(begun, {.host = clock_.Now() + seconds(60)});
    begun = Take().value();
  }
  ASSERT_EQ(begun.tablet, 1u);
  frontier_->PutBack(begun, {.cancelled = true});
  Remove(1);
  EXPECT_THAT(VisitAll(), testing::ElementsAre(first + "1"));
  EXPECT_TRUE(frontier_->Finished()) << Standing(*frontier_);
  EXPECT_EQ(frontier_->Stats().awake, 0u);
  EXPECT_EQ(frontier_->Offer(std::vector<UrlRecord>{{.url = second + "3"}}).code(), StatusCode::kUnavailable);
  AddSecond();
  EXPECT_FALSE(frontier_->Finished());
  EXPECT_THAT(VisitAll(), testing::UnorderedElementsAre(second + "1", second + "2"));
  EXPECT_TRUE(frontier_->Finished()) << Standing(*frontier_);
}

TEST_F(FrontierElsewhereTest, ACancelledRequestCostsTheDelayOfItsHost) {
  options_.robots = false;
  Open(MonotonicTime::min());
  Offer({UrlIn(0)});
  const Visit visit = Take().value();
  frontier_->PutBack(visit, {.cancelled = true});
  EXPECT_FALSE(Take());
  clock_.Advance(seconds(1) - milliseconds(1));
  EXPECT_FALSE(Take());
  clock_.Advance(milliseconds(1));
  EXPECT_EQ(Take()->url, visit.url);
}

TEST_F(FrontierElsewhereTest, AHostWhoseRulesWereToComeFromATabletThatLeftAsksAgain) {
  AddSecond();
  const std::string page = UrlIn(0), moved = UrlIn(1) + "robots.txt";
  Offer({page});
  const Visit robots = Take().value();
  Fetched(robots);
  ASSERT_TRUE(frontier_->RobotsMoved(robots, moved).ok());
  clock_.Advance(seconds(2));
  Remove(1);
  EXPECT_THAT(VisitAll(), testing::ElementsAre(page + "robots.txt", page));
  EXPECT_TRUE(frontier_->Finished()) << Standing(*frontier_);
}

TEST_F(FrontierElsewhereTest, NoRulesAreFetchedForAHostWhoseTabletLeft) {
  AddSecond();
  const std::string page = UrlIn(1), moved = UrlIn(0) + "robots.txt";
  Offer({page});
  const Visit robots = Take().value();
  Fetched(robots);
  ASSERT_TRUE(frontier_->RobotsMoved(robots, moved).ok());
  Remove(1);
  EXPECT_THAT(VisitAll(), testing::IsEmpty());
  AddSecond();
  EXPECT_THAT(VisitAll(), testing::ElementsAre(page + "robots.txt", page));
}

// A tablet that another process takes.
class LosableGuard final : public CommitGuard {
 public:
  Status Acknowledge() override { return StillMine(); }
  Status StillMine() override { return lost_ ? Status::Unavailable("lost") : Status::Ok(); }
  bool lost() const override { return seen_; }

  bool lost_ = false;
  bool seen_ = false;
};

TEST_F(FrontierElsewhereTest, ATabletThatWasTakenOverReceivesNothing) {
  LosableGuard guard;
  TabletParts second = (**stored_)[1];
  second.guard = &guard;
  tablets_->Own(1, second);
  frontier_->Add(1);
  Offer({UrlIn(1)});
  const std::string here = UrlIn(0), there = UrlIn(1);
  const std::vector<UrlRecord> more = {{.url = here}, {.url = there}};
  ASSERT_TRUE(frontier_->Offer(more).ok());
  guard.lost_ = true;
  // What was offered may be where nobody looks, whatever becomes of the tablet.
  EXPECT_EQ(frontier_->SyncOffers().code(), StatusCode::kUnavailable);
  EXPECT_EQ(frontier_->SyncOffers().code(), StatusCode::kUnavailable);
  guard.seen_ = true;
  std::vector<OutgoingUrl> elsewhere;
  ASSERT_TRUE(frontier_->Offer(more, &elsewhere).ok());
  ASSERT_EQ(elsewhere.size(), 1u);
  EXPECT_EQ(elsewhere[0].tablet, 1u);
  exchange_->Leave(1);
  Remove(1);
  EXPECT_EQ(frontier_->SyncOffers().code(), StatusCode::kUnavailable);
}

}  // namespace
}  // namespace crivello::frontier
