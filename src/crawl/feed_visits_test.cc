// SPDX-License-Identifier: Apache-2.0
// Feeds that a crawl polls, on a clock that the test advances.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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

// The clock begins at midnight (UTC).
TEST_F(FeedVisitsTest, AFeedIsLeftAloneInTheHoursAndOnTheDaysThatItSkips) {
  Answer feed = RssFeed({1}, "", 30);
  feed.body.insert(
      feed.body.find("<item>"),
      "<skipHours><hour>2</hour><hour>3</hour></skipHours><skipDays><day>Friday</day></skipDays>");
  web_.Set(kFeedUrl, feed);
  options_.longest_nap = hours(1);
  const int64_t start = ToSeconds(web_.clock().Wall());
  StopAt(hours(8 * 24));
  OpenStore();
  AddFeed(kFeedUrl);
  Crawl();
  std::set<int> hours_asked, days_asked;
  const auto polls = web_.RequestsFor(kFeedUrl);
  for (const ScriptedWeb::Request& poll : polls) {
    const int64_t time = start + poll.time.time_since_epoch() / seconds(1);
    hours_asked.insert(static_cast<int>(CivilFromSeconds(time).hour));
    days_asked.insert(static_cast<int>(WeekdayOf(time)));
  }
  EXPECT_GE(polls.size(), 200u);
  EXPECT_THAT(hours_asked, SizeIs(22));
  EXPECT_THAT(hours_asked, testing::Not(testing::AnyOf(testing::Contains(2), testing::Contains(3))));
  EXPECT_THAT(days_asked, SizeIs(6));
  EXPECT_THAT(days_asked, testing::Not(testing::Contains(5)));
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

// By option only, from what the feed's own server sent, and as the feed wants to be used.
TEST_F(FeedVisitsTest, AnItemWithFullTextAndNoPageBecomesADocument) {
  const auto feed = [](const std::string& text) {
    return Answer{.body = R"({"version":"https://jsonfeed.org/version/1.1","title":"T","items":[)"
                          R"({"id":"1","title":"A note","content_html":"<p>)" +
                          text + R"(</p>"},{"id":"2","url":")" + ItemUrl(2) + R"(","content_html":"x"}]})",
                  .fields = {{"Content-Type", "application/feed+json"}, {"Content-Usage", "train-ai=n"}}};
  };
  const std::string first = "The lighthouse keeper counts the ships that pass in the night.";
  web_.Set(kFeedUrl, {feed(first), feed(first), feed("He counts no ships by day, for then he sleeps.")});
  for (const bool option : {false, true}) {
    options_.feed_items = option;
    options_.longest_nap = hours(1);
    StopAt(option ? hours(2) : minutes(2));
    OpenStore();
    AddFeed(kFeedUrl);
    Crawl();
    const auto pages = PagesOf(*store_);
    std::vector<std::string> items;
    for (const auto& [url, page] : pages) {
      if (url.find("crivello-item=") != std::string::npos) items.push_back(url);
    }
    EXPECT_THAT(pages, testing::Contains(testing::Key(ItemUrl(2))));
    if (!option) {
      EXPECT_THAT(items, IsEmpty());
      continue;
    }
    ASSERT_THAT(items, SizeIs(1));
    EXPECT_THAT(items[0], testing::StartsWith(kFeedUrl));
    EXPECT_THAT(web_.RequestsFor(items[0]), IsEmpty()) << "it is never fetched";
    const auto rows = [this](const std::string& url) {
      return *TabletOfUrl(*store_, url).table().Get(KeyOfUrl(url), {.versions = 100, .text = true});
    };
    const std::vector<store::Row> versions = rows(items[0]);
    ASSERT_THAT(versions, SizeIs(2)) << "a new version when it changes, and only then";
    EXPECT_EQ((*versions[1].text)->title, "A note");
    EXPECT_EQ(versions[1].fetch.id, "1");
    EXPECT_FALSE(versions[0].fetch.usage.empty());
    EXPECT_EQ(versions[0].fetch.usage, rows(kFeedUrl).front().fetch.usage);
    const auto says = [](const store::Row& row, const std::string& words) {
      return std::any_of(
          (*row.text)->blocks.begin(), (*row.text)->blocks.end(),
          [&](const store::TextBlock& block) { return block.text.find(words) != std::string_view::npos; });
    };
    EXPECT_TRUE(says(versions[1], "lighthouse keeper"));
    EXPECT_TRUE(says(versions[0], "by day"));
    EXPECT_EQ(crawler_->stats().feed_documents, 2u);
  }
}

// Entry 1 is said to have changed once, rightly; entry 2 at each poll, and never does.
TEST_F(FeedVisitsTest, WhatAFeedSaysOfKnownPagesIsAHintThatIsJudged) {
  const auto feed = [](int64_t changed_1, int64_t changed_2) {
    std::string body =
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>News</title><id>urn:x</id>"
        "<updated>2026-01-01T00:00:00Z</updated>";
    for (const auto& [i, time] : {std::pair(1, changed_1), std::pair(2, changed_2)}) {
      body += "<entry><id>urn:" + std::to_string(i) + "</id><title>Item</title><link href=\"" + ItemUrl(i) +
              "\"/><updated>" + FormatRfc3339(time) + "</updated></entry>";
    }
    return Answer{.body = body + "</feed>",
                  .fields = {{"Content-Type", "application/atom+xml"}, {"Cache-Control", "max-age=3600"}}};
  };
  options_.revisits.continuous = true;
  options_.revisits.planner.limits = {.shortest = 1.0 / 24, .longest = 30};
  options_.revisits.planner.share_per_day = 4;
  options_.longest_nap = hours(1);
  const int64_t start = ToSeconds(web_.clock().Wall());
  web_.Set("http://a.test/", Html({ItemUrl(1), ItemUrl(2)}));
  web_.Set(kFeedUrl, feed(start, start));
  for (int hour = 1; hour < 36; ++hour) {
    web_.At(MonotonicTime(hours(hour)), [=, this] {
      if (hour == 6) web_.Set(ItemUrl(1), Html({}, "The text of item 1 has become another one."));
      web_.Set(kFeedUrl, feed(hour < 6 ? start : start + 6 * 3600, start + hour * 3600));
    });
  }
  StopAt(hours(36));
  OpenStore();
  AddFeed(kFeedUrl);
  Crawl();
  const auto find = [this](const std::string& url) {
    auto found = TabletOfUrl(*store_, url).schedule().Find(KeyOfUrl(url));
    EXPECT_TRUE(found.ok() && *found) << url;
    return (*found)->page;
  };
  EXPECT_EQ(find(ItemUrl(1)).hints, 0u) << "the hint was taken to a visit";
  std::optional<revisit::HintTrust> trust;
  const Status read = TabletOfUrl(*store_, kFeedUrl)
                          .schedule()
                          .ForEachBlock([&](const collection::PageSchedule::BlockView& block) {
                            trust = block.schedule.trust[static_cast<size_t>(revisit::HintSource::kFeed)];
                            return true;
                          });
  ASSERT_TRUE(read.ok()) << read.ToString();
  ASSERT_TRUE(trust) << "the feed has given hints";
  EXPECT_GT(trust->hints(), 3.0);
  EXPECT_LT(trust->precision(), 0.5) << "most of them were wrong";
}

}  // namespace
}  // namespace crivello::crawl
