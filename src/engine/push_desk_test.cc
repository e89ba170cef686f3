// SPDX-License-Identifier: Apache-2.0
// How what strangers tell reaches a crawl.
#include "engine/push_desk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/civil_time.h"
#include "collection/forgotten.h"
#include "crawl/crawl_test_support.h"
#include "engine/push_subscriptions.h"

namespace crivello::engine {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kFeed = "http://a.test/feed";

class PushedCrawlTest : public testing::Test {
 protected:
  PushedCrawlTest() {
    options_.seeds = {"http://a.test/"};
    options_.parsers = 1;
    options_.min_free_bytes = 0;
    options_.memory_bytes = 64 << 20;
    options_.commit_gather = {};
    options_.wait_for_orders = true;
    options_.longest_nap = std::chrono::minutes(1);
    web_.Set("http://a.test/", crawl::Html({"/told"}));
    web_.Set("http://a.test/told", crawl::Html({}, "As it was."));
    store_ = crawl::OpenTestStore(folder_ / "c");
  }
  void Open() {
    auto crawler = crawl::Crawler::Open(*store_, options_, web_.Parts());
    ASSERT_TRUE(crawler.ok()) << crawler.status().ToString();
    crawler_ = *std::move(crawler);
  }
  void RunUntil(Duration time) {
    web_.At(MonotonicTime(time), [this] { crawler_->Stop(/*at_once=*/false); });
    const auto end = web_.Run(*crawler_);
    EXPECT_TRUE(end.ok()) << end.status().ToString();
  }
  feeds::FeedList& list() { return crawl::TabletOfUrl(*store_, kFeed).feeds(); }
  void Put(const feeds::FeedRecord& record) {
    kv::Batch batch;
    list().Put(crawl::KeyOfUrl(kFeed), record, &batch);
    ASSERT_TRUE(list().Write(batch).ok());
  }

  TemporaryFolder folder_;
  crawl::ScriptedWeb web_;
  crawl::CrawlOptions options_;
  std::unique_ptr<collection::Collection> store_;
  std::unique_ptr<crawl::Crawler> crawler_;
};

TEST_F(PushedCrawlTest, WhatASiteAnnouncesTeachesHowFarItIsBelieved) {
  options_.revisits.continuous = true;
  options_.revisits.planner.limits = {.shortest = 1.0 / 24, .longest = 365};
  options_.revisits.planner.share_per_day = 0.2;
  web_.Set("http://a.test/new", crawl::Html({}, "A page that nothing links to."));
  Open();
  const auto index_now = MakeIndexNowCrawl(*store_, *crawler_);
  web_.At(MonotonicTime(hours(6)), [&] {
    web_.Set("http://a.test/told", crawl::Html({}, "As it has become."));
    EXPECT_TRUE(index_now->Hint({"http://a.test/told", "http://a.test/new"}).ok());
  });
  RunUntil(hours(72));
  EXPECT_THAT(web_.RequestsFor("http://a.test/new"), SizeIs(1)) << "one that is not known is fetched";
  EXPECT_LE(web_.RequestsFor("http://a.test/new").front().time, MonotonicTime(hours(6) + seconds(30)));
  EXPECT_GE(web_.RequestsFor("http://a.test/told").size(), 2u) << "one that is known comes earlier";
  std::optional<revisit::HintTrust> trust;
  EXPECT_TRUE(crawl::TabletOfUrl(*store_, kFeed)
                  .schedule()
                  .ForEachBlock([&](const collection::PageSchedule::BlockView& block) {
                    trust = block.schedule.trust[static_cast<size_t>(revisit::HintSource::kIndexNow)];
                    return true;
                  })
                  .ok());
  ASSERT_TRUE(trust);
  EXPECT_GT(trust->precision(), 0.5) << "it was right";
}

TEST_F(PushedCrawlTest, ACrawlThatRevisitsNothingFetchesWhatIsAnnounced) {
  Open();
  const auto index_now = MakeIndexNowCrawl(*store_, *crawler_);
  web_.At(MonotonicTime(hours(6)), [&] { EXPECT_TRUE(index_now->Hint({"http://a.test/told"}).ok()); });
  RunUntil(hours(7));
  EXPECT_THAT(web_.RequestsFor("http://a.test/told"), SizeIs(2));
}

TEST_F(PushedCrawlTest, ADeliveryHasAFeedPolledOnce) {
  web_.Set(kFeed, {crawl::Answer{.body = "<rss version=\"2.0\"><channel><title>T</title><ttl>600</ttl>"
                                         "<item><link>http://a.test/told</link></item></channel></rss>",
                                 .fields = {{"Content-Type", "application/rss+xml"}}}});
  Put({.push = true});
  Open();
  CollectionWebSub websub(*store_, *crawler_, web_.clock());
  int64_t since = 0;
  web_.At(MonotonicTime(hours(2)), [&] { since = ToSeconds(web_.clock().Wall()); });
  // As the desk asks, not in the second of the delivery: polls are dated in seconds.
  web_.At(MonotonicTime(hours(2) + seconds(1)), [&] {
    EXPECT_EQ(*websub.PollSince(kFeed, since), std::nullopt);
    EXPECT_EQ(*websub.PollSince(kFeed, since), std::nullopt) << "it is on its way";
    EXPECT_TRUE(websub.Hint(kFeed).ok());
  });
  web_.At(MonotonicTime(hours(3)), [&] {
    EXPECT_EQ(*websub.PollSince(kFeed, since), std::optional<uint64_t>(0)) << "nothing new";
    EXPECT_EQ(*websub.PollSince("http://a.test/other", since), std::optional<uint64_t>(0))
        << "not in the list";
  });
  RunUntil(hours(4));
  EXPECT_THAT(web_.RequestsFor(kFeed), SizeIs(2));
}

TEST_F(PushedCrawlTest, SubscriptionsAreOfFeedsThatAreToBePushed) {
  Open();
  CollectionWebSub websub(*store_, *crawler_, web_.clock());
  const auto pushed = [&] {
    std::vector<std::string> topics;
    EXPECT_TRUE(
        websub.ForEachFeed([&](const feeds::PushedFeed& feed) { topics.push_back(feed.topic); }).ok());
    return topics;
  };
  Put({.hubs = {"https://hub.example/"}});
  EXPECT_THAT(pushed(), IsEmpty());
  Put({.push = true});
  EXPECT_THAT(pushed(), IsEmpty()) << "it names no hub";
  Put({.hubs = {"https://hub.example/"}, .push = true});
  EXPECT_THAT(pushed(), ElementsAre(kFeed));
  Put({.hubs = {"https://hub.example/"}, .topic = "http://a.test/topic", .push = true});
  EXPECT_THAT(pushed(), ElementsAre("http://a.test/topic"));

  SecureRandom random;
  const std::vector<feeds::Subscription> some = {feeds::Subscription::New(random)};
  const auto stored = [&] {
    std::vector<std::string> urls;
    EXPECT_TRUE(websub
                    .Load([&](std::string url, const std::vector<feeds::Subscription>& all) {
                      EXPECT_EQ(all, some);
                      urls.push_back(std::move(url));
                    })
                    .ok());
    return urls;
  };
  ASSERT_TRUE(websub.Save(kFeed, some).ok());
  EXPECT_THAT(stored(), ElementsAre(kFeed));
  ASSERT_TRUE(websub.Save(kFeed, {}).ok());
  EXPECT_THAT(stored(), IsEmpty());
}

}  // namespace
}  // namespace crivello::engine
