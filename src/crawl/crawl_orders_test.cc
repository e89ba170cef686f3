// SPDX-License-Identifier: Apache-2.0
// Orders to a crawl that runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "base/fault_file_system.h"
#include "crawl/crawl_test_support.h"

namespace crivello::crawl {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using store::EventKind;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Why = CrawlEnd::Why;

MonotonicTime At(Duration time) { return MonotonicTime(time); }

// A crawl that waits for orders until it is stopped, after a quarter of an hour.
class CrawlOrdersTest : public testing::Test {
 protected:
  CrawlOrdersTest() {
    options_.seeds = {"http://a.test/"};
    options_.connections = 16;
    options_.parsers = 1;
    options_.min_free_bytes = 0;
    options_.memory_bytes = 64 << 20;
    options_.commit_gather = {};
    options_.wait_for_orders = true;
    web_.At(At(minutes(15)), [this] { crawler_->Stop(/*at_once=*/false); });
  }
  void Open(FileSystem* fs = nullptr) {
    crawler_ = nullptr;
    store_ = nullptr;
    store_ = OpenTestStore(folder_ / "c", {.fs = fs});
    ASSERT_NE(store_, nullptr);
    auto crawler = Crawler::Open(*store_, options_, web_.Parts());
    ASSERT_TRUE(crawler.ok()) << crawler.status().ToString();
    crawler_ = *std::move(crawler);
  }
  CrawlEnd Run() {
    const auto end = web_.Run(*crawler_);
    EXPECT_TRUE(end.ok()) << end.status().ToString();
    return end.ok() ? *end : CrawlEnd{.why = Why::kStopped, .detail = end.status().ToString()};
  }
  CrawlEnd Crawl() {
    Open();
    return Run();
  }
  // An order that must be carried out.
  void Must(const Status& status) { EXPECT_TRUE(status.ok()) << status.ToString(); }
  uint64_t QueuedOnDisk() {
    uint64_t items = 0;
    for (collection::Tablet* const tablet : store_->tablets()) items += tablet->queues().counts().items;
    return items;
  }
  Duration TimeOf(const std::string& url, size_t nth = 0) {
    const auto requests = web_.RequestsFor(url);
    EXPECT_GT(requests.size(), nth) << url;
    return requests.size() > nth ? requests[nth].time.time_since_epoch() : Duration();
  }
  // Links from the first page of a.test to so many others.
  void FillHost(int pages) {
    std::vector<std::string> links;
    for (int i = 1; i <= pages; ++i) {
      links.push_back("/" + std::to_string(i));
      web_.Set("http://a.test" + links.back(), Html({}, "page " + links.back()));
    }
    web_.Set("http://a.test/", Html(links));
  }
  std::vector<std::string> PagesOfHost(const std::string& prefix) {
    std::vector<std::string> pages = web_.pages();
    std::erase_if(pages, [&](const std::string& url) { return !url.starts_with(prefix); });
    return pages;
  }
  void ExpectPauses(const std::string& prefix, Duration least) {
    std::optional<MonotonicTime> end;
    for (const ScriptedWeb::Request& request : web_.requests()) {
      if (!request.url.starts_with(prefix)) continue;
      EXPECT_TRUE(!end || request.time - *end >= least) << request.url;
      end = request.end;
    }
  }

  TemporaryFolder folder_;
  ScriptedWeb web_;
  CrawlOptions options_;
  std::unique_ptr<collection::Collection> store_;
  std::unique_ptr<Crawler> crawler_;
};

// Seeds.

TEST_F(CrawlOrdersTest, FetchesSeedsThatAreAddedWhileWhatIsScheduledAndInFlightContinues) {
  FillHost(5);
  web_.Set("http://a.test/2", Answer{.body = Html({}, "slow"), .latency = minutes(2)});
  web_.Set("http://b.test/", Html({"/1"}, "b"));
  web_.Set("http://b.test/1", Html({}, "b1"));
  // While /2 is on its way, and three more pages of a.test are queued.
  web_.On("http://a.test/2",
          [&] { web_.At(web_.clock().Now() + seconds(10), [&] { Must(crawler_->AddSeeds({"b.test"})); }); });
  web_.Set("https://b.test/", Html({"http://b.test/"}, "bs"));
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(PagesOfHost("http://a.test/"),
              ElementsAre("http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/3",
                          "http://a.test/4", "http://a.test/5"));
  EXPECT_EQ(web_.RequestsFor("http://a.test/robots.txt").size(), 1u) << "nothing was begun again";
  for (const char* url : {"http://a.test/2", "http://b.test/1"}) EXPECT_EQ(web_.RequestsFor(url).size(), 1u);
  // The new host was visited while the slow page was on its way.
  const ScriptedWeb::Request slow = web_.RequestsFor("http://a.test/2").at(0);
  EXPECT_GE(TimeOf("https://b.test/"), (slow.time + seconds(10)).time_since_epoch());
  EXPECT_LE(TimeOf("http://b.test/1"), slow.end.time_since_epoch());
  EXPECT_GE(TimeOf("http://a.test/3"), slow.end.time_since_epoch());
  ExpectPauses("http://a.test/", seconds(4));
  EXPECT_THAT(store_->seeds(), ElementsAre("http://a.test/", "https://b.test/"));
}

TEST_F(CrawlOrdersTest, WaitsWhenThereIsNothingToDoAndResumesWithANewSeed) {
  FillHost(1);
  web_.Set("http://b.test/", Html({}, "b"));
  web_.At(At(minutes(5)), [&] {
    ASSERT_TRUE(crawler_->idle().has_value());
    EXPECT_EQ(crawler_->idle()->why, Why::kFinished);
    EXPECT_TRUE(crawler_->WaitUntilIdle(Duration::zero()));
    Must(crawler_->AddSeeds({"http://b.test/"}));
    EXPECT_FALSE(crawler_->idle().has_value());
  });
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_GE(TimeOf("http://b.test/"), minutes(5));
  EXPECT_LE(TimeOf("http://b.test/"), minutes(6));
}

TEST_F(CrawlOrdersTest, TakesNoSeedIfOneIsNotAUrl) {
  FillHost(0);
  web_.At(At(minutes(1)), [&] {
    EXPECT_EQ(crawler_->AddSeeds({"http://b.test/", "mailto:x@y"}).code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(crawler_->Offer({"http://a.test/", "mailto:x@y"}, {}).code(), StatusCode::kInvalidArgument);
  });
  Crawl();
  EXPECT_THAT(store_->seeds(), ElementsAre("http://a.test/"));
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/"));
}

// Offers.

TEST_F(CrawlOrdersTest, FetchesAUrlAgainAtTheTimeThatWasAskedForAndNotBefore) {
  FillHost(1);
  web_.At(At(minutes(2)), [&] {
    Must(crawler_->Offer({"http://a.test/1"}, {.not_before = web_.clock().Wall() + minutes(7)}));
    EXPECT_EQ(crawler_->stats().frontier.scheduled, 1u);
  });
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/", "http://a.test/1", "http://a.test/1"));
  EXPECT_GE(TimeOf("http://a.test/1", 1), minutes(9));
  EXPECT_LE(TimeOf("http://a.test/1", 1), minutes(9) + seconds(10));
  EXPECT_EQ(PagesOf(*store_).at("http://a.test/1").versions, 1u);  // the same bytes: no new version
}

TEST_F(CrawlOrdersTest, ServesWhatIsOfferedBeforeQueuedUrlsOfALaterClass) {
  options_.priority.depth = true;
  FillHost(40);
  web_.On("http://a.test/3", [&] { Must(crawler_->Offer({"http://a.test/new"}, {.priority = 0})); });
  web_.Set("http://a.test/new", Html({}, "new"));
  Crawl();
  const std::vector<std::string> pages = web_.pages();
  const auto place = std::find(pages.begin(), pages.end(), "http://a.test/new") - pages.begin();
  EXPECT_GT(place, 3);
  EXPECT_LE(place, 5) << "it overtakes what was read ahead";
  EXPECT_EQ(pages.size(), 42u);
}

TEST_F(CrawlOrdersTest, FetchesOnceWhatIsOfferedAndLinkedTo) {
  FillHost(3);
  web_.On("http://a.test/", [&] { Must(crawler_->Offer({"http://a.test/new", "http://a.test/2"}, {})); });
  web_.Set("http://a.test/new", Html({"/2", "/new"}, "new"));
  web_.Set("http://a.test/3", Html({"/new"}, "three"));
  Crawl();
  EXPECT_THAT(web_.pages(), UnorderedElementsAre("http://a.test/", "http://a.test/new", "http://a.test/1",
                                                 "http://a.test/2", "http://a.test/3"));
}

TEST_F(CrawlOrdersTest, PassesOverWhatIsOfferedOutOfScopeAndSaysSo) {
  FillHost(0);
  web_.Set("http://b.test/", Html({}, "b"));
  web_.At(At(minutes(1)), [&] { Must(crawler_->Offer({"http://b.test/"}, {})); });
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(web_.RequestsFor("http://b.test/"), IsEmpty());
  EXPECT_EQ(EventText(*store_, "http://b.test/", EventKind::kFiltered), "out of scope");
}

TEST_F(CrawlOrdersTest, RefreshesSeedsByTheSameDoor) {
  FillHost(1);
  options_.wait_for_orders = false;
  EXPECT_EQ(Crawl().why, Why::kFinished);
  crawler_ = nullptr;
  options_.refresh = true;
  Open();
  EXPECT_EQ(crawler_->stats().frontier.scheduled, 1u);
  EXPECT_EQ(Run().why, Why::kFinished);
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/", "http://a.test/1", "http://a.test/"));
}

// Pause and resume.

TEST_F(CrawlOrdersTest, KeepsEveryQueueWhileItIsPausedAndFetchesNothing) {
  options_.seeds = {"http://a.test/", "http://b.test/"};
  FillHost(6);
  web_.Set("http://b.test/", Html({"/1", "/2", "/3"}, "b"));
  uint64_t queued = 0;
  size_t asked = 0;
  // Paused while a page is on its way: it is committed.
  web_.On("http://a.test/2", [&] {
    crawler_->Pause();
    asked = web_.requests().size();
    web_.At(web_.clock().Now() + minutes(1), [&] {
      EXPECT_TRUE(crawler_->WaitUntilIdle(Duration::zero()));
      EXPECT_FALSE(crawler_->idle().has_value()) << "it has something to do";
      queued = crawler_->stats().frontier.queued_urls;
      EXPECT_EQ(queued, QueuedOnDisk());
      EXPECT_GT(queued, 3u);
      EXPECT_EQ(crawler_->stats().under_way, 0u);
      EXPECT_EQ(PagesOf(*store_).count("http://a.test/2"), 1u);
    });
    web_.At(web_.clock().Now() + minutes(8), [&] {
      EXPECT_EQ(crawler_->stats().frontier.queued_urls, queued);
      EXPECT_EQ(web_.requests().size(), asked);
      crawler_->Resume();
    });
  });
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(PagesOfHost("http://a.test/"),
              ElementsAre("http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/3",
                          "http://a.test/4", "http://a.test/5", "http://a.test/6"));
  EXPECT_EQ(PagesOfHost("http://b.test/").size(), 4u);
  EXPECT_EQ(web_.RequestsFor("http://a.test/robots.txt").size(), 1u);
  EXPECT_GE(TimeOf("http://a.test/3"), minutes(8));
  ExpectPauses("http://a.test/", seconds(4));
  ExpectPauses("http://b.test/", seconds(4));
}

TEST_F(CrawlOrdersTest, TakesOrdersWhileItIsPausedAndCarriesThemOutWhenItIsResumed) {
  FillHost(1);
  web_.Set("http://b.test/", Html({}, "b"));
  Open();
  crawler_->Pause();
  web_.At(At(minutes(1)), [&] {
    Must(crawler_->AddSeeds({"http://b.test/"}));
    Must(crawler_->Offer({"http://a.test/1"}, {}));
  });
  web_.At(At(minutes(5)), [&] {
    EXPECT_THAT(web_.requests(), IsEmpty());
    crawler_->Resume();
  });
  EXPECT_EQ(Run().why, Why::kFinished);
  EXPECT_THAT(web_.pages(), UnorderedElementsAre("http://a.test/", "http://a.test/1", "http://b.test/"));
}

TEST_F(CrawlOrdersTest, RestsBetweenBurstsAlsoIfItIsPausedInOne) {
  options_.politeness.proportion = 0.1;
  options_.politeness.host_delay = {};
  FillHost(30);
  web_.On("http://a.test/3", [&] { crawler_->Pause(); });
  web_.At(At(minutes(5)), [&] {
    EXPECT_EQ(web_.pages().back(), "http://a.test/3");
    crawler_->Resume();
  });
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_EQ(web_.pages().size(), 31u);
}

// Exclusions.

TEST_F(CrawlOrdersTest, LeavesOutAnExclusionFromTheMomentItIsSetAndDropsItFromTheQueues) {
  options_.seeds = {"http://a.test/", "http://b.test/"};
  FillHost(9);
  web_.Set("http://b.test/", Html({"/1", "/2", "/3"}, "b"));
  const policy::Exclusion host = *policy::Exclusion::Parse("host", "a.test");
  Result<uint64_t> dropped = uint64_t{0};
  std::thread dropping;
  web_.On("http://a.test/2", [&] {
    Must(crawler_->SetExclusions({host}));
    // It waits for the visit of this host to end.
    dropping = std::thread([&] { dropped = crawler_->Drop(host); });
  });
  EXPECT_EQ(Crawl().why, Why::kFinished);
  dropping.join();
  ASSERT_TRUE(dropped.ok()) << dropped.status().ToString();
  // If that takes long, the crawl passes over some of them meanwhile.
  EXPECT_EQ(*dropped + crawler_->stats().filtered, 7u);
  EXPECT_THAT(PagesOfHost("http://a.test/"),
              ElementsAre("http://a.test/", "http://a.test/1", "http://a.test/2"));
  EXPECT_EQ(PagesOfHost("http://b.test/").size(), 4u);
  EXPECT_EQ(EventText(*store_, "http://a.test/7", EventKind::kFiltered), "host(a.test)");
  EXPECT_EQ(QueuedOnDisk(), 0u);
}

TEST_F(CrawlOrdersTest, LetsInAgainWhatIsNoLongerExcluded) {
  const policy::Exclusion prefix = *policy::Exclusion::Parse("prefix", "http://a.test/no/");
  web_.Set("http://a.test/", Html({"/no/1", "/yes"}));
  web_.Set("http://a.test/no/2", Html({}, "two"));
  web_.Set("http://b.test/", Html({"http://a.test/no/2"}, "b"));
  Open();
  Must(crawler_->SetExclusions({prefix}));
  web_.At(At(minutes(5)), [&] {
    Must(crawler_->SetExclusions({}));
    Must(crawler_->AddSeeds({"http://b.test/"}));
  });
  EXPECT_EQ(Run().why, Why::kFinished);
  EXPECT_THAT(web_.pages(), UnorderedElementsAre("http://a.test/", "http://a.test/yes", "http://b.test/",
                                                 "http://a.test/no/2"));
}

// Limits.

TEST_F(CrawlOrdersTest, FetchesMoreWhenALimitThatWasReachedIsRaised) {
  FillHost(5);
  options_.budget.pages = 2;
  web_.At(At(minutes(5)), [&] {
    ASSERT_TRUE(crawler_->idle().has_value());
    EXPECT_EQ(crawler_->idle()->why, Why::kBudget);
    EXPECT_EQ(crawler_->idle()->detail, "max-pages");
    EXPECT_EQ(web_.pages().size(), 2u);
    frontier::BudgetOptions limits = crawler_->limits();
    EXPECT_EQ(limits.pages, 2u);
    limits.pages = 4;
    crawler_->SetLimits(limits);
    EXPECT_FALSE(crawler_->idle().has_value());
  });
  EXPECT_EQ(Crawl().why, Why::kBudget);
  EXPECT_THAT(web_.pages(),
              ElementsAre("http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/3"));
  EXPECT_GE(TimeOf("http://a.test/2"), minutes(5));
}

TEST_F(CrawlOrdersTest, ObeysALimitThatIsSetWhileItRuns) {
  FillHost(9);
  web_.On("http://a.test/2", [&] { crawler_->SetLimits({.pages = 4}); });
  EXPECT_EQ(Crawl().why, Why::kBudget);
  EXPECT_EQ(web_.pages().size(), 4u);
}

// Crashes.

TEST_F(CrawlOrdersTest, LosesNoOrderWhereverTheProcessIsStopped) {
  options_.scope = policy::ScopeKind::kAny;
  options_.wait_for_orders = false;
  const auto fill = [](ScriptedWeb& web) {
    web.Set("http://a.test/", Html({}, "a"));
    web.Set("http://b.test/", Html({}, "b"));
    web.Set("http://c.test/", Html({}, "c"));
  };
  bool untouched = false;
  int stops = 0;
  for (uint64_t nth = 1; !untouched && nth < 400; ++nth) {
    crawler_ = nullptr;
    store_ = nullptr;
    std::filesystem::remove_all(folder_ / "c");
    FaultFileSystem disk({.fail_at = nth, .only_syncs = true});
    bool ordered = false;
    {
      ScriptedWeb web;
      fill(web);
      const auto store = TryOpenTestStore(folder_ / "c", {.fs = &disk});
      if (!store.ok()) continue;
      const auto crawler = Crawler::Open(**store, options_, web.Parts());
      if (!crawler.ok()) continue;
      web.On("http://a.test/", [&] {
        ordered =
            (*crawler)->AddSeeds({"http://b.test/"}).ok() && (*crawler)->Offer({"http://c.test/"}, {}).ok();
      });
      const bool ran = web.Run(**crawler).ok();
      EXPECT_EQ(ran, disk.failed().empty()) << disk.failed();
    }
    untouched = disk.failed().empty();
    ASSERT_TRUE(disk.DropUnsynced().ok());
    if (!ordered) continue;  // nobody was told that it was
    ++stops;
    ScriptedWeb web;
    fill(web);
    const auto store = OpenTestStore(folder_ / "c");
    const auto crawler = Crawler::Open(*store, options_, web.Parts());
    ASSERT_TRUE(crawler.ok()) << crawler.status().ToString();
    ASSERT_TRUE(web.Run(**crawler).ok());
    const auto pages = PagesOf(*store);
    EXPECT_EQ(pages.size(), 3u) << "stopped before: " << disk.failed();
    for (const auto& [url, page] : pages) EXPECT_EQ(page.versions, 1u) << url << " " << disk.failed();
    if (HasFailure()) return;
  }
  EXPECT_TRUE(untouched);
  EXPECT_GT(stops, 3);
}

}  // namespace
}  // namespace crivello::crawl
