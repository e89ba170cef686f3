// SPDX-License-Identifier: Apache-2.0
// Feeds that a crawl polls, on a clock that the test moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/civil_time.h"
#include "crawl/crawl_test_support.h"
#include "feeds/feed_list.h"

namespace crivello::crawl {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kFeedUrl = "http://a.test/feed";

std::string ItemUrl(int i) { return "http://a.test/item" + std::to_string(i); }

// An RSS feed of these items, newest first.
Answer RssFeed(std::vector<int> items, const std::string& etag = {}, int ttl_minutes = 1) {
  std::string body =
      "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News</title>"
      "<link>http://a.test/</link><ttl>" +
      std::to_string(ttl_minutes) + "</ttl>";
  for (const int i : items) body += "<item><title>Item</title><link>" + ItemUrl(i) + "</link></item>";
  Answer answer = {.body = body + "</channel></rss>", .fields = {{"Content-Type", "application/rss+xml"}}};
  if (!etag.empty()) answer.fields.emplace_back("ETag", etag);
  return answer;
}

class FeedVisitsTest : public testing::Test {
 protected:
  FeedVisitsTest() {
    options_.seeds = {"http://a.test/"};
    options_.connections = 16;
    options_.parsers = 1;
    options_.min_free_bytes = 0;
    options_.memory_bytes = 64 << 20;
    options_.commit_gather = {};
    options_.wait_for_orders = true;
    web_.Set("http://a.test/", Html({}, "The first page"));
    for (int i = 1; i <= 9; ++i) web_.Set(ItemUrl(i), Html({}, "The text of item " + std::to_string(i)));
  }
  void StopAt(Duration time) {
    web_.At(MonotonicTime(time), [this] { crawler_->Stop(/*at_once=*/false); });
  }
  void OpenStore() {
    crawler_ = nullptr;
    store_ = nullptr;
    store_ = OpenTestStore(folder_ / "c");
    ASSERT_NE(store_, nullptr);
  }
  void AddFeed(const std::string& url, feeds::FeedRecord record = {}) {
    feeds::FeedList& list = TabletOfUrl(*store_, url).feeds();
    kv::Batch batch;
    list.Put(KeyOfUrl(url), record, &batch);
    ASSERT_TRUE(list.Write(batch).ok());
  }
  void Crawl() {
    auto crawler = Crawler::Open(*store_, options_, web_.Parts());
    ASSERT_TRUE(crawler.ok()) << crawler.status().ToString();
    crawler_ = *std::move(crawler);
    const auto end = web_.Run(*crawler_);
    EXPECT_TRUE(end.ok()) << end.status().ToString();
  }
  std::optional<feeds::FeedRecord> RecordOf(const std::string& url) {
    auto record = TabletOfUrl(*store_, url).feeds().Get(KeyOfUrl(url));
    EXPECT_TRUE(record.ok()) << record.status().ToString();
    return record.ok() ? *std::move(record) : std::nullopt;
  }
  std::vector<std::string> FeedUrls() {
    std::vector<std::string> urls;
    for (collection::Tablet* const tablet : store_->tablets()) {
      const Status status =
          tablet->feeds().ForEach({}, [&](std::string_view key, const feeds::FeedRecord&) -> Result<bool> {
            urls.push_back(UrlOfKey(key));
            return true;
          });
      EXPECT_TRUE(status.ok()) << status.ToString();
    }
    return urls;
  }
  Duration TimeOf(const std::string& url, size_t nth = 0) {
    const auto requests = web_.RequestsFor(url);
    EXPECT_GT(requests.size(), nth) << url;
    return requests.size() > nth ? requests[nth].time.time_since_epoch() : Duration();
  }

  TemporaryFolder folder_;
  ScriptedWeb web_;
  CrawlOptions options_;
  std::unique_ptr<collection::Collection> store_;
  std::unique_ptr<Crawler> crawler_;
};

// The host has 300 other pages in its queue, four seconds apart, all the time.
TEST_F(FeedVisitsTest, ANewItemIsFetchedWithinTheTtlAndAheadOfOtherPages) {
  std::vector<std::string> links;
  for (int i = 0; i < 300; ++i) {
    links.push_back("/page" + std::to_string(i));
    web_.Set("http://a.test" + links.back(), Html({}, "Page " + std::to_string(i)));
  }
  web_.Set("http://a.test/", Html(links));
  web_.Set(kFeedUrl, {RssFeed({2, 1}, "\"1\""), {.status = 304}});
  const Duration published = minutes(10) + seconds(3);
  web_.At(MonotonicTime(published), [&] {
    web_.Set(kFeedUrl, {RssFeed({3, 2, 1}, "\"2\""), {.status = 304}});
  });
  StopAt(minutes(14));
  OpenStore();
  AddFeed(kFeedUrl);
  Crawl();
  // The time to live, then the delay of the host before the feed and before the item, and the requests.
  const Duration host_delay = options_.politeness.host_delay;
  EXPECT_LE(TimeOf(ItemUrl(3)), published + minutes(1) + 2 * host_delay + seconds(1));
  for (int i = 1; i <= 3; ++i) EXPECT_THAT(web_.RequestsFor(ItemUrl(i)), SizeIs(1)) << i;
  EXPECT_GE(TimeOf("http://a.test/page150"), TimeOf(ItemUrl(3))) << "it went ahead of what was queued before";
  EXPECT_EQ(PagesOf(*store_).at(ItemUrl(3)).status, 200);
  // Politely, like any page, and with what the server gave to compare by.
  std::optional<MonotonicTime> end;
  for (const ScriptedWeb::Request& request : web_.requests()) {
    EXPECT_TRUE(!end || request.time - *end >= host_delay) << request.url;
    end = request.end;
  }
  const auto polls = web_.RequestsFor(kFeedUrl);
  ASSERT_GE(polls.size(), 12u);
  for (size_t i = 1; i < polls.size(); ++i) {
    EXPECT_EQ(polls[i].fields.count("If-None-Match"), 1u) << i;
    EXPECT_GE(polls[i].time - polls[i - 1].time, seconds(59)) << i;
  }
  EXPECT_EQ(polls.back().fields.at("If-None-Match"), "\"2\"");
  const auto record = RecordOf(kFeedUrl);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->items, 3u);
  EXPECT_EQ(record->polls, polls.size());
  EXPECT_EQ(record->last_status, 304);
  EXPECT_EQ(crawler_->stats().feed_items, 3u);
}

TEST_F(FeedVisitsTest, APageThatTheCrawlHasIsNotFetchedAgainForAFeed) {
  web_.Set("http://a.test/", Html({ItemUrl(1)}));
  web_.Set(kFeedUrl, RssFeed({2, 1}));
  feeds::FeedRecord later;
  StopAt(minutes(6));
  OpenStore();
  later.next_poll = ToSeconds(web_.clock().Wall()) + 180;
  AddFeed(kFeedUrl, later);
  Crawl();
  EXPECT_GE(TimeOf(kFeedUrl), minutes(3));
  EXPECT_THAT(web_.RequestsFor(ItemUrl(1)), SizeIs(1));
  EXPECT_THAT(web_.RequestsFor(ItemUrl(2)), SizeIs(1));
}

TEST_F(FeedVisitsTest, ARestartLosesNoPollAndFetchesNoItemTwice) {
  web_.Set(kFeedUrl, {RssFeed({2, 1}, "", 10), RssFeed({3, 2, 1}, "", 10)});
  StopAt(minutes(2));
  OpenStore();
  AddFeed(kFeedUrl);
  Crawl();
  EXPECT_THAT(web_.RequestsFor(kFeedUrl), SizeIs(1));
  StopAt(minutes(15));
  OpenStore();
  Crawl();
  const auto polls = web_.RequestsFor(kFeedUrl);
  ASSERT_THAT(polls, SizeIs(2));
  EXPECT_GE(polls[1].time - polls[0].time, minutes(10) - seconds(1));
  EXPECT_LE(polls[1].time - polls[0].time, minutes(10) + seconds(5));
  for (int i = 1; i <= 3; ++i) EXPECT_THAT(web_.RequestsFor(ItemUrl(i)), SizeIs(1)) << i;
}

TEST_F(FeedVisitsTest, FollowsTheFeedsThatPagesNameIfAsked) {
  web_.Set("http://a.test/",
           "<html><head><link rel=alternate type=application/rss+xml href=/feed>"
           "<link rel=alternate type=application/rss+xml href=http://elsewhere.test/feed></head>"
           "<body><p>Words</p></body></html>");
  web_.Set(kFeedUrl, {RssFeed({1}), RssFeed({2, 1})});
  options_.follow_feeds = true;
  StopAt(minutes(3));
  OpenStore();
  Crawl();
  EXPECT_THAT(FeedUrls(), ElementsAre(kFeedUrl)) << "the other host is out of scope";
  EXPECT_GE(web_.RequestsFor(kFeedUrl).size(), 2u);
  EXPECT_THAT(web_.RequestsFor(ItemUrl(2)), SizeIs(1));
  const auto record = RecordOf(kFeedUrl);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->site, "http://a.test/");
  EXPECT_EQ(record->title, "News");
}

TEST_F(FeedVisitsTest, FollowsNoMoreFeedsOfAHostThanTheLimit) {
  std::string html = "<html><head>";
  for (int i = 0; i < 16; ++i) {
    html += "<link rel=alternate type=application/rss+xml href=/feed" + std::to_string(i) + ">";
    web_.Set(std::string(kFeedUrl) + std::to_string(i), RssFeed({}));
  }
  web_.Set("http://a.test/", html + "</head><body>Words</body></html>");
  options_.follow_feeds = true;
  StopAt(minutes(2));
  OpenStore();
  Crawl();
  EXPECT_THAT(FeedUrls(), SizeIs(8));
}

TEST_F(FeedVisitsTest, FindsTheFeedsOfASite) {
  web_.Set(
      "http://a.test/blog",
      "<html><head><link rel=alternate type=application/rss+xml href=/feed></head><body>Words</body></html>");
  web_.Set(kFeedUrl, RssFeed({1}));
  web_.Set("http://a.test/plain", Html({}, "A page that names no feed"));
  web_.Set("http://a.test/rss.xml", RssFeed({2}));
  StopAt(minutes(4));
  OpenStore();
  AddFeed("http://a.test/blog");
  AddFeed("http://a.test/plain");
  Crawl();
  EXPECT_THAT(FeedUrls(), ElementsAre(kFeedUrl, "http://a.test/plain", "http://a.test/rss.xml"));
  EXPECT_THAT(RecordOf("http://a.test/plain")->trouble, HasSubstr("names no feed"));
  EXPECT_EQ(RecordOf("http://a.test/rss.xml")->site, "http://a.test/");
  EXPECT_THAT(web_.RequestsFor(ItemUrl(1)), SizeIs(1));
  EXPECT_THAT(web_.RequestsFor(ItemUrl(2)), SizeIs(1));
}

TEST_F(FeedVisitsTest, RobotsAndScopeHoldForFeedsAndItems) {
  web_.Set("http://a.test/robots.txt", PlainText("User-agent: *\nDisallow: /private\nDisallow: /item2\n"));
  web_.Set("http://a.test/private/feed", RssFeed({1}));
  web_.Set("http://b.test/feed", RssFeed({1}));
  Answer feed = RssFeed({2, 3});
  feed.body.insert(feed.body.find("</channel>"), "<item><link>http://b.test/page</link></item>");
  web_.Set(kFeedUrl, feed);
  web_.Set("http://b.test/page", Html({}, "Another host"));
  StopAt(minutes(4));
  OpenStore();
  for (const char* url : {kFeedUrl, "http://a.test/private/feed", "http://b.test/feed"}) AddFeed(url);
  Crawl();
  for (const std::string& url : {std::string("http://a.test/private/feed"), std::string("http://b.test/feed"),
                                 std::string("http://b.test/page"), ItemUrl(1), ItemUrl(2)}) {
    EXPECT_THAT(web_.RequestsFor(url), IsEmpty()) << url;
  }
  EXPECT_THAT(web_.RequestsFor(ItemUrl(3)), SizeIs(1));
  const auto refused = RecordOf("http://a.test/private/feed");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->failures, 1u);
  EXPECT_THAT(refused->trouble, HasSubstr("/private"));
  EXPECT_GT(refused->next_poll, ToSeconds(web_.clock().Wall()));
  EXPECT_THAT(RecordOf("http://b.test/feed")->trouble, HasSubstr("out of scope"));
}

TEST_F(FeedVisitsTest, TheLimitOfAHostHoldsForItems) {
  options_.budget.per_host = 1;
  web_.Set(kFeedUrl, RssFeed({1}));
  StopAt(minutes(3));
  OpenStore();
  AddFeed(kFeedUrl);
  Crawl();
  EXPECT_THAT(web_.RequestsFor("http://a.test/"), SizeIs(1));
  EXPECT_THAT(web_.RequestsFor(ItemUrl(1)), IsEmpty());
}

TEST_F(FeedVisitsTest, HintedPagesAreVisitedSoonWithinTheRules) {
  std::vector<std::string> links;
  for (int i = 0; i < 200; ++i) {
    links.push_back("/page" + std::to_string(i));
    web_.Set("http://a.test" + links.back(), Html({}, "Page " + std::to_string(i)));
  }
  web_.Set("http://a.test/", Html(links));
  web_.Set("http://a.test/robots.txt", PlainText("User-agent: *\nDisallow: /item9\n"));
  web_.Set("http://b.test/", Html({}, "Out of scope"));
  const std::vector<std::string> urls = {"http://a.test/", ItemUrl(1), ItemUrl(9), "http://b.test/"};
  web_.At(MonotonicTime(minutes(5)), [&] {
    EXPECT_TRUE(crawler_->Wants(ItemUrl(1)));
    EXPECT_FALSE(crawler_->Wants("http://b.test/"));
    EXPECT_TRUE(crawler_->OfferChanged(urls, minutes(10)).ok());
  });
  web_.At(MonotonicTime(minutes(6)), [&] { EXPECT_TRUE(crawler_->OfferChanged(urls, minutes(1)).ok()); });
  web_.At(MonotonicTime(minutes(7)), [&] { EXPECT_TRUE(crawler_->OfferChanged(urls, minutes(10)).ok()); });
  StopAt(minutes(8));
  OpenStore();
  Crawl();
  EXPECT_THAT(web_.RequestsFor("http://a.test/"), SizeIs(2)) << "at 5 minutes it had been fetched too lately";
  EXPECT_LE(TimeOf("http://a.test/", 1), minutes(6) + seconds(15));
  EXPECT_THAT(web_.RequestsFor(ItemUrl(1)), SizeIs(1));
  EXPECT_LE(TimeOf(ItemUrl(1)), minutes(5) + seconds(15));
  EXPECT_THAT(web_.RequestsFor(ItemUrl(9)), IsEmpty());
  EXPECT_THAT(web_.RequestsFor("http://b.test/"), IsEmpty());
}

TEST_F(FeedVisitsTest, AFeedThatIsRemovedWhileItIsFetchedStaysAway) {
  web_.Set(kFeedUrl, RssFeed({1}));
  web_.On(kFeedUrl, [&] {
    feeds::FeedList& list = TabletOfUrl(*store_, kFeedUrl).feeds();
    kv::Batch batch;
    list.Delete(KeyOfUrl(kFeedUrl), &batch);
    ASSERT_TRUE(list.Write(batch).ok());
  });
  StopAt(minutes(3));
  OpenStore();
  AddFeed(kFeedUrl);
  Crawl();
  EXPECT_THAT(FeedUrls(), IsEmpty());
  EXPECT_THAT(web_.RequestsFor(kFeedUrl), SizeIs(1));
}

TEST_F(FeedVisitsTest, GoneAndMovedFeedsLeaveTheirPlace) {
  web_.Set(kFeedUrl, {RssFeed({1}), Answer{.status = 410}});
  web_.Set("http://a.test/old", RedirectTo("http://a.test/new"));
  web_.Set("http://a.test/new", RssFeed({2}));
  web_.Set("http://a.test/away", RedirectTo("http://b.test/feed"));
  StopAt(minutes(3));
  OpenStore();
  AddFeed(kFeedUrl);
  AddFeed("http://a.test/old");
  AddFeed("http://a.test/away");
  Crawl();
  EXPECT_THAT(FeedUrls(), ElementsAre("http://a.test/away", "http://a.test/new"));
  EXPECT_THAT(RecordOf("http://a.test/away")->trouble, HasSubstr("redirects to http://b.test/feed"));
  EXPECT_THAT(web_.RequestsFor(ItemUrl(2)), SizeIs(1));
}

// The agenda of a given-up host loses its URLs; the feed is asked again all the same.
TEST_F(FeedVisitsTest, AFeedOutlivesTheTroublesOfItsHost) {
  std::vector<Answer> answers(8, Fault(fetch::Outcome::kConnectionRefused));
  answers.insert(answers.begin(), RssFeed({1}, "", 60));
  answers.push_back(RssFeed({2, 1}, "", 60));
  web_.Set(kFeedUrl, answers);
  StopAt(hours(48));
  OpenStore();
  AddFeed(kFeedUrl);
  Crawl();
  EXPECT_THAT(web_.RequestsFor(ItemUrl(2)), SizeIs(1));
  EXPECT_EQ(RecordOf(kFeedUrl)->failures, 0u);
}

}  // namespace
}  // namespace crivello::crawl
