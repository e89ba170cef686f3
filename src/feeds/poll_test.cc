// SPDX-License-Identifier: Apache-2.0
#include "feeds/poll.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/civil_time.h"
#include "feeds/feed_test_support.h"
#include "feeds/poll_time.h"

namespace crivello::feeds {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int64_t kMinute = 60;
constexpr int64_t kHour = 3600;

web::Feed FeedOf(std::vector<web::FeedItem> items) {
  web::Feed feed;
  feed.items = std::move(items);
  return feed;
}

TEST(PollTest, PollsByTheTtlAndHandsOnNewItemsOnly) {
  web::Feed feed = FeedOf({Item("1", "https://a.example/1")});
  feed.ttl_minutes = 1;
  PolledFeed polled;
  EXPECT_THAT(polled.Answer(200, &feed).new_urls, ElementsAre("https://a.example/1"));
  EXPECT_EQ(polled.Wait(), kMinute);
  EXPECT_THAT(polled.Answer(200, &feed).new_urls, IsEmpty());
  EXPECT_EQ(polled.Wait(), kMinute);
  feed.items.insert(feed.items.begin(), Item("2", "https://a.example/2#part"));
  EXPECT_THAT(polled.Answer(200, &feed).new_urls, ElementsAre("https://a.example/2"));
  EXPECT_EQ(polled.Wait(), kMinute);
  EXPECT_EQ(polled.record.items, 2u);
  EXPECT_EQ(polled.record.polls, 3u);
  EXPECT_EQ(polled.record.last_new, 1u);
}

TEST(PollTest, UpdatePeriodAndFreshnessMakePollsRarer) {
  web::Feed feed = FeedOf({});
  feed.update_period_s = 3600;
  feed.update_frequency = 2;
  PolledFeed polled;
  polled.Answer(200, &feed);
  EXPECT_EQ(polled.Wait(), 30 * kMinute);
  polled.Answer(200, &feed, "Cache-Control: max-age=7200\r\n\r\n");
  EXPECT_EQ(polled.Wait(), 2 * kHour);
  polled.Answer(304, nullptr,
                "Date: Mon, 02 Mar 2026 13:00:00 GMT\r\nExpires: Mon, 02 Mar 2026 16:00:00 GMT\r\n\r\n");
  EXPECT_EQ(polled.Wait(), 3 * kHour);
  polled.Answer(200, &feed, "Cache-Control: max-age=999999999999\r\n\r\n");
  EXPECT_EQ(polled.Wait(), kLongest);
  polled.Answer(200, &feed, "Cache-Control: no-cache, max-age=7200\r\n\r\n");
  EXPECT_EQ(polled.Wait(), 30 * kMinute);
}

TEST(PollTest, SkipsHoursAndDays) {
  web::Feed feed = FeedOf({});
  feed.ttl_minutes = 60;
  for (size_t hour = 11; hour < 24; ++hour) feed.skip_hours.set(hour);
  for (size_t hour = 0; hour < 6; ++hour) feed.skip_hours.set(hour);
  feed.skip_days.set(2);  // Tuesday
  PolledFeed polled;
  polled.Answer(200, &feed);
  polled.Wait();
  EXPECT_EQ(FormatRfc3339(polled.now()), "2026-03-04T06:00:00Z");
  feed.skip_hours.set();
  polled.Answer(200, &feed);
  EXPECT_EQ(polled.Wait(), kHour) << "a feed that skips every hour is polled all the same";
}

TEST(PollTest, LearnsHowOftenAFeedChanges) {
  // One item every six hours, found at the first poll by the dates of the items.
  web::Feed busy = FeedOf({});
  for (int i = 0; i < 40; ++i) {
    busy.items.push_back(Item("", "https://a.example/" + std::to_string(i)));
    busy.items.back().published.seconds = kMonday - i * 6 * kHour;
  }
  PolledFeed polled;
  polled.Answer(200, &busy);
  const int64_t first = polled.Wait();
  EXPECT_GT(first, 2 * kHour);
  EXPECT_LT(first, 4 * kHour);

  web::Feed silent = FeedOf({});
  PolledFeed other;
  int64_t last = 0;
  for (int i = 0; i < 30; ++i) {
    other.Answer(200, &silent);
    last = other.Wait();
  }
  EXPECT_EQ(last, kLongest);
  // It begins to change at every poll.
  for (int i = 0; i < 400; ++i) {
    silent.items = {Item("", "https://a.example/" + std::to_string(i))};
    other.Answer(200, &silent);
    last = other.Wait();
  }
  EXPECT_LT(last, 2 * kHour);
  EXPECT_GE(last, kLeastLearnt);
}

TEST(PollTest, ALongSilenceStretchesADeclaredInterval) {
  web::Feed feed = FeedOf({Item("", "https://a.example/1")});
  feed.ttl_minutes = 1;
  PolledFeed polled;
  polled.Answer(200, &feed);
  polled.Pass(30 * kSecondsPerDay);
  polled.Answer(304, nullptr);
  EXPECT_EQ(polled.Wait(), 30 * kSecondsPerDay / kSilence);
  feed.items.push_back(Item("", "https://a.example/2"));
  polled.Answer(200, &feed);
  EXPECT_EQ(polled.Wait(), kMinute);
}

TEST(PollTest, FailuresMakePollsRarerAndA410EndsThem) {
  web::Feed feed = FeedOf({});
  feed.ttl_minutes = 60;
  PolledFeed polled;
  polled.Answer(200, &feed, "ETag: \"1\"\r\n\r\n");
  polled.Wait();
  for (int64_t times = 2; times <= 64; times *= 2) {
    EXPECT_FALSE(polled.Answer(times % 4 == 0 ? 500 : 404, nullptr).remove);
    EXPECT_EQ(polled.Wait(), times * kHour);
  }
  EXPECT_EQ(polled.record.trouble, "the server answered 500");
  for (int i = 0; i < 100; ++i) polled.Answer(0, nullptr);
  EXPECT_EQ(polled.record.trouble, "timeout");
  EXPECT_EQ(polled.Wait(), kLongestRest);
  EXPECT_EQ(polled.record.etag, "\"1\"");
  polled.Answer(304, nullptr);
  EXPECT_EQ(polled.record.failures, 0u);
  EXPECT_EQ(polled.Wait(), kHour);
  EXPECT_TRUE(polled.Answer(410, nullptr).remove);
}

TEST(PollTest, ARedirectHandsTheFeedOver) {
  const web::HttpFields none;
  FeedRecord record;
  record.format = web::FeedFormat::kRss;
  PollAnswer answer = {.now = kMonday, .status = 301, .fields = &none, .redirect = "https://b.example/feed"};
  PollOutcome outcome = TakeAnswer(record, answer);
  EXPECT_TRUE(outcome.add_redirect);
  EXPECT_TRUE(outcome.remove);
  answer.status = 302;
  outcome = TakeAnswer(record, answer);
  EXPECT_TRUE(outcome.add_redirect);
  EXPECT_FALSE(outcome.remove);
  EXPECT_GT(outcome.record.next_poll, kMonday);
}

TEST(PollTest, WhatHasNoFeedGoesUnlessAPersonNamedIt) {
  PolledFeed guess;
  guess.record.origin = Origin::kGuess;
  EXPECT_TRUE(guess.Answer(404, nullptr).remove);
  PolledFeed busy;
  busy.record.origin = Origin::kFound;
  EXPECT_FALSE(busy.Answer(503, nullptr).remove);
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(busy.Answer(0, nullptr).remove);
  EXPECT_TRUE(busy.Answer(0, nullptr).remove);
  PolledFeed named;
  EXPECT_FALSE(named.Answer(200, nullptr).remove);
  EXPECT_EQ(named.record.trouble, "the answer is not a feed");
  EXPECT_FALSE(named.record.format);
}

TEST(PollTest, TakesHubsFromTheHeaderThenFromTheFeed) {
  web::Feed feed = FeedOf({});
  feed.hubs = {"https://hub.example/a", "https://hub.example/a", "not a URL",
               "https://hub.example/b", "https://hub.example/c", "https://hub.example/d"};
  feed.self = "https://a.example/feed";
  PolledFeed polled;
  polled.Answer(200, &feed);
  EXPECT_THAT(polled.record.hubs,
              ElementsAre("https://hub.example/a", "https://hub.example/b", "https://hub.example/c"));
  EXPECT_EQ(polled.record.topic, "https://a.example/feed");
  polled.Answer(200, &feed,
                "Link: <https://other.example/>; rel=hub, <https://a.example/2>; rel=self\r\n\r\n");
  EXPECT_THAT(polled.record.hubs, ElementsAre("https://other.example/"));
  EXPECT_EQ(polled.record.topic, "https://a.example/2");
}

TEST(PollTest, CutsTextsBetweenCharacters) {
  web::Feed feed = FeedOf({});
  for (int i = 0; i < 1000; ++i) feed.title.value += "\xe2\x82\xac";
  PolledFeed polled;
  polled.Answer(200, &feed);
  EXPECT_EQ(polled.record.title.size(), 1023u);
}

TEST(PollTest, SaysWhichItemsAreDatedAfterThePollBefore) {
  PolledFeed polled;
  web::Feed feed;
  feed.items = {Item("1", "https://a.example/1"), Item("2", "https://a.example/2"),
                Item("3", "https://a.example/3"), Item("4", "mailto:a@a.example")};
  for (web::FeedItem& item : feed.items) item.published.seconds = polled.now() - 60;
  EXPECT_THAT(polled.Answer(200, &feed).changed, testing::IsEmpty()) << "the first poll says nothing";
  const int64_t first = polled.now();
  polled.Pass(3600);
  feed.items[0].updated.seconds = first + 100;
  feed.items[1].updated.seconds = polled.now() + 100;  // in the future
  feed.items[3].updated.seconds = first + 100;
  feed.items.push_back(feed.items[0]);
  feed.items.back().updated.seconds = first + 200;
  EXPECT_THAT(polled.Answer(200, &feed).changed,
              testing::ElementsAre(ChangedItem{.url = "https://a.example/1", .time = first + 200}));
  polled.Pass(3600);
  EXPECT_EQ(polled.Answer(200, &feed).changed.size(), 1u) << "the other one's time has come";
  polled.Pass(3600);
  EXPECT_THAT(polled.Answer(200, &feed).changed, testing::IsEmpty()) << "each change is told once";
}

// A hub compares topics as texts.
TEST(PollTest, ReadsTopicAndHubsFromHeadersRelativeToTheFeed) {
  web::Url url;
  ASSERT_TRUE(url.Parse("https://a.example/blog/feed"));
  web::Feed feed;
  feed.hubs = {"https://in-feed.example/"};
  feed.self = "https://a.example/in-feed";
  const web::HttpFieldBlock block = web::ParseHttpFields(
      "Link: </hub>; rel=\"hub\", <https://hub.example/?b=2&a=1#x>; rel=hub\r\n"
      "Link: <feed?b=2&a=1&utm_source=x>; rel=\"self\", <ftp://hub.example/>; rel=hub\r\n");
  const PollOutcome outcome =
      TakeAnswer({}, {.now = kMonday, .status = 200, .fields = &block.fields, .feed = &feed, .url = &url});
  EXPECT_EQ(outcome.record.topic, "https://a.example/blog/feed?b=2&a=1&utm_source=x");
  EXPECT_THAT(outcome.record.hubs,
              testing::ElementsAre("https://a.example/hub", "https://hub.example/?b=2&a=1"));
}

}  // namespace
}  // namespace crivello::feeds
