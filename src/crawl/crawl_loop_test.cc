// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "base/atomic_file.h"
#include "base/fault_file_system.h"
#include "base/forwarding_file_system.h"
#include "collection/why.h"
#include "crawl/crawl_test_support.h"
#include "frontier/host_queues.h"
#include "web/url/signature.h"

namespace crivello::crawl {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using store::EventKind;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Why = CrawlEnd::Why;

class CrawlLoopTest : public testing::Test {
 protected:
  CrawlLoopTest() {
    options_.seeds = {"http://a.test/"};
    options_.connections = 16;
    options_.parsers = 1;
    options_.min_free_bytes = 0;
    options_.memory_bytes = 64 << 20;
    options_.commit_gather = {};
  }

  void Open(const TestStoreOptions& store = {}) {
    crawler_ = nullptr;
    store_ = nullptr;
    store_ = OpenTestStore(folder_ / "c", store);
    ASSERT_NE(store_, nullptr);
    auto crawler = Crawler::Open(*store_, options_, web_.Parts());
    ASSERT_TRUE(crawler.ok()) << crawler.status().ToString();
    crawler_ = *std::move(crawler);
  }
  // How the crawl ends, which it is expected to do without an error.
  CrawlEnd Run() {
    const auto end = web_.Run(*crawler_);
    EXPECT_TRUE(end.ok()) << end.status().ToString();
    return end.ok() ? *end : CrawlEnd{.why = Why::kStopped, .detail = end.status().ToString()};
  }
  CrawlEnd Crawl() {
    Open();
    return Run();
  }
  std::vector<std::string> Rows() { return KeysOf(PagesOf(*store_)); }
  static std::vector<std::string> KeysOf(const std::map<std::string, StoredPage>& pages) {
    std::vector<std::string> urls;
    for (const auto& [url, page] : pages) urls.push_back(url);
    return urls;
  }
  // Between the end of each request and the start of the next, of those that `which` is true for.
  template <typename Which>
  std::vector<Duration> PausesWhere(Which which) const {
    std::vector<Duration> pauses;
    std::optional<MonotonicTime> end;
    for (const ScriptedWeb::Request& request : web_.requests()) {
      if (!which(request)) continue;
      if (end) pauses.push_back(request.time - *end);
      end = request.end;
    }
    return pauses;
  }
  std::vector<Duration> PausesOf(const std::string& prefix) const {
    return PausesWhere([&](const ScriptedWeb::Request& request) { return request.url.starts_with(prefix); });
  }

  TemporaryFolder folder_;
  ScriptedWeb web_;
  CrawlOptions options_;
  std::unique_ptr<collection::Collection> store_;
  std::unique_ptr<Crawler> crawler_;
};

// What a repair leaves: rows, a sieve that knows their pages, and no queue.
TEST_F(CrawlLoopTest, OffersTheLinksOfAllPagesAgainIfItIsAskedTo) {
  web_.Set("http://a.test/", Html({"/1", "/2", "http://b.test/"}));
  web_.Set("http://a.test/1", Html({"/3"}, "one"));
  web_.Set("http://a.test/2", Html({}, "two"));
  web_.Set("http://a.test/3", Html({}, "three"));
  options_.budget.pages = 2;
  EXPECT_EQ(Crawl().why, Why::kBudget);
  ASSERT_THAT(Rows(), UnorderedElementsAre("http://a.test/", "http://a.test/1"));
  crawler_ = nullptr;
  kv::Batch batch;
  collection::Tablet& tablet = *store_->tablets()[0];
  const std::vector<kv::FamilyOptions> queues = frontier::HostQueues::Families();
  for (kv::Family family = 0; family < queues.size(); ++family) {
    batch.DeleteRange(family, {}, std::string(40, '\xff'));
  }
  ASSERT_TRUE(tablet.db().Write(batch, {.sync = true}).ok());
  store_ = nullptr;
  // Of URLs that are not rows the sieve knows nothing.
  std::filesystem::remove_all(folder_ / "c/tablets/t-/sieve");
  std::filesystem::remove(folder_ / "c/tablets/t-/commits");
  store_ = OpenTestStore(folder_ / "c");
  for (const char* url : {"http://a.test/", "http://a.test/1"}) {
    const sieve::Key key = {.signature = web::UrlSignature(*web::CanonicalUrl(url)), .bytes = {}};
    ASSERT_TRUE(store_->tablets()[0]->sieve().Offer({&key, 1}).ok());
  }
  ASSERT_TRUE(store_->tablets()[0]->sieve().Sync().ok());
  store_ = nullptr;
  const std::string asked = collection::Collection::OfferAgainPath(folder_ / "c");
  ASSERT_TRUE(WriteFileAtomically(asked, AsBytes("yes")).ok());
  options_.budget.pages = 0;
  const size_t before = web_.pages().size();
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_FALSE(std::filesystem::exists(asked));
  EXPECT_THAT(Rows(), UnorderedElementsAre("http://a.test/", "http://a.test/1", "http://a.test/2",
                                           "http://a.test/3"));
  EXPECT_EQ(web_.pages().size() - before, 2u) << "what has a row is not fetched again";
}

// Order.

TEST_F(CrawlLoopTest, VisitsRobotsFirstAndThenThePagesOfAHostInTheOrderInWhichTheyWereFound) {
  web_.Set("http://a.test/", Html({"/1", "/2"}));
  web_.Set("http://a.test/1", Html({"/3", "/2", "/"}, "one"));
  web_.Set("http://a.test/2", Html({"/1"}, "two"));
  web_.Set("http://a.test/3", Html({}, "three"));
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_EQ(web_.requests().front().url, "http://a.test/robots.txt");
  EXPECT_THAT(web_.pages(),
              ElementsAre("http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/3"));
  EXPECT_THAT(Rows(), UnorderedElementsAre("http://a.test/", "http://a.test/1", "http://a.test/2",
                                           "http://a.test/3"));
  const CrawlStats stats = crawler_->stats();
  EXPECT_EQ(stats.pages, 4u);
  EXPECT_EQ(stats.robots, 1u);
  EXPECT_EQ(stats.under_way, 0u);
  EXPECT_EQ(stats.body_bytes, 0u);
  EXPECT_EQ(EventText(*store_, "http://a.test/3", EventKind::kFound), "http://a.test/1");
}

TEST_F(CrawlLoopTest, MakesTheSameRequestsOfEachHostInEveryRun) {
  options_.scope = policy::ScopeKind::kAny;
  std::map<std::string, std::vector<std::string>> first;
  for (int run = 0; run < 3; ++run) {
    const TemporaryFolder folder;
    ScriptedWeb web;
    web.Set("http://a.test/", Html({"/1", "/2", "http://b.test/", "http://c.test/"}));
    web.Set("http://b.test/", Html({"/1", "http://a.test/3"}, "b"));
    web.Set("http://c.test/", Html({"/1"}, "c"));
    const auto store = OpenTestStore(folder / "c");
    const auto crawler = Crawler::Open(*store, options_, web.Parts());
    ASSERT_TRUE(crawler.ok());
    ASSERT_TRUE(web.Run(**crawler).ok());
    std::map<std::string, std::vector<std::string>> requests;
    for (const auto& request : web.requests()) requests[request.address].push_back(request.url);
    EXPECT_EQ(web.requests().size(), 11u);
    if (run == 0) first = requests;
    EXPECT_EQ(requests, first);
  }
}

// Politeness.

TEST_F(CrawlLoopTest, RestsBetweenRequestsToAHostForItsDelayAndNoLonger) {
  web_.Set("http://a.test/", Html({"/1", "/2", "/3"}));
  Crawl();
  EXPECT_THAT(PausesOf("http://a.test/"), ElementsAre(seconds(4), seconds(4), seconds(4), seconds(4)));
}

TEST_F(CrawlLoopTest, VisitsHostsOfDifferentAddressesAtTheSameTimeAndThoseOfOneAddressInTurns) {
  options_.scope = policy::ScopeKind::kAny;
  options_.seeds = {"http://a.test/", "http://b.test/", "http://c.test/"};
  for (const std::string& seed : options_.seeds) web_.Set(seed, Html({"/1", "/2"}, seed));
  web_.SetAddress("b.test", "192.0.2.99");
  web_.SetAddress("c.test", "192.0.2.99");
  Crawl();
  const auto requests = web_.requests();
  EXPECT_EQ(requests[0].time, requests[1].time);  // a.test, and one of the others
  const auto shared =
      PausesWhere([](const ScriptedWeb::Request& request) { return request.address == "192.0.2.99"; });
  EXPECT_EQ(shared.size(), 7u);
  for (const Duration pause : shared) EXPECT_GE(pause, seconds(1));
  for (const char* host : {"http://a.test/", "http://b.test/", "http://c.test/"}) {
    for (const Duration pause : PausesOf(host)) EXPECT_GE(pause, seconds(4)) << host;
  }
}

TEST_F(CrawlLoopTest, ObeysACrawlDelayThatIsLongerThanOurs) {
  web_.Set("http://a.test/robots.txt", PlainText("User-agent: *\nCrawl-delay: 20\n"));
  web_.Set("http://a.test/", Html({"/1"}));
  Crawl();
  EXPECT_THAT(PausesOf("http://a.test/"), ElementsAre(seconds(20), seconds(20)));
}

TEST_F(CrawlLoopTest, FetchesInBurstsAndRestsInProportionToThem) {
  options_.politeness.proportion = 0.1;
  options_.politeness.host_delay = {};
  std::vector<std::string> links;
  for (int i = 0; i < 20; ++i) links.push_back("/" + std::to_string(i));
  web_.Set("http://a.test/", Html(links));
  Crawl();
  int bursts = 0;
  for (const Duration pause : PausesOf("http://a.test/")) {
    if (pause == Duration::zero()) continue;
    ++bursts;
    EXPECT_GE(pause, milliseconds(900));
  }
  EXPECT_GE(bursts, 2);
  EXPECT_LE(bursts, 8);
}

TEST_F(CrawlLoopTest, GivesAHostTheDelayAndTheFieldsThatAreItsOwn) {
  options_.seeds = {"http://a.test/", "http://b.test/"};
  options_.politeness.host_delay = seconds(4);
  options_.politeness.host_delays = {{"a.test", seconds(1)}};
  options_.host_settings["a.test"].fields = {{"Authorization", "Basic c2VjcmV0"}};
  web_.Set("http://a.test/", Html({"/1", "/2"}));
  web_.Set("http://b.test/", Html({"/1", "/2"}));
  web_.Set("http://a.test/1", RedirectTo("http://b.test/there"));
  Crawl();
  EXPECT_THAT(PausesOf("http://a.test/"), Each(seconds(1)));
  EXPECT_THAT(PausesOf("http://b.test/"), Each(seconds(4)));
  for (const auto& request : web_.requests()) {
    EXPECT_EQ(request.fields.contains("Authorization"), request.url.starts_with("http://a.test/"))
        << request.url;
  }
}

TEST_F(CrawlLoopTest, FetchesTenPagesInARowAndRestsForTheDelay) {
  options_.politeness.burst_requests = 10;
  options_.politeness.host_delay = seconds(4);
  std::vector<std::string> links;
  for (int i = 0; i < 30; ++i) links.push_back("/" + std::to_string(i));
  web_.Set("http://a.test/", Html(links));
  for (const std::string& link : links) web_.Set("http://a.test" + link, Html({}, link));
  Crawl();
  int in_a_row = 1;
  int longest = 1;
  for (const Duration pause : PausesOf("http://a.test/")) {
    EXPECT_TRUE(pause == Duration::zero() || pause == seconds(4)) << pause.count();
    in_a_row = pause == Duration::zero() ? in_a_row + 1 : 1;
    longest = std::max(longest, in_a_row);
  }
  EXPECT_EQ(longest, 10);
  EXPECT_EQ(web_.pages().size(), 31u);
}

TEST_F(CrawlLoopTest, FetchesTheSeedsAndWhereTheyRedirectAndNothingElse) {
  options_.budget.seeds_only = true;
  options_.sitemaps = false;
  options_.seeds = {"http://a.test/", "http://a.test/moved"};
  web_.Set("http://a.test/", Html({"/1", "/2"}));
  web_.Set("http://a.test/moved", RedirectTo("/there"));
  web_.Set("http://a.test/there", Html({"/3"}, "there"));
  Crawl();
  EXPECT_THAT(web_.pages(),
              UnorderedElementsAre("http://a.test/", "http://a.test/moved", "http://a.test/there"));
}

TEST_F(CrawlLoopTest, RestsBeforeItAsksAHostAgainAfterARestart) {
  options_.budget.pages = 1;
  web_.Set("http://a.test/", Html({"/1"}));
  EXPECT_EQ(Crawl().why, Why::kBudget);
  crawler_ = nullptr;
  options_.budget.pages = 0;
  const MonotonicTime opened = web_.clock().Now();
  EXPECT_EQ(Crawl().why, Why::kFinished);
  ASSERT_THAT(web_.pages(), ElementsAre("http://a.test/", "http://a.test/1"));
  EXPECT_GE(web_.requests().back().time - opened, seconds(4));
}

// Retries.

TEST_F(CrawlLoopTest, TriesAFailedPageAgainAfterRestsThatDouble) {
  web_.Set("http://a.test/", {Fault(fetch::Outcome::kConnectTimeout), Fault(fetch::Outcome::kConnectTimeout),
                              Answer{.body = Html({})}});
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(PausesOf("http://a.test/"), ElementsAre(seconds(4), seconds(30), seconds(60)));
  EXPECT_EQ(PagesOf(*store_).at("http://a.test/").status, 200);
  EXPECT_EQ(crawler_->stats().retries, 2u);
  EXPECT_EQ(crawler_->stats().failures, 2u);
  EXPECT_EQ(EventText(*store_, "http://a.test/", EventKind::kFailed), "connect-timeout (as the script says)");
}

TEST_F(CrawlLoopTest, GivesAPageUpAfterItsLastAttemptAndKeepsTheLastAnswer) {
  web_.Set("http://a.test/", Html({"/broken", "/after"}));
  web_.Set("http://a.test/broken", Answer{.status = 500, .body = "sorry"});
  web_.Set("http://a.test/after", Html({}, "after"));
  Crawl();
  EXPECT_EQ(web_.RequestsFor("http://a.test/broken").size(), 4u);
  EXPECT_EQ(PagesOf(*store_).at("http://a.test/broken").status, 500);
  EXPECT_EQ(PagesOf(*store_).at("http://a.test/after").status, 200);
}

TEST_F(CrawlLoopTest, WaitsForAsLongAsAServerAsks) {
  web_.Set("http://a.test/",
           {Answer{.status = 503, .fields = {{"Retry-After", "3600"}}}, Answer{.body = Html({})}});
  Crawl();
  EXPECT_THAT(PausesOf("http://a.test/"), ElementsAre(seconds(4), seconds(3600)));
}

TEST_F(CrawlLoopTest, GivesUpAHostThatNeverAnswers) {
  options_.politeness.max_failures = 3;
  web_.Set("http://a.test/robots.txt", Fault(fetch::Outcome::kConnectionRefused));
  web_.Set("http://a.test/", Html({}));
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_EQ(web_.requests().size(), 3u);
  EXPECT_THAT(Rows(), IsEmpty());
  EXPECT_EQ(crawler_->stats().frontier.given_up, 1u);
}

// Nothing was asked, and to ask again would change nothing; when the operator allows it, the seed is tried.
TEST_F(CrawlLoopTest, OurOwnRefusalIsFinalUntilTheNextRun) {
  web_.Set("http://a.test/robots.txt", {Fault(fetch::Outcome::kAddressRefused), Answer{.status = 404}});
  web_.Set("http://a.test/", Html({}));
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_EQ(web_.requests().size(), 1u);
  EXPECT_EQ(crawler_->stats().failures, 0u);
  EXPECT_EQ(crawler_->stats().retries, 0u);
  EXPECT_TRUE(crawler_->stats().seeds.none_fetched());
  ASSERT_EQ(crawler_->SeedTroubles(10).size(), 1u);
  EXPECT_EQ(crawler_->SeedTroubles(10)[0].reason, "address-refused: as the script says");
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(Rows(), ElementsAre("http://a.test/"));
  EXPECT_FALSE(crawler_->stats().seeds.none_fetched());
}

TEST_F(CrawlLoopTest, SaysWhyASeedWasNotFetched) {
  web_.FailToResolve("a.test", 1);
  web_.Set("http://a.test/", Answer{.status = 404, .body = "no"});
  Crawl();
  EXPECT_EQ(crawler_->stats().seeds.failed, 1u);
  ASSERT_EQ(crawler_->SeedTroubles(10).size(), 1u);
  EXPECT_EQ(crawler_->SeedTroubles(10)[0].url, "http://a.test/");
  EXPECT_EQ(crawler_->SeedTroubles(10)[0].reason, "the server answered 404");
}

TEST_F(CrawlLoopTest, ResolvesANameAgainAfterAFailureAndGivesUpOneThatDoesNotExist) {
  options_.scope = policy::ScopeKind::kAny;
  web_.Set("http://a.test/", Html({"http://nowhere.test/"}));
  web_.FailToResolve("a.test", 2);
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_EQ(web_.lookups("a.test"), 3u);
  EXPECT_GE(web_.requests().front().time.time_since_epoch(), seconds(30 + 60));
  EXPECT_EQ(web_.lookups("nowhere.test"), 1u);
  EXPECT_THAT(Rows(), ElementsAre("http://a.test/"));
}

// Robots.

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

// What is wanted.

TEST_F(CrawlLoopTest, FollowsRedirectsHopByHopAndVisitsATargetOnce) {
  web_.Set("http://a.test/", RedirectTo("/1"));
  web_.Set("http://a.test/1", RedirectTo("/2", 302));
  web_.Set("http://a.test/2", Html({"/1", "/loop"}));
  web_.Set("http://a.test/loop", RedirectTo("/loop"));
  Crawl();
  EXPECT_THAT(web_.pages(),
              ElementsAre("http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/loop"));
  const auto pages = PagesOf(*store_);
  EXPECT_EQ(pages.at("http://a.test/").status, 301);
  EXPECT_EQ(pages.at("http://a.test/").location, "http://a.test/1");
  EXPECT_EQ(pages.at("http://a.test/1").status, 302);
  EXPECT_EQ(pages.at("http://a.test/2").status, 200);
}

TEST_F(CrawlLoopTest, LeavesEndlessWebs) {
  std::vector<std::string> links;
  for (int i = 0; i < 60; ++i) links.push_back("/list?p" + std::to_string(i) + "=1");
  web_.Set("http://a.test/", Html(links));
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_EQ(web_.pages().size(), 1u + 48u);
  EXPECT_EQ(EventText(*store_, "http://a.test/list?p59=1", EventKind::kTrap), "facets");
}

TEST_F(CrawlLoopTest, FetchesOnlyWhatScopeAndFiltersLetThroughAlsoWhenTheyChangeWhileUrlsAreQueued) {
  options_.scope = policy::ScopeKind::kAny;
  options_.budget.pages = 1;
  web_.Set("http://a.test/", Html({"/zip", "/page", "http://b.test/"}));
  web_.Set("http://b.test/", Html({}, "b"));
  EXPECT_EQ(Crawl().why, Why::kBudget);
  crawler_ = nullptr;
  options_.budget.pages = 0;
  options_.scope = policy::ScopeKind::kHost;
  ASSERT_TRUE(options_.filters.Add("fetch=not path_starts_with(/zip)").ok());
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/", "http://a.test/page"));
  EXPECT_EQ(EventText(*store_, "http://b.test/", EventKind::kFiltered), "out of scope");
  EXPECT_EQ(EventText(*store_, "http://a.test/zip", EventKind::kFiltered), "path_starts_with(/zip)");
  EXPECT_EQ(crawler_->stats().filtered, 2u);
}

TEST_F(CrawlLoopTest, FetchesNothingThatIsToBeForgottenNotEvenItsRules) {
  options_.seeds = {"http://a.test/", "http://b.test/"};
  web_.Set("http://a.test/", Html({"/secret", "/page"}));
  web_.Set("http://b.test/", Html({}));
  Open();
  ASSERT_TRUE(store_->forgotten()
                  .Replace({{.target = *collection::ForgetTarget::Parse("http://a.test/secret")},
                            {.target = *collection::ForgetTarget::Parse("b.test")}})
                  .ok());
  EXPECT_EQ(Run().why, Why::kFinished);
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/", "http://a.test/page"));
  EXPECT_THAT(web_.RequestsFor("http://b.test/robots.txt"), IsEmpty());
  EXPECT_THAT(EventsOf(*store_, "http://a.test/secret"), IsEmpty());
}

TEST_F(CrawlLoopTest, KeepsTheBodyOfDuplicatesOnceAndSendsCookiesBack) {
  web_.Set("http://a.test/", Answer{.body = Html({"/1", "/2"}), .fields = {{"Set-Cookie", "id=7"}}});
  web_.Set("http://a.test/1", Html({}, "the same"));
  web_.Set("http://a.test/2", Html({}, "the same"));
  Crawl();
  EXPECT_EQ(crawler_->stats().revisits, 1u);
  EXPECT_EQ(EventText(*store_, "http://a.test/2", EventKind::kDuplicateOf), "http://a.test/1");
  EXPECT_EQ(web_.RequestsFor("http://a.test/1")[0].fields.at("Cookie"), "id=7");
  EXPECT_TRUE(web_.RequestsFor("http://a.test/robots.txt")[0].fields.empty());
}

TEST_F(CrawlLoopTest, AsksForASeedAgainOnlyIfItHasChanged) {
  web_.Set("http://a.test/",
           {Answer{.body = Html({"/1"}), .fields = {{"ETag", "\"v1\""}}}, Answer{.status = 304}});
  Crawl();
  crawler_ = nullptr;
  options_.refresh = true;
  EXPECT_EQ(Crawl().why, Why::kFinished);
  const auto asked = web_.RequestsFor("http://a.test/");
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_TRUE(asked[0].fields.empty());
  EXPECT_EQ(asked[1].fields.at("If-None-Match"), "\"v1\"");
  EXPECT_EQ(web_.RequestsFor("http://a.test/1").size(), 1u);
  EXPECT_EQ(PagesOf(*store_).at("http://a.test/").status, 200);
  EXPECT_EQ(PagesOf(*store_).at("http://a.test/").versions, 1u);
}

// Ends.

TEST_F(CrawlLoopTest, EndsWhenABudgetIsSpentAndResumesWhereItWas) {
  web_.Set("http://a.test/", Html({"/1", "/2", "/3"}));
  options_.budget.pages = 2;
  const CrawlEnd end = Crawl();
  EXPECT_EQ(end.why, Why::kBudget);
  EXPECT_EQ(end.detail, "max-pages");
  EXPECT_EQ(web_.pages().size(), 2u);
  crawler_ = nullptr;
  options_.budget = {.time = seconds(6)};
  EXPECT_EQ(Crawl().detail, "max-time");
  crawler_ = nullptr;
  options_.budget = {};
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(web_.pages(),
              ElementsAre("http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/3"));
}

TEST_F(CrawlLoopTest, CommitsWhatIsUnderWayWhenItIsStoppedInOrder) {
  web_.Set("http://a.test/", Html({"/1"}));
  web_.On("http://a.test/", [&] { crawler_->Stop(/*at_once=*/false); });
  EXPECT_EQ(Crawl().why, Why::kStopped);
  EXPECT_THAT(Rows(), ElementsAre("http://a.test/"));
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/"));
  web_.On("http://a.test/", nullptr);
  crawler_ = nullptr;
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/", "http://a.test/1"));
}

TEST_F(CrawlLoopTest, FetchesAgainWhatWasCutOffWhenItWasStoppedAtOnce) {
  web_.Set("http://a.test/", Answer{.body = Html({}), .latency = hours(1)});
  web_.On("http://a.test/", [&] { crawler_->Stop(/*at_once=*/true); });
  EXPECT_EQ(Crawl().why, Why::kStopped);
  EXPECT_LT(web_.clock().Now().time_since_epoch(), minutes(1));  // nobody waited for the answer
  EXPECT_THAT(Rows(), IsEmpty());
  EXPECT_EQ(crawler_->stats().outcomes[static_cast<size_t>(fetch::Outcome::kCancelled)], 1u);
  web_.On("http://a.test/", nullptr);
  crawler_ = nullptr;
  EXPECT_EQ(Crawl().why, Why::kFinished);
  EXPECT_THAT(web_.pages(), ElementsAre("http://a.test/", "http://a.test/"));
  EXPECT_THAT(Rows(), ElementsAre("http://a.test/"));
}

TEST_F(CrawlLoopTest, FetchesNothingWhenTheDiskHasTooLittleRoom) {
  web_.Set("http://a.test/", Html({}));
  options_.min_free_bytes = UINT64_MAX;
  EXPECT_EQ(Crawl().why, Why::kDiskFull);
  EXPECT_THAT(web_.requests(), IsEmpty());
}

TEST_F(CrawlLoopTest, FetchesNothingWhileTheBacklogIsFull) {
  class UntilTen final : public Backlog {
   public:
    explicit UntilTen(const Clock& clock) : clock_(clock) {}
    bool Full() const override { return clock_.Now() < MonotonicTime(minutes(10)); }

   private:
    const Clock& clock_;
  };
  const UntilTen backlog(web_.clock());
  options_.backlog = &backlog;
  web_.Set("http://a.test/", Html({}));
  EXPECT_EQ(Crawl().why, Why::kFinished);
  const Duration first = web_.requests().front().time.time_since_epoch();
  EXPECT_GE(first, minutes(10));
  EXPECT_LE(first, minutes(10) + milliseconds(100));
}

// Lets the first sync of an archive wait until it is released.
class SlowArchive final : public ForwardingFileSystem {
 public:
  Result<std::unique_ptr<AppendFile>> OpenForAppend(const std::string& path, AppendOptions options) override {
    CRV_ASSIGN(auto file, ForwardingFileSystem::OpenForAppend(path, options));
    if (path.find("/archive/") == path.npos) return file;
    return std::unique_ptr<AppendFile>(std::make_unique<File>(*this, std::move(file)));
  }
  void Release() {
    const std::lock_guard lock(mu_);
    released_ = true;
    changed_.notify_all();
  }

 private:
  class File final : public AppendFile {
   public:
    File(SlowArchive& fs, std::unique_ptr<AppendFile> file) : fs_(fs), file_(std::move(file)) {}
    Status Append(Bytes bytes) override { return file_->Append(bytes); }
    Status Sync() override {
      std::unique_lock lock(fs_.mu_);
      fs_.changed_.wait(lock, [this] { return fs_.released_; });
      return file_->Sync();
    }

   private:
    SlowArchive& fs_;
    const std::unique_ptr<AppendFile> file_;
  };
  std::mutex mu_;
  std::condition_variable changed_;
  bool released_ = false;
};

TEST_F(CrawlLoopTest, TakesNoMorePagesThanTheMemoryHoldsUntilSomeAreCommitted) {
  options_.scope = policy::ScopeKind::kAny;
  options_.connections = 4;
  options_.memory_bytes = 8 << 20;  // of which bodies may take a quarter
  options_.archive_robots = false;  // nothing is written to the archive before a page
  options_.seeds.clear();
  for (int i = 0; i < 8; ++i) {
    const std::string seed = "http://h" + std::to_string(i) + ".test/";
    options_.seeds.push_back(seed);
    web_.Set(seed, Answer{.body = Html({}, std::string(900'000, 'x') + std::to_string(i))});
  }
  SlowArchive slow;
  std::vector<std::string> pages;
  CrawlStats stats;
  web_.WaitForNoPage();
  // Time does not wait for pages here, so it looks again while there are fewer than there will be.
  const std::function<void()> look = [&] {
    const bool enough = pages.size() >= 6 || web_.clock().Now() > MonotonicTime(hours(2));
    pages = web_.pages();
    stats = crawler_->stats();
    if (enough) {
      slow.Release();
    } else {
      web_.At(web_.clock().Now() + minutes(1), look);
    }
  };
  web_.At(MonotonicTime(minutes(1)), look);
  Open({.memory_bytes = options_.memory_bytes, .fs = &slow});
  EXPECT_EQ(Run().why, Why::kFinished);
  // Four at first, and one more after each of the first two answers; the third filled the memory.
  EXPECT_EQ(pages.size(), 6u);
  EXPECT_GE(stats.body_bytes, options_.memory_bytes / 4);
  EXPECT_EQ(stats.in_flight, 0u);
  EXPECT_EQ(stats.under_way, 6u);
  EXPECT_EQ(Rows().size(), 8u);
  EXPECT_EQ(crawler_->stats().body_bytes, 0u);
  crawler_ = nullptr;
  store_ = nullptr;  // before the disk that it is on
}

// Disks.

TEST_F(CrawlLoopTest, EndsWithTheErrorOfADiskThatFailsAndLosesNothing) {
  std::vector<std::string> links;
  for (int i = 0; i < 6; ++i) {
    links.push_back("/" + std::to_string(i));
    web_.Set("http://a.test" + links.back(), Html({}, "page " + links.back()));
  }
  web_.Set("http://a.test/", Html(links));
  Crawl();
  const auto expected = PagesOf(*store_);
  ASSERT_EQ(expected.size(), 7u);
  int failed = 0;
  for (uint64_t nth = 60; nth < 400; nth += 17) {
    crawler_ = nullptr;
    store_ = nullptr;
    std::filesystem::remove_all(folder_ / "c");
    FaultFileSystem disk({.fail_at = nth, .tear = true});
    {
      auto store = TryOpenTestStore(folder_ / "c", {.fs = &disk});
      if (!store.ok()) continue;
      auto crawler = Crawler::Open(**store, options_, web_.Parts());
      if (crawler.ok()) {
        const auto end = web_.Run(**crawler);
        if (!end.ok()) {
          ++failed;
          EXPECT_EQ(end.status().code(), StatusCode::kIoError) << end.status().ToString();
        }
      }
    }
    EXPECT_EQ(Crawl().why, Why::kFinished) << nth;
    EXPECT_EQ(PagesOf(*store_), expected) << nth;
  }
  EXPECT_GE(failed, 3);
}

}  // namespace
}  // namespace crivello::crawl
