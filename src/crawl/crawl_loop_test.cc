// SPDX-License-Identifier: Apache-2.0
// The order of visits, politeness, retries, and which pages are wanted.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "crawl/crawl_loop_test_support.h"
#include "frontier/host_queues.h"
#include "web/url/signature.h"

namespace crivello::crawl {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using store::EventKind;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Why = CrawlEnd::Why;

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

}  // namespace
}  // namespace crivello::crawl
