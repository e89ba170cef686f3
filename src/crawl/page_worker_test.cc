// SPDX-License-Identifier: Apache-2.0
#include "crawl/page_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/file_system.h"
#include "crawl/crawl_test_support.h"
#include "web/url/signature.h"

namespace crivello::crawl {
namespace {

using store::EventKind;
using testing::ElementsAre;
using testing::IsEmpty;

class PageWorkerTest : public testing::Test {
 protected:
  void Open(CrawlOptions options = {}) {
    options.seeds = {"http://a.test/"};
    stages_ = std::make_unique<TestStages>(OpenTestStore(folder_ / "c"), std::move(options));
    worker_ = std::make_unique<PageWorker>(stages_->context);
  }
  Settled Process(Fetched fetched) {
    auto settled = worker_->Process(std::move(fetched));
    EXPECT_TRUE(settled.ok()) << settled.status().ToString();
    return std::move(settled).value();
  }
  Settled Process(const std::string& url, const Answer& answer) {
    return Process(stages_->Answered(stages_->MadeUp(url), answer));
  }
  // Commits its row, as the committer would.
  void Keep(const Settled& settled) {
    collection::Tablet& tablet = *stages_->store->tablet(0);
    const auto commit = stages_->frontier->Begin(0);
    ASSERT_TRUE(
        tablet.table()
            .Put(
                settled.row_key,
                {.time = settled.time, .fetch = &settled.fetch, .text = settled.text, .links = settled.links},
                &commit->batch())
            .ok());
    tablet.table().PutPayload(settled.fetch.payload, settled.row_key, settled.time, &commit->batch());
    ASSERT_TRUE(commit->Write({.sync = false}).ok());
  }
  static std::vector<EventKind> KindsOf(const Settled& settled) {
    std::vector<EventKind> kinds;
    for (const store::Event& event : settled.events) kinds.push_back(event.kind);
    return kinds;
  }

  TemporaryFolder folder_;
  std::unique_ptr<TestStages> stages_;
  std::unique_ptr<PageWorker> worker_;
};

TEST_F(PageWorkerTest, SettlesAPageWithItsCellsAndOffersItsLinksOneDeeper) {
  Open();
  frontier::Visit visit = stages_->MadeUp("http://a.test/");
  visit.depth = 3;
  const Settled settled = Process(stages_->Answered(
      std::move(visit),
      {.body = Html({"/x", "http://a.test/y#part", "http://b.test/"}), .fields = {{"ETag", "\"7\""}}}));
  EXPECT_TRUE(settled.has_row);
  EXPECT_EQ(settled.fetch.status, 200);
  EXPECT_EQ(settled.fetch.content_type, "text/html");
  EXPECT_EQ(settled.fetch.etag, "\"7\"");
  EXPECT_EQ(settled.fetch.milliseconds, 100u);
  EXPECT_TRUE(settled.first_of_payload);
  EXPECT_GT(settled.fetch.record.length, 0u);
  EXPECT_NE(settled.text_digest, 0u);
  EXPECT_THAT(settled.events, IsEmpty());
  EXPECT_THAT(stages_->Offered(),
              ElementsAre("http://a.test/x 4", "http://a.test/y 4"));  // b.test: out of scope
  EXPECT_EQ(stages_->counters.links.value(), 3u);
  EXPECT_EQ(stages_->counters.offered.value(), 2u);
}

// Each page redirects to the next, without end.
TEST_F(PageWorkerTest, FollowsARedirectForTwentyPagesInARow) {
  Open();
  std::string via;
  for (int hop = 0; hop < 25; ++hop) {
    const std::string url = "http://a.test/" + std::to_string(hop);
    frontier::Visit visit = stages_->MadeUp(url);
    visit.via = via;
    const Settled settled = Process(stages_->Answered(
        std::move(visit), {.status = 302, .fields = {{"Location", "/" + std::to_string(hop + 1)}}}));
    Keep(settled);
    kv::Batch batch;
    ASSERT_TRUE(
        stages_->store->tablet(0)
            ->ledger()
            .Put(settled.row_key, {.time = settled.time, .kind = EventKind::kFound, .url = via}, &batch)
            .ok());
    ASSERT_TRUE(stages_->store->tablet(0)->db().Write(batch, {}).ok());
    const std::vector<std::string> offered = stages_->Offered();
    if (hop < 19) {
      ASSERT_THAT(offered, ElementsAre("http://a.test/" + std::to_string(hop + 1) + " 0")) << hop;
    } else {
      ASSERT_THAT(offered, IsEmpty()) << hop;
      EXPECT_THAT(KindsOf(settled), ElementsAre(EventKind::kLinksNotFollowed));
      break;
    }
    via = url;
  }
}

TEST_F(PageWorkerTest, ReadsNoIndexOfSitemapsThatAnotherIndexLists) {
  Open();
  const std::string index =
      "<?xml version=\"1.0\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
      "<sitemap><loc>http://a.test/next.xml</loc></sitemap></sitemapindex>";
  for (const auto& [via, follows] : {std::pair("http://a.test/robots.txt", true), std::pair("", true),
                                     std::pair("http://a.test/index.xml", false)}) {
    SCOPED_TRACE(via);
    frontier::Visit visit =
        stages_->MadeUp("http://a.test/" + std::to_string(std::string(via).size()) + ".xml");
    visit.kind = frontier::UrlKind::kSitemap;
    visit.via = via;
    const Settled settled = Process(stages_->Answered(
        std::move(visit), {.body = index, .fields = {{"Content-Type", "application/xml"}}}));
    EXPECT_EQ(settled.events.empty(), follows);
    // The sieve lets a URL through once.
    const std::vector<std::string> offered = stages_->Offered();
    if (!follows) {
      EXPECT_THAT(offered, IsEmpty());
    }
  }
}

TEST_F(PageWorkerTest, OffersWhereARedirectLeadsAtTheSameDepth) {
  Open();
  const Settled settled = Process("http://a.test/old", RedirectTo("/new"));
  EXPECT_TRUE(settled.has_row);
  EXPECT_EQ(settled.fetch.location, "http://a.test/new");
  EXPECT_THAT(stages_->Offered(), ElementsAre("http://a.test/new 0"));
}

TEST_F(PageWorkerTest, FollowsNoLinksOfAnErrorPage) {
  Open();
  EXPECT_TRUE(Process("http://a.test/", {.status = 404, .body = Html({"/x"})}).has_row);
  EXPECT_THAT(stages_->Offered(), IsEmpty());
}

TEST_F(PageWorkerTest, FollowsNoLinksThatAPageAsksNotToFollow) {
  Open();
  const Settled settled =
      Process("http://a.test/", {.body = Html({"/x"}), .fields = {{"X-Robots-Tag", "nofollow"}}});
  EXPECT_TRUE(settled.has_row);
  EXPECT_THAT(KindsOf(settled), ElementsAre(EventKind::kLinksNotFollowed));
  Process("http://a.test/2", {.body = "<a rel=nofollow href=/y>y</a><a href=/z>z</a>"});
  EXPECT_THAT(stages_->Offered(), ElementsAre("http://a.test/z 1"));
}

TEST_F(PageWorkerTest, PutsTheLinksOfAPageWithAKeywordFirst) {
  CrawlOptions options;
  options.priority.page_keywords = {"tortoise"};
  Open(options);
  Process("http://a.test/plain",
          {.body = "<title>plain</title><p>A page about hares.</p><a href=/1>more</a>"});
  Process("http://a.test/word", {.body = "<title>Of Tortoises</title><p>A page.</p><a href=/2>more</a>"});
  std::map<std::string, int> classes;
  ASSERT_TRUE(stages_->store->tablet(0)
                  ->sieve()
                  .Take(10,
                        [&](std::string_view bytes) {
                          const auto record = frontier::ParseUrlRecord(bytes);
                          classes[std::string(record->url)] = record->priority;
                        })
                  .ok());
  EXPECT_EQ(classes, (std::map<std::string, int>{{"http://a.test/1", frontier::kPriorityClasses - 1},
                                                 {"http://a.test/2", 1}}));
}

TEST_F(PageWorkerTest, ArchivesNoFieldThatIsSentToOneHostAlone) {
  CrawlOptions options;
  options.host_settings["a.test"].fields = {{"Authorization", "Basic c2VjcmV0"}, {"X-Key", "secret"}};
  options.compression = store::WarcCompression::kNone;
  Open(options);
  Fetched fetched = stages_->Answered(stages_->MadeUp("http://a.test/"), {.body = Html({}, "page")});
  fetched.fetch->response.request_head =
      "GET / HTTP/1.1\r\nHost: a.test\r\nauthorization: Basic c2VjcmV0\r\nX-Key: secret\r\nX-Keys: "
      "kept\r\n\r\n";
  Process(std::move(fetched));
  ASSERT_TRUE(stages_->store->tablet(0)->archive()->Sync().ok());
  std::string written;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder_ / "c")) {
    if (file.path().string().find(".warc") == std::string::npos) continue;
    written += ReadFile(file.path().string()).value();
  }
  EXPECT_NE(written.find("GET / HTTP/1.1\r\nHost: a.test\r\nX-Keys: kept\r\n\r\n"), std::string::npos)
      << written;
  EXPECT_EQ(written.find("secret"), std::string::npos);
}

TEST_F(PageWorkerTest, KeepsThePreferencesOfUseOfTheAnswerAndOfRobots) {
  CrawlOptions options;
  options.scope = policy::ScopeKind::kAny;
  Open(options);
  const auto commit = stages_->frontier->Begin(0);
  stages_->store->tablet(0)->robots().Keep(
      "http://a.test",
      collection::JudgeRobots({.status = 200,
                               .text = "User-agent: *\nContent-Usage: search=y\n"
                                       "Content-Usage: /no/ train-ai=n, search=y\n"},
                              nullptr, 0),
      &commit->batch());
  ASSERT_TRUE(commit->Write({.sync = false}).ok());
  const Answer stated = {.body = Html({}, "stated"),
                         .fields = {{"Content-Usage", "train-ai=n;why=1"}, {"Content-Usage", "search=n"}}};
  const Answer unstated = {.body = Html({}, "unstated")};
  EXPECT_EQ(Process("http://a.test/x", stated).fetch.usage, "train-ai=n, search=n");
  EXPECT_EQ(Process("http://a.test/x", stated).fetch.robots_usage, "search=y");
  EXPECT_EQ(Process("http://a.test/no/x", unstated).fetch.robots_usage, "train-ai=n, search=y");
  EXPECT_EQ(Process("http://a.test/no/x", unstated).fetch.usage, "");
  EXPECT_EQ(Process("http://b.test/", stated).fetch.robots_usage, "");
  EXPECT_EQ(Process("http://a.test/no/y", {.status = 404}).fetch.robots_usage, "");
}

TEST_F(PageWorkerTest, FollowsLinksOfTheFirstOfTwoPagesWithTheSameTextOnOneHost) {
  Open();
  std::string words;
  for (int i = 0; i < 100; ++i) words += "word" + std::to_string(i) + " ";
  const Settled first = Process("http://a.test/1", {.body = Html({"/x"}, words)});
  stages_->seen_texts->Add(first.text_digest, web::HostHash("a.test"));
  const Settled second =
      Process("http://a.test/2", {.body = Html({"/x"}, words) + "<!-- another payload -->"});
  EXPECT_TRUE(second.has_row);
  EXPECT_TRUE(second.fetch.near_copy);
  EXPECT_THAT(KindsOf(second), ElementsAre(EventKind::kLinksNotFollowed));
  EXPECT_THAT(stages_->Offered(), ElementsAre("http://a.test/x 1"));
}

// A text of so many words, all different, and the last.
std::string NearText(int words, const std::string& last) {
  std::string text;
  for (int i = 0; i < words; ++i) {
    for (int rest = i + 26; rest > 0; rest /= 26) text += static_cast<char>('a' + rest % 26);
    text += ' ';
  }
  return text + last;
}

TEST_F(PageWorkerTest, NamesThePageThatAnotherIsNearlyAndTheDistance) {
  Open();
  const Settled first = Process("http://a.test/1", {.body = Html({}, NearText(2000, "monday"))});
  EXPECT_FALSE(first.fetch.near_copy);
  EXPECT_THAT(first.events, IsEmpty());
  const Settled second = Process("http://b.test/2", {.body = Html({}, NearText(2000, "tuesday"))});
  EXPECT_TRUE(second.has_row);
  EXPECT_TRUE(second.fetch.near_copy);
  ASSERT_THAT(KindsOf(second), ElementsAre(EventKind::kNearCopyOf));
  EXPECT_EQ(second.events[0].url, "http://a.test/1");
  const auto distance =
      static_cast<uint64_t>(dedup::HammingDistance(first.fetch.simhash, second.fetch.simhash));
  EXPECT_EQ(second.events[0].number, distance);
  EXPECT_EQ(store::Explain(second.events[0]),
            "is a near-copy of http://a.test/1: " + std::to_string(distance) +
                " of 64 bits of their SimHashes differ");
  // A copy of a copy is named after the first page.
  const Settled third = Process("http://c.test/3", {.body = Html({}, NearText(2000, "tuesday"))});
  ASSERT_THAT(KindsOf(third), ElementsAre(EventKind::kNearCopyOf));
  EXPECT_EQ(third.events[0].url, "http://a.test/1");
}

TEST_F(PageWorkerTest, TakesNoShortPageAndNoErrorForANearCopy) {
  Open();
  // 63 words make 61 sequences of three, and Html() adds none.
  for (const std::string host : {"a", "b"}) {
    const Settled settled =
        Process("http://" + host + ".test/short", {.body = Html({}, NearText(62, "end")) + "<!--" + host});
    EXPECT_THAT(settled.events, IsEmpty()) << host;
    const std::string body = Html({}, NearText(500, "not found"));
    const Settled error = Process("http://" + host + ".test/error", {.status = 404, .body = body});
    EXPECT_THAT(error.events, IsEmpty()) << host;
    EXPECT_FALSE(error.fetch.near_copy) << host;
    Keep(error);
  }
  // The same bytes are archived once, and still count as no copy.
  EXPECT_EQ(stages_->counters.revisits.value(), 1u);
  EXPECT_EQ(stages_->counters.copies.value(), 0u);
  EXPECT_EQ(stages_->counters.near_copies.value(), 0u);
}

TEST_F(PageWorkerTest, TakesAPageThatIsFetchedAgainForNoCopyOfItself) {
  Open();
  const Settled first = Process("http://a.test/1", {.body = Html({}, NearText(2000, "monday"))});
  Keep(first);
  Fetched again =
      stages_->Answered(stages_->MadeUp("http://a.test/1"), {.body = Html({}, NearText(2000, "tuesday"))});
  again.before = std::make_unique<store::Row>(
      std::move(stages_->store->tablet(0)->table().Get(first.row_key).value().front()));
  const Settled second = Process(std::move(again));
  EXPECT_THAT(second.events, IsEmpty());
  EXPECT_FALSE(second.fetch.near_copy);
}

TEST_F(PageWorkerTest, FollowsTheLinksOfANearCopyWithinItsHost) {
  for (const auto& [mode, followed] :
       {std::pair(NearDuplicates::kMark, 2u), std::pair(NearDuplicates::kNofollow, 1u),
        std::pair(NearDuplicates::kSkip, 1u), std::pair(NearDuplicates::kOff, 2u)}) {
    SCOPED_TRACE(static_cast<int>(mode));
    worker_ = nullptr;
    stages_ = nullptr;
    std::filesystem::remove_all(folder_ / "c");
    CrawlOptions options;
    options.scope = policy::ScopeKind::kAny;
    options.near_duplicates = mode;
    Open(options);
    if (mode == NearDuplicates::kOff) stages_->context.near_copies = nullptr;
    Process("http://a.test/1", {.body = Html({}, NearText(2000, "monday"))});
    const Settled copy = Process("http://b.test/2",
                                 {.body = Html({"/own", "http://c.test/other"}, NearText(2000, "tuesday"))});
    EXPECT_EQ(stages_->Offered().size(), followed);
    EXPECT_EQ(copy.has_row, mode != NearDuplicates::kSkip);
    EXPECT_EQ(copy.events.empty(), mode == NearDuplicates::kOff);
    EXPECT_EQ(stages_->counters.near_copies.value(),
              mode == NearDuplicates::kMark || mode == NearDuplicates::kNofollow ? 1u : 0u);
  }
}

TEST_F(PageWorkerTest, NamesNoForgottenPage) {
  Open();
  Process("http://a.test/1", {.body = Html({}, NearText(2000, "monday"))});
  ASSERT_TRUE(stages_->store->forgotten()
                  .Replace({{.target = *collection::ForgetTarget::Parse("http://a.test/1")}})
                  .ok());
  const Settled copy = Process("http://b.test/2", {.body = Html({}, NearText(2000, "tuesday"))});
  EXPECT_THAT(copy.events, IsEmpty());
}

TEST_F(PageWorkerTest, ArchivesTheSamePayloadOnceAndNamesItsFirstPage) {
  Open();
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "word" + std::to_string(i * i) + " ";
  const Settled first = Process("http://a.test/1", {.body = Html({}, text)});
  Keep(first);
  const Settled second = Process("http://a.test/2", {.body = Html({}, text)});
  EXPECT_TRUE(second.fetch.revisit);
  EXPECT_FALSE(second.first_of_payload);
  EXPECT_LT(second.fetch.record.length, first.fetch.record.length);
  ASSERT_THAT(KindsOf(second), ElementsAre(EventKind::kDuplicateOf));
  EXPECT_EQ(second.events[0].url, "http://a.test/1");
}

TEST_F(PageWorkerTest, LeavesTheRowOfAPageThatHasNotChanged) {
  Open();
  const Settled first = Process("http://a.test/", {.body = Html({"/x"})});
  Keep(first);
  stages_->Offered();
  Fetched again = stages_->Answered(stages_->MadeUp("http://a.test/"), {.status = 304});
  again.before = std::make_unique<store::Row>(
      std::move(stages_->store->tablet(0)->table().Get(first.row_key).value().front()));
  const Settled settled = Process(std::move(again));
  EXPECT_TRUE(settled.not_modified);
  EXPECT_FALSE(settled.has_row);
  EXPECT_THAT(KindsOf(settled), ElementsAre(EventKind::kNotModified));
  EXPECT_THAT(stages_->Offered(), IsEmpty());
}

TEST_F(PageWorkerTest, MakesNoRowOfAFailureAndSaysWhetherItIsTriedAgain) {
  Open();
  for (const auto& [verdict, kind] : {std::pair(frontier::Verdict::kRetry, EventKind::kFailed),
                                      std::pair(frontier::Verdict::kGiveUpUrl, EventKind::kGivenUp)}) {
    Fetched fetched = stages_->Answered(stages_->MadeUp("http://a.test/"), Fault(fetch::Outcome::kTimeout));
    fetched.verdict = verdict;
    const Settled settled = Process(std::move(fetched));
    EXPECT_FALSE(settled.has_row);
    ASSERT_THAT(KindsOf(settled), ElementsAre(kind));
    EXPECT_EQ(settled.events[0].text, "timeout (as the script says)");
  }
  // A server that answers for the last time with an error has said something.
  Fetched last = stages_->Answered(stages_->MadeUp("http://a.test/2"), {.status = 503});
  last.verdict = frontier::Verdict::kGiveUpUrl;
  EXPECT_TRUE(Process(std::move(last)).has_row);
}

TEST_F(PageWorkerTest, LeavesNoTraceOfAPageThatWasForgottenWhileItWasFetched) {
  Open();
  Fetched fetched = stages_->Answered(stages_->MadeUp("http://a.test/secret"), {.body = Html({"/x"})});
  fetched.visit.via = "http://a.test/";
  const collection::ForgottenEntry entry = {.target =
                                                *collection::ForgetTarget::Parse("http://a.test/secret")};
  ASSERT_TRUE(stages_->store->forgotten().Replace({entry}).ok());
  const Settled settled = Process(std::move(fetched));
  EXPECT_FALSE(settled.has_row);
  EXPECT_THAT(settled.events, IsEmpty());
  EXPECT_EQ(settled.visit.via, "");  // no line of where it was found
  EXPECT_EQ(stages_->store->tablet(0)->archive()->appended_bytes(), 0u);
  // And a link to it is not offered.
  Process("http://a.test/", {.body = Html({"/secret", "/other"})});
  EXPECT_THAT(stages_->Offered(), ElementsAre("http://a.test/other 1"));
}

TEST_F(PageWorkerTest, AsksTheFiltersOfEachPoint) {
  CrawlOptions options;
  ASSERT_TRUE(options.filters.Add("schedule=not path_ends_with(.zip)").ok());
  ASSERT_TRUE(options.filters.Add("parse=not path_starts_with(/raw)").ok());
  ASSERT_TRUE(options.filters.Add("follow=not path_starts_with(/leaf)").ok());
  ASSERT_TRUE(options.filters.Add("store=not path_starts_with(/pass)").ok());
  Open(options);
  EXPECT_TRUE(Process("http://a.test/", {.body = Html({"/a.zip", "/1"})}).has_row);
  EXPECT_THAT(stages_->Offered(), ElementsAre("http://a.test/1 1"));

  const Settled raw = Process("http://a.test/raw", {.body = Html({"/2"}, "raw")});
  EXPECT_TRUE(raw.has_row);
  EXPECT_EQ(raw.text, "");
  EXPECT_THAT(KindsOf(raw), ElementsAre(EventKind::kFiltered));
  EXPECT_THAT(stages_->Offered(), IsEmpty());

  const Settled leaf = Process("http://a.test/leaf", {.body = Html({"/3"}, "leaf")});
  EXPECT_TRUE(leaf.has_row);
  EXPECT_NE(leaf.text, "");
  EXPECT_THAT(KindsOf(leaf), ElementsAre(EventKind::kFiltered));
  EXPECT_THAT(stages_->Offered(), IsEmpty());

  const Settled pass = Process("http://a.test/pass", {.body = Html({"/4"}, "pass")});
  EXPECT_FALSE(pass.has_row);
  EXPECT_THAT(KindsOf(pass), ElementsAre(EventKind::kFiltered));
  EXPECT_THAT(stages_->Offered(), ElementsAre("http://a.test/4 1"));
}

TEST_F(PageWorkerTest, OffersNoUrlThatIsATrapByItsShape) {
  Open();
  Process("http://a.test/", {.body = Html({"/a/b/a/b/a/b/", "/fine"})});
  EXPECT_THAT(stages_->Offered(), ElementsAre("http://a.test/fine 1"));
}

TEST_F(PageWorkerTest, ReadsASitemapIndexAsSitemapsOfTheSameDepth) {
  Open();
  frontier::Visit visit = stages_->MadeUp("http://a.test/sitemap.xml");
  visit.kind = frontier::UrlKind::kSitemap;
  const std::string index =
      "<?xml version=\"1.0\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
      "<sitemap><loc>http://a.test/one.xml</loc></sitemap></sitemapindex>";
  Process(
      stages_->Answered(std::move(visit), {.body = index, .fields = {{"Content-Type", "application/xml"}}}));
  EXPECT_THAT(stages_->Offered(), ElementsAre("http://a.test/one.xml 0 sitemap"));
}

}  // namespace
}  // namespace crivello::crawl
