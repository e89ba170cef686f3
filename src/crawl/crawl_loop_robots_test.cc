// SPDX-License-Identifier: Apache-2.0
// What robots.txt and the pages themselves ask for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collection/why.h"
#include "crawl/crawl_loop_test_support.h"

namespace crivello::crawl {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using store::EventKind;
using testing::ElementsAre;
using testing::UnorderedElementsAre;
using Why = CrawlEnd::Why;

TEST_F(CrawlLoopTest, FetchesNothingThatRobotsForbidsAndSaysWhichLineItWas) {
  web_.Set("http://a.test/robots.txt", PlainText("User-agent: *\nDisallow: /private\n"));
  web_.Set("http://a.test/", Html({"/private/1", "/public"}));
  Crawl();
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/", "http://a.test/public"));
  EXPECT_EQ(EventText(*store_, "http://a.test/private/1", EventKind::kRefusedByRobots), "Disallow: /private");
  EXPECT_EQ(crawler_->stats().refused, 1u);
}

TEST_F(CrawlLoopTest, FetchesNoPageWhileRobotsFailsAndBeginsWhenItIsBack) {
  for (const Answer& failure : {Answer{.status = 500}, Answer{.status = 503}, Fault(fetch::Outcome::kTimeout),
                                Fault(fetch::Outcome::kUnreachable)}) {
    const TemporaryFolder folder;
    ScriptedWeb web;
    web.Set("http://a.test/robots.txt", {failure, failure, PlainText("User-agent: *\nDisallow: /no\n")});
    web.Set("http://a.test/", Html({"/no", "/yes"}));
    const auto store = OpenTestStore(folder / "c");
    const auto crawler = Crawler::Open(*store, options_, web.Parts());
    ASSERT_TRUE(crawler.ok());
    ASSERT_TRUE(web.Run(**crawler).ok());
    const auto robots = web.RequestsFor("http://a.test/robots.txt");
    ASSERT_EQ(robots.size(), 3u) << failure.status;
    EXPECT_GE(robots[1].time - robots[0].end, seconds(30));
    EXPECT_GE(robots[2].time - robots[1].end, seconds(60));
    EXPECT_THAT(web.pages(), ElementsAre("http://a.test/", "http://a.test/yes"));
    EXPECT_GE(web.RequestsFor("http://a.test/")[0].time, robots[2].end);
  }
}

TEST_F(CrawlLoopTest, FollowsARobotsThatWasMovedToAnotherHostWithThatHostsPoliteness) {
  web_.Set("http://a.test/robots.txt", RedirectTo("http://b.test/rules"));
  web_.Set("http://b.test/rules", PlainText("User-agent: *\nDisallow: /no\n"));
  web_.Set("http://a.test/", Html({"/no", "/yes"}));
  Crawl();
  EXPECT_THAT(web_.pages(), ElementsAre("http://b.test/rules", "http://a.test/", "http://a.test/yes"));
  EXPECT_THAT(Rows(), UnorderedElementsAre("http://a.test/", "http://a.test/yes"));
}

TEST_F(CrawlLoopTest, KeepsRulesThatWereMovedToAHostOfAnotherTabletWithTheirOwnHost) {
  options_.seeds.clear();
  for (int host = 0; host < 8; ++host) {
    const std::string site = fmt::format("http://h{}.test", host);
    options_.seeds.push_back(site + "/");
    web_.Set(site + "/robots.txt", RedirectTo(fmt::format("http://rules{}.test/rules", host)));
    web_.Set(fmt::format("http://rules{}.test/rules", host), PlainText("User-agent: *\nDisallow: /no\n"));
    web_.Set(site + "/", Html({"/no", "/yes"}, site));
  }
  Open({.tablets = 4});
  EXPECT_EQ(Run().why, Why::kFinished);
  for (int host = 0; host < 8; ++host) {
    const std::string site = fmt::format("http://h{}.test", host);
    EXPECT_EQ(web_.RequestsFor(site + "/robots.txt").size(), 1u) << site;
    EXPECT_EQ(web_.RequestsFor(site + "/yes").size(), 1u) << site;
    EXPECT_EQ(web_.RequestsFor(site + "/no").size(), 0u) << site;
  }
}

TEST_F(CrawlLoopTest, TakesARobotsThatWasMovedToAHostThatIsGivenUpForOneThatFails) {
  options_.seeds = {"http://a.test/", "http://b.test/"};
  options_.politeness.max_failures = 1;
  web_.Set("http://a.test/robots.txt",
           {Answer{.status = 302, .fields = {{"Location", "http://b.test/rules"}}, .latency = minutes(1)},
            PlainText("")});
  web_.Set("http://a.test/", Html({}));
  web_.Set("http://b.test/robots.txt", Fault(fetch::Outcome::kConnectionRefused));
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(Rows(), ElementsAre("http://a.test/"));
  EXPECT_EQ(web_.RequestsFor("http://a.test/robots.txt").size(), 2u);
}

TEST_F(CrawlLoopTest, RefusesThePagesOfAnOriginWithoutRulesIfItsHostHasShownOthers) {
  options_.seeds = {"http://a.test/", "https://a.test/"};
  web_.Set("http://a.test/", Html({}));
  web_.Set("https://a.test/", Html({}, "secure"));
  web_.Set("https://a.test/robots.txt", Fault(fetch::Outcome::kConnectionRefused));
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/"));
  EXPECT_EQ(EventText(*store_, "https://a.test/", EventKind::kRefusedByRobots), "robots.txt is unavailable");
}

TEST_F(CrawlLoopTest, AsksForRobotsAgainWhenADayHasPassed) {
  options_.budget.pages = 1;
  web_.Set("http://a.test/", Html({"/1", "/2"}));
  Crawl();
  crawler_ = nullptr;
  web_.Pass(hours(23));
  Crawl();
  EXPECT_EQ(web_.RequestsFor("http://a.test/robots.txt").size(), 1u);
  crawler_ = nullptr;
  web_.Pass(hours(2));
  Crawl();
  EXPECT_EQ(web_.RequestsFor("http://a.test/robots.txt").size(), 2u);
  EXPECT_EQ(web_.pages().size(), 3u);
}

TEST_F(CrawlLoopTest, AsksForRobotsAgainWhileItRunsAsSoonAsItsCacheControlSays) {
  options_.politeness.host_delay = minutes(30);
  web_.Set("http://a.test/robots.txt",
           {Answer{.body = "User-agent: *\n",
                   .fields = {{"Content-Type", "text/plain"}, {"Cache-Control", "max-age=7200"}}},
            PlainText("User-agent: *\nDisallow: /9\n")});
  std::vector<std::string> links;
  for (int i = 0; i < 10; i++) links.push_back("/" + std::to_string(i));
  web_.Set("http://a.test/", Html(links));
  for (const std::string& link : links) web_.Set("http://a.test" + link, Html({}, link));
  Crawl();
  const auto robots = web_.RequestsFor("http://a.test/robots.txt");
  ASSERT_EQ(robots.size(), 2u);
  EXPECT_GE(robots[1].time - robots[0].end, hours(2));
  EXPECT_LT(robots[1].time - robots[0].end, hours(3));
  EXPECT_EQ(web_.pages().size(), 10u);
  EXPECT_EQ(EventText(*store_, "http://a.test/9", EventKind::kRefusedByRobots), "Disallow: /9");
}

TEST_F(CrawlLoopTest, AResumedCrawlAsksForRobotsAgainAsSoonAsItsCacheControlSays) {
  options_.budget.pages = 1;
  web_.Set("http://a.test/robots.txt",
           Answer{.body = "User-agent: *\n",
                  .fields = {{"Content-Type", "text/plain"}, {"Cache-Control", "no-cache"}}});
  web_.Set("http://a.test/", Html({"/1", "/2"}));
  Crawl();
  crawler_ = nullptr;
  web_.Pass(minutes(5));
  Crawl();
  EXPECT_EQ(web_.RequestsFor("http://a.test/robots.txt").size(), 1u);
  crawler_ = nullptr;
  web_.Pass(minutes(6));
  Crawl();
  EXPECT_EQ(web_.RequestsFor("http://a.test/robots.txt").size(), 2u);
}

TEST_F(CrawlLoopTest, DoesNotFetchAPageAgainOnceItsUnavailableAfterHasPassed) {
  web_.Set("http://a.test/",
           Answer{.body = "<title>sale</title><p>until tomorrow",
                  .fields = {{"X-Robots-Tag", "unavailable_after: 25 Jun 2030 15:00:00 GMT"}}});
  Crawl();
  options_.refresh = true;
  crawler_ = nullptr;
  web_.Pass(hours(24));
  Crawl();
  EXPECT_EQ(web_.RequestsFor("http://a.test/").size(), 2u);
  crawler_ = nullptr;
  web_.Pass(hours(24 * 366 * 8));
  Crawl();
  EXPECT_EQ(web_.RequestsFor("http://a.test/").size(), 2u);
  EXPECT_EQ(EventText(*store_, "http://a.test/", EventKind::kFiltered), "its unavailable_after has passed");
}

TEST_F(CrawlLoopTest, WhyTellsWhatAPageAndItsRobotsAskFor) {
  web_.Set("http://a.test/robots.txt", PlainText("User-agent: *\nContent-Usage: train-ai=n, search=y\n"));
  web_.Set("http://a.test/", Answer{.body = Html({"/plain"}, "asks"),
                                    .fields = {{"Content-Usage", "search=n"},
                                               {"X-Robots-Tag", "unavailable_after: 2001-09-09T01:46:40Z"}}});
  web_.Set("http://a.test/plain", Html({}, "plain"));
  Crawl();
  const auto sentence = [&](const std::string& url, std::string_view kind) {
    const auto reasons = collection::Why(*store_, *web::CanonicalUrl(url));
    EXPECT_TRUE(reasons.ok());
    for (const collection::Reason& reason : *reasons) {
      if (reason.kind == kind) return reason.sentence;
    }
    return std::string();
  };
  EXPECT_EQ(sentence("http://a.test/", "content-usage"),
            "its preferences of use (Content-Usage) are search=n, train-ai=n: its response says search=n, "
            "robots.txt says train-ai=n, search=y");
  EXPECT_EQ(
      sentence("http://a.test/", "unavailable-after"),
      "the page asks not to be shown after 2001-09-09T01:46:40Z (unavailable_after): it is neither shown in "
      "search nor fetched again");
  EXPECT_EQ(sentence("http://a.test/plain", "content-usage"),
            "its preferences of use (Content-Usage) are train-ai=n, search=y, by robots.txt");
  EXPECT_EQ(sentence("http://a.test/plain", "unavailable-after"), "");
}

TEST_F(CrawlLoopTest, FetchesTheSitemapsThatRobotsNamesAndWhatTheyList) {
  web_.Set("http://a.test/robots.txt", PlainText("Sitemap: http://a.test/map.xml\n"));
  web_.Set(
      "http://a.test/map.xml",
      Answer{.body = "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
                     "<url><loc>http://a.test/hidden</loc></url></urlset>",
             .fields = {{"Content-Type", "application/xml"}}});
  web_.Set("http://a.test/", Html({}));
  Crawl();
  EXPECT_THAT(web_.pages(),
              UnorderedElementsAre("http://a.test/", "http://a.test/map.xml", "http://a.test/hidden"));
}

}  // namespace
}  // namespace crivello::crawl
