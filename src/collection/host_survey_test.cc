// SPDX-License-Identifier: Apache-2.0
#include "collection/host_survey.h"

#include <gmock/gmock.h>

#include "base/test_support.h"
#include "frontier/host_queues.h"
#include "page/page_deriver.h"
#include "web/http/http_headers.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::collection {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class HostSurveyTest : public testing::Test {
 protected:
  void SetUp() override {
    CollectionOptions options;
    options.directory = folder_ / "c";
    auto store = Collection::Open(options);
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    store_ = *std::move(store);
  }
  void Import(const std::vector<std::pair<std::string, std::string>>& pages) {
    page::PageDeriver deriver({});
    const web::HttpResponse http =
        web::ParseHttpResponse("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
    for (const auto& [text, html] : pages) {
      const web::Url url = web::CanonicalUrl(text).value();
      Tablet& tablet = *store_->Find(url.hostname());
      auto derived = deriver.Derive({.url = url, .fields = http.fields, .body = html}, tablet.templates());
      ASSERT_TRUE(derived.ok()) << derived.status().ToString();
      store::FetchCell fetch;
      fetch.status = 200;
      std::string cell;
      std::string links;
      deriver.Fill(*derived, &fetch, &cell, &links);
      kv::Batch batch;
      ASSERT_TRUE(tablet.table()
                      .Put(web::RowKey(url).value(),
                           {.time = 1000, .fetch = &fetch, .text = cell, .links = links}, &batch)
                      .ok());
      ASSERT_TRUE(tablet.db().Write(batch, {.sync = false}).ok());
    }
  }
  void Note(const std::string& text, const store::Event& event) {
    const web::Url url = web::CanonicalUrl(text).value();
    Tablet& tablet = *store_->Find(url.hostname());
    kv::Batch batch;
    ASSERT_TRUE(tablet.ledger().Put(web::RowKey(url).value(), event, &batch).ok());
    ASSERT_TRUE(tablet.db().Write(batch, {.sync = false}).ok());
  }
  HostSurvey Survey(const SurveyOptions& options = {}) {
    auto survey = SurveyHosts(*store_, options);
    EXPECT_TRUE(survey.ok()) << survey.status().ToString();
    return survey.ok() ? *std::move(survey) : HostSurvey();
  }

  TemporaryFolder folder_;
  std::unique_ptr<Collection> store_;
};

TEST_F(HostSurveyTest, CountsLinksBetweenHostsAndLanguages) {
  const std::string english =
      "<html lang=en><p>The pear is a cousin of the apple, and it ripens off the tree in a cool and dry "
      "cellar, where it is turned every day and eaten on one single afternoon of the whole year.</p>";
  Import({{"https://a.example/1", english + "<a href='https://b.example/'>b</a><a href='/2'>self</a>"},
          {"https://a.example/2",
           english + "<a href='https://b.example/x'>b</a><a href='https://c.example/'>c</a>"},
          {"https://b.example/", english + "<a href='https://a.example/1'>a</a>"}});
  const HostSurvey survey = Survey();
  ASSERT_EQ(survey.hosts.size(), 2u) << "c.example is known to nobody";
  EXPECT_EQ(survey.hosts[0].report.host, "a.example");
  EXPECT_EQ(survey.hosts[0].report.pages, 2u);
  EXPECT_THAT(survey.hosts[0].languages, ElementsAre(Pair("en", 2u)));
  ASSERT_EQ(survey.links.size(), 2u);
  EXPECT_EQ(survey.links[0].from, 0u);
  EXPECT_EQ(survey.links[0].to, 1u);
  EXPECT_EQ(survey.links[0].count, 2u);
  EXPECT_EQ(survey.links[1].count, 1u);

  EXPECT_EQ(Survey({.sampled_pages = 1}).links[0].count, 1u);
}

TEST_F(HostSurveyTest, TellsTheLatestOfWhatWentWrong) {
  using store::EventKind;
  Note("https://a.example/1", {.time = 10, .kind = EventKind::kRefusedByRobots, .number = 3, .text = "/1"});
  Note("https://a.example/2", {.time = 30, .kind = EventKind::kFailed, .number = 1, .text = "timeout"});
  Note("https://a.example/3", {.time = 20, .kind = EventKind::kTrap, .text = "calendar"});
  Note("https://a.example/4", {.time = 40, .kind = EventKind::kFound, .url = "https://a.example/"});
  const HostSurvey survey = Survey({.troubles = 2});
  ASSERT_EQ(survey.troubles.size(), 2u);
  EXPECT_EQ(survey.troubles[0].url, "https://a.example/2");
  EXPECT_EQ(survey.troubles[0].kind, "failed");
  EXPECT_THAT(survey.troubles[0].sentence, HasSubstr("timeout"));
  EXPECT_EQ(survey.troubles[1].url, "https://a.example/3");
  EXPECT_EQ(survey.trouble_counts.size(), 3u);
  EXPECT_EQ(survey.trouble_counts.at("refused-by-robots"), 1u);
}

TEST_F(HostSurveyTest, KnowsHowAHostStands) {
  const frontier::UrlRecord record = {.url = "https://a.example/"};
  frontier::HostQueues& queues = store_->Find("a.example")->queues();
  {
    frontier::HostQueues::Change change = queues.Begin();
    ASSERT_TRUE(change.Enqueue({&record, 1}, WallTime()).ok());
    ASSERT_TRUE(change.Write({.sync = false}).ok());
  }
  const uint64_t hash = web::HostHash("a.example");
  frontier::HostState state = **queues.Load(hash);
  state.crawl_delay = std::chrono::seconds(7);
  state.failures = 2;
  state.failed = 5;
  state.last_error = "no answer";
  state.robots = {{.origin = "https://a.example"}};
  frontier::HostQueues::Change change = queues.Begin();
  ASSERT_TRUE(change.Store(hash, state).ok());
  ASSERT_TRUE(change.Write({.sync = false}).ok());
  const HostSurvey survey = Survey();
  ASSERT_EQ(survey.hosts.size(), 1u);
  const HostSurvey::Host& host = survey.hosts.front();
  EXPECT_EQ(host.report.queued, 1u);
  EXPECT_EQ(host.report.failed, 5u);
  EXPECT_EQ(host.report.last_error, "no answer");
  EXPECT_EQ(host.failures, 2u);
  EXPECT_EQ(host.crawl_delay, std::chrono::seconds(7));
  EXPECT_EQ(host.robots, "not fetched yet");
}

}  // namespace
}  // namespace crivello::collection
