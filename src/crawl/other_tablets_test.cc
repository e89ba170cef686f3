// SPDX-License-Identifier: Apache-2.0
#include "crawl/other_tablets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "base/mutex.h"
#include "crawl/crawl_test_support.h"
#include "web/url/signature.h"

namespace crivello::crawl {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// Says what the crawl told it.
class FakeOthers final : public OtherTablets {
 public:
  bool MayFetch(uint32_t) override { return may_fetch; }
  bool BeginRequest(const std::string&) override {
    if (refusals > 0) {
      refusals--;
      return false;
    }
    begun++;
    return true;
  }
  void EndRequest(const std::string&) override { ended++; }
  bool Full() override { return full; }
  Status Put(uint32_t, std::span<const frontier::OutgoingUrl> urls, kv::Batch*) override {
    for (const frontier::OutgoingUrl& url : urls) {
      const auto record = frontier::ParseUrlRecord(url.record);
      putting.push_back(record ? std::string(record->url) : "?");
    }
    return Status::Ok();
  }
  void Written(uint32_t, bool written) override {
    if (written) put.insert(put.end(), putting.begin(), putting.end());
    putting.clear();
  }
  std::vector<Again> OfferAgain() override { return again; }
  Status OfferedAgain(const Again& one, kv::Batch*) override {
    std::erase_if(again, [&](const Again& other) { return other.from == one.from && other.to == one.to; });
    return Status::Ok();
  }

  std::atomic<bool> may_fetch = true, full = false;
  std::atomic<int> refusals = 0, begun = 0, ended = 0;
  std::vector<std::string> putting, put;  // of the committer
  std::vector<Again> again;
};

// Of two tablets the first is here.
class OtherTabletsTest : public testing::Test {
 protected:
  OtherTabletsTest() {
    collection::CollectionOptions open;
    open.directory = folder_ / "c";
    open.tablets = 2;
    open.sieve = "memory";
    open.work = collection::MemoryPlan::Work::kCrawl;
    open.memory_bytes = 64 << 20;
    open.owns = [](const web::TabletId& id) { return id.Name() == "t-0"; };
    store_ = collection::Collection::Open(open).value();
    home_ = "http://" + HostIn(0) + "/";
    away_ = "http://" + HostIn(1) + "/";
    web_.Set(home_, Html({home_ + "1", away_ + "a"}));
    web_.Set(home_ + "1", Html({home_, away_ + "b"}));
    web_.Set(away_ + "a", Html({}));
  }
  std::string HostIn(uint32_t tablet) const {
    for (int i = 0;; i++) {
      std::string host = "host" + std::to_string(i) + ".test";
      if (store_->SlotOf(host) == tablet) return host;
    }
  }
  std::unique_ptr<Crawler> Open() {
    CrawlOptions options = SeedOf(home_);
    options.scope = policy::ScopeKind::kAny;
    options.others = &others_;
    options.min_free_bytes = 0;
    auto crawler = Crawler::Open(*store_, options, web_.Parts());
    EXPECT_TRUE(crawler.ok()) << crawler.status().ToString();
    return *std::move(crawler);
  }
  void Crawl() {
    const auto crawler = Open();
    const auto end = web_.Run(*crawler);
    ASSERT_TRUE(end.ok()) << end.status().ToString();
    EXPECT_EQ(end->why, CrawlEnd::Why::kFinished);
  }

  TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
  ScriptedWeb web_;
  FakeOthers others_;
  std::string home_, away_;
};

TEST_F(OtherTabletsTest, GetTheLinksThatAreTheirsWithTheRow) {
  Crawl();
  EXPECT_THAT(web_.pages(), UnorderedElementsAre(home_, home_ + "1"));
  EXPECT_THAT(others_.put, UnorderedElementsAre(away_ + "a", away_ + "b"));
}

TEST_F(OtherTabletsTest, ARequestWaitsForTheTurnAtItsAddress) {
  others_.refusals = 5;
  Crawl();
  EXPECT_THAT(web_.pages(), UnorderedElementsAre(home_, home_ + "1"));
  EXPECT_EQ(others_.refusals, 0);
  EXPECT_EQ(others_.begun, 3);  // robots.txt, too
  EXPECT_EQ(others_.ended, 3);
}

TEST_F(OtherTabletsTest, NoRequestIsMadeForATabletThatMayNotFetch) {
  others_.may_fetch = false;
  const MonotonicTime allowed = web_.clock().Now() + seconds(30);
  web_.At(allowed, [&] { others_.may_fetch = true; });
  Crawl();
  ASSERT_EQ(web_.requests().size(), 3u);
  EXPECT_GE(web_.requests().front().time, allowed);
}

TEST_F(OtherTabletsTest, NothingIsFetchedWhileTooMuchWaitsToBeSent) {
  others_.full = true;
  const MonotonicTime sent = web_.clock().Now() + seconds(30);
  web_.At(sent, [&] { others_.full = false; });
  Crawl();
  ASSERT_EQ(web_.requests().size(), 3u);
  EXPECT_GE(web_.requests().front().time, sent);
}

TEST_F(OtherTabletsTest, GetAllLinksAgainIfTheyLostThem) {
  Crawl();
  others_.put.clear();
  others_.again = {{.from = 0, .to = 1}};
  Open();
  EXPECT_THAT(others_.put, UnorderedElementsAre(away_ + "a", away_ + "b"));
  EXPECT_THAT(others_.again, IsEmpty());
}

// A lease that another process takes away.
class LosableLease final : public collection::Lease {
 public:
  LosableLease(std::string directory, std::atomic<bool>& gone)
      : Lease(std::move(directory), 1), gone_(gone) {}
  Status StillMine() override {
    if (!gone_) return Status::Ok();
    lost_ = true;
    return Status::Unavailable("another process has the tablet");
  }
  bool lost() const override { return lost_; }

 private:
  std::atomic<bool>& gone_;
  std::atomic<bool> lost_ = false;
};

// Both tablets are here, opened by somebody else; the first may be lost.
class AttachedTabletsTest : public OtherTabletsTest {
 protected:
  AttachedTabletsTest() {
    const std::string directory = folder_ / "c";
    store_ = nullptr;
    collection::CollectionOptions open;
    open.directory = directory;
    open.work = collection::MemoryPlan::Work::kCrawl;
    open.shared = true;
    store_ = collection::Collection::Open(open).value();
    for (uint32_t slot = 0; slot < 2; slot++) {
      const web::TabletId id = store_->map().id(slot);
      std::unique_ptr<collection::Lease> lease =
          std::make_unique<collection::LocalLease>(collection::Collection::TabletDirectory(directory, id));
      if (slot == 0) lease = std::make_unique<LosableLease>(lease->directory(), gone_);
      tablets_.push_back(collection::Tablet::Open(std::move(lease), id, {.sieve = "memory"}).value());
      store_->Attach(*tablets_.back());
    }
  }
  ~AttachedTabletsTest() override {
    for (const auto& tablet : tablets_) {
      if (store_->tablet(store_->map().Find(tablet->id()).value()) != nullptr) store_->Detach(*tablet);
    }
  }
  std::unique_ptr<Crawler> OpenWith(const std::string& seed) {
    CrawlOptions options = SeedOf(seed);
    options.scope = policy::ScopeKind::kAny;
    options.others = &others_;
    options.min_free_bytes = 0;
    options.wait_for_orders = true;
    return Crawler::Open(*store_, options, web_.Parts()).value();
  }
  // Pages that form a chain, each with a link to the next one.
  std::vector<std::string> Chain(const std::string& site, int length) {
    std::vector<std::string> pages;
    for (int i = 0; i < length; i++) {
      pages.push_back(site + "chain" + std::to_string(i));
      if (i > 0) web_.Set(pages[pages.size() - 2], Html({pages.back()}));
    }
    web_.Set(pages.back(), Html({}));
    return pages;
  }
  std::vector<std::string> PagesBetween(MonotonicTime begin, MonotonicTime end) const {
    std::vector<std::string> urls;
    for (const ScriptedWeb::Request& request : web_.requests()) {
      const bool is_page = !request.url.ends_with("/robots.txt");
      if (is_page && begin <= request.time && request.time < end) urls.push_back(request.url);
    }
    return urls;
  }
  MonotonicTime In(Duration time) { return web_.clock().Now() + time; }

  std::atomic<bool> gone_ = false;
  std::vector<std::unique_ptr<collection::Tablet>> tablets_;
};

TEST_F(AttachedTabletsTest, OneLeavesAndComesBackWhileTheOtherIsCrawled) {
  const std::vector<std::string> first = Chain(home_, 30), second = Chain(away_, 90);
  web_.Set(home_, Html({first.front(), second.front()}));
  const auto crawler = OpenWith(home_);
  const MonotonicTime leaves = In(seconds(60)), comes = In(seconds(200)), end = In(std::chrono::hours(2));
  web_.At(leaves, [&] { EXPECT_TRUE(crawler->Detach({tablets_[0].get()}, Duration::zero()).ok()); });
  web_.At(comes, [&] {
    EXPECT_EQ(store_->tablet(0), nullptr);
    EXPECT_TRUE(crawler->Attach(*tablets_[0], MonotonicTime::min()).ok());
  });
  web_.At(end, [&] { crawler->Stop(/*at_once=*/false); });
  const auto ended = web_.Run(*crawler);
  ASSERT_TRUE(ended.ok()) << ended.status().ToString();
  EXPECT_EQ(ended->why, CrawlEnd::Why::kFinished);
  std::vector<std::string> all = {home_};
  all.insert(all.end(), first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  EXPECT_THAT(web_.pages(), testing::UnorderedElementsAreArray(all));
  EXPECT_EQ(crawler->stats().pages, all.size());
  const std::vector<std::string> meanwhile = PagesBetween(leaves, comes);
  EXPECT_GT(meanwhile.size(), 20u);
  for (const std::string& url : meanwhile) EXPECT_THAT(url, testing::StartsWith(away_));
  EXPECT_FALSE(PagesBetween(comes, end).empty());
}

TEST_F(AttachedTabletsTest, LinksToOneThatLeftGoElsewhere) {
  web_.Set(away_, Html({away_ + "1"}));
  web_.Set(away_ + "1", Answer{.body = Html({home_}), .latency = seconds(40)});
  const auto crawler = OpenWith(away_);
  web_.At(In(seconds(30)), [&] { EXPECT_TRUE(crawler->Detach({tablets_[0].get()}, seconds(1)).ok()); });
  web_.At(In(std::chrono::hours(1)), [&] { crawler->Stop(/*at_once=*/false); });
  ASSERT_TRUE(web_.Run(*crawler).ok());
  EXPECT_THAT(web_.pages(), UnorderedElementsAre(away_, away_ + "1"));
  EXPECT_THAT(others_.put, ElementsAre(home_));
}

TEST_F(AttachedTabletsTest, RequestsOfOneThatLeavesAreCancelledAfterTheLimit) {
  web_.Set(home_, Html({home_ + "slow"}));
  web_.Set(home_ + "slow", Answer{.body = Html({}), .latency = std::chrono::minutes(10)});
  const std::vector<std::string> second = Chain(away_, 50);
  const auto crawler = OpenWith(home_);
  ASSERT_TRUE(crawler->AddSeeds({second.front()}).ok());
  const MonotonicTime leaves = In(seconds(60));
  web_.At(leaves, [&] {
    EXPECT_EQ(web_.RequestsFor(home_ + "slow").size(), 1u);
    EXPECT_TRUE(crawler->Detach({tablets_[0].get()}, Duration::zero()).ok());
    EXPECT_TRUE(crawler->Attach(*tablets_[0], In(seconds(100))).ok());
  });
  web_.At(In(std::chrono::hours(2)), [&] { crawler->Stop(/*at_once=*/false); });
  ASSERT_TRUE(web_.Run(*crawler).ok());
  const auto requests = web_.RequestsFor(home_ + "slow");
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_GE(requests[1].time, leaves + seconds(100));  // its hosts rest
  for (const std::string& url : second) EXPECT_EQ(web_.RequestsFor(url).size(), 1u) << url;
  EXPECT_EQ(crawler->stats().pages, 2 + second.size());
}

TEST_F(AttachedTabletsTest, AreOfferedTheirSeedsWhenTheyCome) {
  store_->Detach(*tablets_[0]);
  const auto crawler = OpenWith(away_);
  ASSERT_TRUE(crawler->AddSeeds({home_}).ok());
  web_.Set(home_, Html({}));
  web_.Set(away_, Html({}));
  const MonotonicTime comes = In(seconds(60));
  web_.At(comes, [&] {
    EXPECT_TRUE(crawler->idle());
    EXPECT_TRUE(crawler->Attach(*tablets_[0], MonotonicTime::min()).ok());
  });
  web_.At(In(std::chrono::hours(1)), [&] { crawler->Stop(/*at_once=*/false); });
  ASSERT_TRUE(web_.Run(*crawler).ok());
  EXPECT_THAT(web_.pages(), ElementsAre(away_, home_));
  EXPECT_GE(web_.RequestsFor(home_).front().time, comes);
}

TEST_F(AttachedTabletsTest, NothingIsAttachedOrDetachedAfterTheEnd) {
  web_.Set(home_, Html({}));
  const auto crawler = OpenWith(home_);
  web_.At(In(seconds(60)), [&] { crawler->Stop(/*at_once=*/false); });
  ASSERT_TRUE(web_.Run(*crawler).ok());
  EXPECT_EQ(crawler->Detach({tablets_[0].get()}, seconds(1)).code(), StatusCode::kUnavailable);
  EXPECT_EQ(store_->tablet(0), tablets_[0].get());
}

// The page would be acknowledged by its own tablet, and its link would be where nobody looks.
TEST_F(AttachedTabletsTest, NoPageIsCommittedWhoseLinksWentToOneThatWasTakenOver) {
  web_.Set(away_, Html({away_ + "1"}));
  web_.Set(away_ + "1", Html({home_}));
  web_.On(away_ + "1", [&] { gone_ = true; });
  auto crawler = OpenWith(away_);
  web_.At(In(std::chrono::hours(1)), [&] { crawler->Stop(/*at_once=*/false); });  // the second crawl
  const auto end = web_.Run(*crawler);
  EXPECT_EQ(end.status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(crawler->stats().pages, 1u);
  EXPECT_THAT(others_.put, IsEmpty());
  // The next crawl passes the link on, even if the tablet is still to be closed.
  crawler = nullptr;
  crawler = OpenWith(away_);
  ASSERT_TRUE(web_.Run(*crawler).ok());
  EXPECT_EQ(web_.RequestsFor(away_ + "1").size(), 2u);
  EXPECT_THAT(others_.put, ElementsAre(home_));
}

TEST_F(AttachedTabletsTest, WhenOneTabletIsLostTheOthersContinue) {
  std::vector<std::string> pages = {away_ + "a"};
  for (int i = 0; i < 5; i++) {
    pages.push_back(away_ + std::to_string(i));
    web_.Set(pages[pages.size() - 2], Html({pages.back()}));
  }
  web_.Set(pages.back(), Html({}));
  web_.Set(home_ + "1", Html({}));  // links are offered before a page is committed
  web_.On(home_ + "1", [&] { gone_ = true; });
  const auto crawler = OpenWith(home_);
  web_.At(In(std::chrono::minutes(10)), [&] { crawler->Stop(/*at_once=*/false); });
  const auto end = web_.Run(*crawler);
  ASSERT_TRUE(end.ok()) << end.status().ToString();
  // The seed was committed before, the page after it was not.
  EXPECT_EQ(crawler->stats().pages, 1 + pages.size());
  for (const std::string& page : pages) EXPECT_EQ(web_.RequestsFor(page).size(), 1u) << page;
  EXPECT_TRUE(tablets_[0]->lost());
  EXPECT_FALSE(tablets_[1]->lost());
  EXPECT_TRUE(tablets_[1]->Close().ok());
}

}  // namespace
}  // namespace crivello::crawl
