// SPDX-License-Identifier: Apache-2.0
// Commands over the HTTP API to a crawl that runs as in `up`, with a web and a clock made by the test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "base/test_support.h"
#include "crawl/crawl_test_support.h"
#include "engine/crawl_supervisor.h"
#include "engine/index_policy.h"
#include "engine/stored_index.h"
#include "search/index_searcher.h"
#include "serve/api/json.h"
#include "serve/service.h"

namespace crivello::engine {
namespace {

using crawl::Html;
using serve::Json;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;

class ApiOrdersTest : public testing::Test {
 protected:
  void SetUp() override {
    store_ = crawl::OpenTestStore(folder_ / "c");
    ASSERT_NE(store_, nullptr);
    options_.seeds = {"http://a.test/"};
    options_.parsers = 1;
    options_.min_free_bytes = 0;
    options_.memory_bytes = 64 << 20;
    options_.commit_gather = {};
    std::vector<std::string> links;
    for (int i = 1; i <= 6; ++i) {
      links.push_back("/" + std::to_string(i));
      web_.Set("http://a.test" + links.back(), Html({}, "page " + links.back()));
    }
    web_.Set("http://a.test/", Html(links));
    web_.Set("http://b.test/", Html({"/1"}, "b"));
    web_.Set("http://b.test/1", Html({}, "b one"));
  }
  void TearDown() override {
    if (supervisor_ == nullptr) return;
    supervisor_->Stop(/*at_once=*/true);
    EXPECT_TRUE(DriveUntil([&] { return supervisor_->WaitUntilEnded(Duration::zero()); }));
  }
  void Start() {
    const auto settings = DefaultIndexSettings();
    ASSERT_TRUE(settings.ok());
    auto searcher = search::IndexSearcher::Create(
        std::make_shared<const index::Snapshot>(std::vector<index::SegmentView>(), 0, settings->analyser));
    ASSERT_TRUE(searcher.ok());
    searcher_ = *std::move(searcher);
    auto supervisor = CrawlSupervisor::Start(*store_, options_, web_.Parts());
    ASSERT_TRUE(supervisor.ok()) << supervisor.status().ToString();
    supervisor_ = *std::move(supervisor);
    serve::ServiceParts parts;
    parts.searcher = searcher_.get();
    parts.index = [] { return serve::IndexStats(); };
    parts.crawl = supervisor_.get();
    service_ = std::make_unique<serve::Service>(std::move(parts));
  }
  bool DriveUntil(const std::function<bool()>& done) { return web_.Drive(supervisor_->crawler(), done); }
  // Runs until there is nothing to do.
  void DriveToTheEnd() {
    EXPECT_TRUE(DriveUntil([&] { return State() == "finished"; })) << Get("/api/v1/crawl").dump();
  }
  Json Answer(const std::string& method, const std::string& path, const std::string& body) {
    const serve::HttpResponse answer = service_->Handle({.method = method,
                                                         .path = path,
                                                         .headers = {{"content-type", "application/json"}},
                                                         .body = body,
                                                         .from_loopback = true});
    EXPECT_EQ(answer.status, 200u) << path << ": " << answer.body;
    return Json::parse(answer.body, nullptr, /*allow_exceptions=*/false);
  }
  Json Get(const std::string& path) { return Answer("GET", path, ""); }
  Json Post(const std::string& path, const std::string& body) { return Answer("POST", path, body); }
  std::string State() { return Get("/api/v1/crawl")["state"].get<std::string>(); }
  std::vector<std::string> PagesOfHost(const std::string& prefix) {
    std::vector<std::string> pages = web_.pages();
    std::erase_if(pages, [&](const std::string& url) { return !url.starts_with(prefix); });
    return pages;
  }

  TemporaryFolder folder_;
  crawl::ScriptedWeb web_;
  crawl::CrawlOptions options_;
  std::unique_ptr<collection::Collection> store_;
  std::unique_ptr<search::IndexSearcher> searcher_;
  std::unique_ptr<CrawlSupervisor> supervisor_;
  std::unique_ptr<serve::Service> service_;
};

TEST_F(ApiOrdersTest, SeedsThatAreAddedAreFetchedWhileWhatIsScheduledAndInFlightContinues) {
  web_.Set("http://a.test/2", crawl::Answer{.body = Html({}, "slow"), .latency = minutes(3)});
  web_.On("http://a.test/2", [&] {
    web_.At(web_.clock().Now() + seconds(9),
            [&] { Post("/api/v1/crawl/seeds", R"({"urls": ["http://b.test/"]})"); });
  });
  Start();
  EXPECT_TRUE(DriveUntil([&] { return PagesOfHost("http://b.test/").size() == 2; }));
  DriveToTheEnd();
  EXPECT_THAT(PagesOfHost("http://a.test/"),
              ElementsAre("http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/3",
                          "http://a.test/4", "http://a.test/5", "http://a.test/6"));
  EXPECT_EQ(web_.RequestsFor("http://a.test/robots.txt").size(), 1u);
  // All of the new host was fetched while the slow page was in flight, and no request was repeated.
  const auto slow = web_.RequestsFor("http://a.test/2").at(0);
  EXPECT_GE(web_.RequestsFor("http://b.test/robots.txt").at(0).time, slow.time + seconds(9));
  EXPECT_LT(web_.RequestsFor("http://b.test/1").at(0).end, slow.end);
}

TEST_F(ApiOrdersTest, PauseAndResumeKeepEveryQueue) {
  Json paused;
  web_.On("http://a.test/2", [&] {
    Post("/api/v1/crawl/pause", "{}");
    web_.At(web_.clock().Now() + minutes(1), [&] { paused = Get("/api/v1/crawl"); });
    web_.At(web_.clock().Now() + minutes(9), [&] {
      EXPECT_EQ(Get("/api/v1/crawl"), paused) << "nothing has changed in eight minutes";
      Post("/api/v1/crawl/resume", "{}");
    });
  });
  Start();
  DriveToTheEnd();
  EXPECT_EQ(paused["state"], "paused");
  EXPECT_EQ(paused["queued"], 4);
  EXPECT_EQ(paused["in_flight"], 0);
  EXPECT_EQ(paused["pages"], 3);
  EXPECT_EQ(web_.pages().size(), 7u);
  EXPECT_EQ(web_.RequestsFor("http://a.test/robots.txt").size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(store_->directory() + "/paused"));
}

TEST_F(ApiOrdersTest, UrlsAndLimitsAreOrderedWhileItRuns) {
  Start();
  Post("/api/v1/crawl/limits", R"({"max_pages": 3})");
  DriveToTheEnd();
  EXPECT_EQ(web_.pages().size(), 3u);
  EXPECT_EQ(Post("/api/v1/crawl/limits", R"({"max_pages": 0})")["max_pages"], 0);
  EXPECT_EQ(State(), "running");
  DriveToTheEnd();
  EXPECT_EQ(web_.pages().size(), 7u);
  EXPECT_EQ(Post("/api/v1/crawl/urls", R"({"urls": ["http://a.test/4"]})")["accepted"], 1);
  DriveToTheEnd();
  EXPECT_EQ(web_.RequestsFor("http://a.test/4").size(), 2u);
  EXPECT_EQ(web_.pages().size(), 8u);
}

TEST_F(ApiOrdersTest, AnExclusionIsObeyedAtOnceAndWhatItDropsIsCounted) {
  Start();
  EXPECT_TRUE(DriveUntil([&] { return web_.RequestsFor("http://a.test/1").size() == 1; }));
  Post("/api/v1/crawl/pause", "{}");
  EXPECT_TRUE(DriveUntil([&] { return supervisor_->WaitUntilIdle(Duration::zero()); }));
  Json dropped;
  std::thread asking([&] {
    dropped = Post("/api/v1/crawl/exclusions", R"({"kind": "prefix", "value": "http://a.test/5"})");
  });
  EXPECT_TRUE(DriveUntil([&] { return supervisor_->stats().frontier.queued_urls == 4; }));
  asking.join();
  // On a busy machine the answer comes before the number is known.
  EXPECT_TRUE(dropped["dropped"].is_null() || dropped["dropped"] == 1) << dropped.dump();
  Post("/api/v1/crawl/resume", "{}");
  DriveToTheEnd();
  EXPECT_EQ(web_.RequestsFor("http://a.test/5").size(), 0u);
  EXPECT_EQ(web_.pages().size(), 6u);
}

}  // namespace
}  // namespace crivello::engine
