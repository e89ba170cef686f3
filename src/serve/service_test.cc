// SPDX-License-Identifier: Apache-2.0
#include "serve/service.h"

#include <gmock/gmock.h>

#include <set>

#include "base/ascii.h"
#include "base/file_system.h"
#include "base/test_paths.h"
#include "serve/service_test_support.h"

namespace crivello::serve {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

std::vector<std::string> Urls(const Json& answer) {
  std::vector<std::string> urls;
  for (const Json& result : answer["results"]) urls.push_back(result["url"]);
  return urls;
}

std::string CodeOf(const Json& answer) { return answer["error"]["code"]; }

TEST_F(ServiceTest, Searches) {
  Start();
  const Json answer = GetJson("/api/v1/search?q=eratosthenes");
  EXPECT_EQ(answer["total"], 1);
  EXPECT_EQ(answer["total_is"], "exact");
  EXPECT_EQ(answer["snapshot"], 7);
  EXPECT_THAT(Urls(answer), ElementsAre("https://b.org/sieve"));
  const Json& result = answer["results"][0];
  EXPECT_EQ(result["rank"], 1);
  EXPECT_EQ(result["title"], "The sieve");
  EXPECT_EQ(result["time"], "2020-09-13T12:26:40Z");
  EXPECT_GT(result["score"], 0);
  EXPECT_FALSE(result.contains("explanation"));
  EXPECT_TRUE(GetJson("/api/v1/search?q=eratosthenes&explain=1")["results"][0].contains("explanation"));
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=")), IsEmpty());
}

TEST_F(ServiceTest, FindsNothingInAnIndexWithoutSegments) {
  searcher_->Use(std::make_shared<index::Snapshot>(std::vector<index::SegmentView>(), 1,
                                                   std::string(text::kStandardAnalyser)));
  Start();
  for (const char* rank : {"bm25f", "bm25", "tfidf", "tfidf-max", "count"}) {
    const Json answer =
        GetJson("/api/v1/search?q=prime+%22a+b%22+pri*+title:c&site=a.it&rank=" + std::string(rank));
    EXPECT_THAT(Urls(answer), IsEmpty());
    EXPECT_EQ(answer["total"], 0);
  }
  EXPECT_TRUE(GetJson("/api/v1/suggest?q=pri")["suggestions"].empty());
  EXPECT_EQ(CodeOf(GetJson("/api/v1/similar?url=https://a.it/primi", 404)), "not_found");
  EXPECT_EQ(CodeOf(GetJson("/api/v1/explain?q=prime&url=https://a.it/primi", 404)), "not_found");
}

TEST_F(ServiceTest, PagesThroughWithoutSkippingOrRepeating) {
  Start();
  const std::vector<std::string> all = Urls(GetJson("/api/v1/search?q=prime+primi+crivello"));
  ASSERT_GE(all.size(), 4u);
  std::vector<std::string> paged;
  for (size_t offset = 0; offset < all.size(); offset++) {
    const Json page =
        GetJson("/api/v1/search?n=1&snapshot=7&q=prime+primi+crivello&offset=" + std::to_string(offset));
    EXPECT_EQ(page["results"][0]["rank"], offset + 1);
    EXPECT_FALSE(page.contains("snapshot_changed"));
    paged.push_back(page["results"][0]["url"]);
  }
  EXPECT_EQ(paged, all);
  searcher_->Use(TestSnapshot(TestPages(), 8));
  const Json changed = GetJson("/api/v1/search?q=prime&snapshot=7");
  EXPECT_EQ(changed["snapshot"], 8);
  EXPECT_EQ(changed["snapshot_changed"], true);
}

TEST_F(ServiceTest, FiltersByParametersWhateverTheQueryIs) {
  Start();
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=prime&site=b.org")),
              UnorderedElementsAre("https://b.org/sieve", "https://b.org/primes"));
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=primi+OR+crivello&lang=en")), IsEmpty());
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=trees+OR+euclide&site=a.it&lang=it&type=html")),
              ElementsAre("https://a.it/primi"));
  // Unclosed quotes and parentheses do not swallow the filter.
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=%28prime+%22sieve&site=c.org")),
              ElementsAre("https://c.org/trees"));
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=&site=c.org")), ElementsAre("https://c.org/trees"));
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=trees&site=x%20OR%20trees")), IsEmpty());
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=trees&after=2020-09-13&before=2020-09-14")),
              ElementsAre("https://c.org/trees"));
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=trees&after=2020-09-14")), IsEmpty());
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=trees&before=2020-09-13")), IsEmpty());
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=trees&site=c.org&syntax=strict")),
              ElementsAre("https://c.org/trees"));
  EXPECT_EQ(CodeOf(GetJson("/api/v1/search?q=trees&after=yesterday", 400)), "invalid_parameter");
  // In this test, a page with a longer path has more inlinks.
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=prime&sort=inlinks")),
              ElementsAre("https://a.it/crivello", "https://b.org/primes", "https://a.it/primi",
                          "https://b.org/sieve", "https://c.org/trees"));
  const Json ranked = GetJson("/api/v1/search?q=trees&static=inlinks&static_weight=3&explain=1");
  EXPECT_THAT(ranked["results"][0]["explanation"].dump(), HasSubstr("rank inlinks"));
  for (const char* name : {"static", "sort"}) {
    const Json unknown = GetJson(std::string("/api/v1/search?q=trees&") + name + "=nope", 400);
    EXPECT_EQ(CodeOf(unknown), "invalid_parameter");
    EXPECT_THAT(unknown["error"]["message"].get<std::string>(), HasSubstr("inlinks"));
  }
}

TEST_F(ServiceTest, HighlightsAreBytesOfTitleAndSnippet) {
  Start();
  const Json result = GetJson("/api/v1/search?q=primi+crivello&n=1")["results"][0];
  ASSERT_FALSE(result["highlights"].empty());
  std::vector<std::string> marked;
  for (const Json& mark : result["highlights"]) {
    const std::string text = result[mark["field"].get<std::string>()];
    marked.push_back(text.substr(mark["from"], mark["to"].get<size_t>() - mark["from"].get<size_t>()));
  }
  EXPECT_THAT(marked, ElementsAre("crivello", "crivello", "primi"));
}

TEST_F(ServiceTest, CountsFacetsWhereAskedFor) {
  Start();
  EXPECT_FALSE(GetJson("/api/v1/search?q=prime+primi").contains("facets"));
  const Json facets = GetJson("/api/v1/search?q=prime+primi&facets=lang,%20site")["facets"];
  EXPECT_EQ(facets["lang"]["values"][0]["value"], "en");
  EXPECT_EQ(facets["lang"]["values"][0]["pages"], 3);
  EXPECT_EQ(facets["lang"]["about"], false);
  EXPECT_EQ(facets["site"]["values"].size(), 3u);
  EXPECT_EQ(CodeOf(GetJson("/api/v1/search?q=prime&facets=colour", 400)), "invalid_parameter");
}

TEST_F(ServiceTest, SearchesWithTheProfilesOfTheCollection) {
  parts_.profiles = [](std::string_view name) -> Result<search::RankingOptions> {
    if (name != "without-c") return Status::NotFound("there is no ranking profile of that name");
    search::RankingOptions ranking;
    ranking.sites.blocked = {"c.org"};
    return ranking;
  };
  Start();
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=trees")), ElementsAre("https://c.org/trees"));
  EXPECT_THAT(Urls(GetJson("/api/v1/search?q=trees&profile=without-c")), IsEmpty());
  const Json unknown = GetJson("/api/v1/search?q=trees&profile=nope", 400);
  EXPECT_THAT(unknown["error"]["message"].get<std::string>(), HasSubstr("no ranking profile"));
}

TEST_F(ServiceTest, SaysWhatIsWrongWithParameters) {
  Start();
  for (const char* wrong :
       {"/api/v1/search", "/api/v1/search?q=a&n=0", "/api/v1/search?q=a&n=101", "/api/v1/search?q=a&n=-1",
        "/api/v1/search?q=a&n=1x", "/api/v1/search?q=a&n=99999999999999999999999",
        "/api/v1/search?q=a&offset=10001", "/api/v1/search?q=%ff", "/api/v1/search?q=a%00b",
        "/api/v1/search?q=a&lang=%c0%80", "/api/v1/search?q=a&format=xml",
        "/api/v1/search?q=a&explain=perhaps", "/api/v1/suggest", "/api/v1/similar?n=3", "/api/v1/explain?q=a",
        "/api/v1/why", "/api/v1/document?url=%80"}) {
    EXPECT_EQ(CodeOf(GetJson(wrong, 400)), "invalid_parameter") << wrong;
  }
  const Json strict = GetJson("/api/v1/search?q=%22open&syntax=strict", 400);
  EXPECT_EQ(CodeOf(strict), "invalid_query");
  EXPECT_NE(strict["error"]["hint"], "");
  EXPECT_EQ(CodeOf(GetJson("/api/v1/search?q=%22open&syntax=strict&site=a.it", 400)), "invalid_query");
  // A field that a form leaves empty counts as not given.
  EXPECT_EQ(Get("/api/v1/search?q=a&n=&lang=&format=&after=").status, 200);
}

TEST_F(ServiceTest, RefusesAParameterThatItDoesNotHaveAndNamesTheNearest) {
  Start();
  const Json answer = GetJson("/api/v1/search?q=a&lnag=it", 400);
  EXPECT_EQ(CodeOf(answer), "invalid_parameter");
  EXPECT_THAT(answer["error"]["message"].get<std::string>(),
              HasSubstr("unknown parameter 'lnag'; is it 'lang'?"));
  EXPECT_THAT(GetJson("/api/v1/search?q=a&sites=it", 400)["error"]["message"].get<std::string>(),
              HasSubstr("is it 'site'?"));
  EXPECT_EQ(CodeOf(GetJson("/api/v1/crawl?foo=1", 400)), "invalid_parameter");
  EXPECT_EQ(CodeOf(GetJson("/api/v1/search?q=a&%ff=1", 400)), "invalid_parameter");
  // Monitoring programs add parameters of their own.
  EXPECT_EQ(Get("/health/livez?probe=1").status, 200);
}

TEST_F(ServiceTest, SaysWhichContentTypeAnImportNeeds) {
  Start();
  for (const HttpFields& headers :
       {HttpFields{}, HttpFields{{"Content-Type", "application/x-www-form-urlencoded"}}}) {
    const Json answer = JsonOf(Ask("POST", "/api/v1/import", headers, "{\"text\": \"a\"}"), 403);
    EXPECT_EQ(CodeOf(answer), "cross_site");
    EXPECT_THAT(answer["error"]["message"].get<std::string>(),
                HasSubstr("needs the header 'Content-Type: application/x-ndjson'"));
    EXPECT_THAT(answer["error"]["hint"].get<std::string>(), HasSubstr("'application/x-ndjson' to import"));
  }
  EXPECT_EQ(sink_.committed, 0u);
}

TEST_F(ServiceTest, KeepsCrawlersToItsFirstPage) {
  Start();
  EXPECT_THAT(Get("/robots.txt").body, HasSubstr("Disallow: /\n"));
}

TEST_F(ServiceTest, SaysWhyNothingIsBeingFetchedAndWhichSeedsFailed) {
  crawl_.Finish("the limit --max-time is reached; raise it to continue");
  crawl_.SetTroubles(
      {.failed = 1, .troubles = {{.url = "https://nosuch.invalid/", .reason = "no such name"}}});
  Start();
  const Json crawl = GetJson("/api/v1/crawl");
  EXPECT_EQ(crawl["state"], "finished");
  EXPECT_EQ(crawl["standstill"], "the limit --max-time is reached; raise it to continue");
  EXPECT_EQ(crawl["seeds_failed"], 1);
  EXPECT_EQ(crawl["seed_troubles"][0]["reason"], "no such name");
}

TEST_F(ServiceTest, GivesResultsToSpreadsheetsAndFeedReaders) {
  Start();
  const auto csv = Get("/api/v1/search?q=numbers&format=csv");
  EXPECT_THAT(csv.Header("Content-Type"), StartsWith("text/csv"));
  EXPECT_THAT(csv.body, StartsWith("rank,url,title,score,language,type,time,snippet\r\n"));
  EXPECT_THAT(csv.body, HasSubstr("\"https://b.org/primes\",\"'=Prime numbers\","));
  EXPECT_THAT(csv.body, HasSubstr("\"\"quickly\"\""));
  const auto rss = Get("/api/v1/search?q=trees&format=rss&n=5");
  EXPECT_THAT(rss.Header("Content-Type"), StartsWith("application/rss+xml"));
  EXPECT_THAT(rss.body, HasSubstr("<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>"));
  EXPECT_THAT(rss.body, HasSubstr("<pubDate>Sun, 13 Sep 2020 12:26:40 GMT</pubDate>"));
  EXPECT_THAT(rss.body, HasSubstr("api/v1/search?q=trees&amp;format=rss&amp;n=5\"/>"));
  EXPECT_THAT(rss.body, HasSubstr("<opensearch:totalResults>1<"));
}

TEST_F(ServiceTest, CompletesAndDescribesItselfToBrowsers) {
  Start();
  const Json api = GetJson("/api/v1/suggest?q=eratos");
  EXPECT_EQ(api["query"], "eratos");
  ASSERT_FALSE(api["suggestions"].empty());
  const auto browser = Get("/suggest?q=eratos");
  EXPECT_EQ(browser.Header("Content-Type"), "application/x-suggestions+json");
  EXPECT_EQ(Json::parse(browser.body), Json::array({"eratos", api["suggestions"]}));
  const std::string base = "http://127.0.0.1:" + std::to_string(server_->port()) + "/";
  EXPECT_THAT(Get("/opensearch.xml").body, HasSubstr("template=\"" + base + "?q={searchTerms}\""));
  // A port that is not a number is refused before any page sees it.
  EXPECT_EQ(Get("/opensearch.xml", {{"Host", "localhost:\"><x>"}}).status, 421);
}

TEST_F(ServiceTest, TellsOfPages) {
  Start();
  EXPECT_THAT(Urls(GetJson("/api/v1/similar?url=https://b.org/sieve")),
              testing::Contains("https://b.org/primes"));
  EXPECT_EQ(CodeOf(GetJson("/api/v1/similar?url=https://nowhere.org/", 404)), "not_found");

  const Json explained = GetJson("/api/v1/explain?q=prime&url=https://c.org/trees");
  ASSERT_THAT(Urls(explained), ElementsAre("https://c.org/trees"));
  EXPECT_EQ(explained["results"][0]["explanation"]["value"], explained["results"][0]["score"]);
  const std::vector<std::string> all = Urls(GetJson("/api/v1/search?q=prime&all=1"));
  const auto place = std::find(all.begin(), all.end(), "https://c.org/trees") - all.begin();
  EXPECT_EQ(explained["results"][0]["rank"], place + 1);
  EXPECT_EQ(CodeOf(GetJson("/api/v1/explain?q=sieve&url=https://c.org/trees", 404)), "not_found");

  const Json document = GetJson("/api/v1/document?url=https://a.it/primi&n=5");
  ASSERT_EQ(document["versions"].size(), 2u);
  EXPECT_EQ(document["versions"][0]["text"], "I numeri \xef\xbf\xbd");
  EXPECT_EQ(document["versions"][0]["links"][0]["url"], "https://b.org/");
  EXPECT_EQ(document["versions"][1]["noarchive"], true);
  EXPECT_FALSE(document["versions"][1].contains("text"));
  EXPECT_EQ(GetJson("/api/v1/document?url=https://a.it/primi")["versions"].size(), 1u);
  EXPECT_EQ(CodeOf(GetJson("/api/v1/document?url=https://nowhere.org/", 404)), "not_found");

  const Json why = GetJson("/api/v1/why?url=https://a.it/primi");
  EXPECT_EQ(why["events"][0]["time"], "2020-09-13T12:26:40Z");
  EXPECT_EQ(why["events"][1]["detail"], "is queued");

  const Json stats = GetJson("/api/v1/stats");
  EXPECT_EQ(stats["index"]["documents"], 5);
  EXPECT_EQ(stats["collection"]["hosts"], 3);
  EXPECT_EQ(stats["version"], "1.2.3");
}

TEST_F(ServiceTest, SteersTheCrawl) {
  Start();
  EXPECT_EQ(GetJson("/api/v1/crawl")["state"], "running");
  EXPECT_EQ(GetJson("/api/v1/crawl")["standstill"], "");
  EXPECT_EQ(PostJson("/api/v1/crawl/pause", "")["state"], "paused");
  EXPECT_EQ(PostJson("/api/v1/crawl/resume", "{}")["state"], "running");
  const Json added = PostJson("/api/v1/crawl/seeds", R"({"urls": ["https://d.org/", "https://e.org/"]})");
  EXPECT_EQ(added["seeds"].size(), 2u);
  EXPECT_EQ(added["pages"], 42);
  for (const char* wrong : {"", "[]", "{}", R"({"urls": "https://d.org/"})", R"({"urls": [1]})",
                            "{\"urls\": [\"\xff\"]}", R"({"urls": ["mailto:x"]})"}) {
    EXPECT_EQ(CodeOf(PostJson("/api/v1/crawl/seeds", wrong, 400)), "invalid_parameter") << wrong;
  }
  EXPECT_EQ(PostJson("/api/v1/crawl/seeds", std::string(100000, '['), 400).size(), 1u);
}

TEST_F(ServiceTest, TakesUrlsToFetchNowOrLater) {
  Start();
  const std::string path = "/api/v1/crawl/urls";
  EXPECT_EQ(PostJson(path, R"({"urls": ["https://a.it/", "https://b.org/"]})")["accepted"], 2);
  PostJson(path, R"({"urls": ["https://a.it/"], "priority": 7, "not_before": "2030-01-01T06:00:00Z"})");
  PostJson(path, R"({"urls": [], "not_before": 1893477600})");
  ASSERT_EQ(crawl_.offered.size(), 3u);
  EXPECT_EQ(crawl_.offered[0].urls[1], "https://b.org/");
  EXPECT_EQ(crawl_.offered[0].not_before, WallTime());
  EXPECT_EQ(crawl_.offered[1].priority, 7);
  EXPECT_EQ(crawl_.offered[1].not_before, WallTime(std::chrono::seconds(1893477600)));
  EXPECT_EQ(crawl_.offered[2].not_before, crawl_.offered[1].not_before);
  for (const char* wrong : {"", "[]", "{}", R"({"urls": [1]})", R"({"urls": [], "priority": 8})",
                            R"({"urls": [], "priority": -1})", R"({"urls": [], "not_before": "soon"})",
                            R"({"urls": [], "not_before": 1e99})", R"({"urls": [], "not_before": -5})"}) {
    EXPECT_EQ(CodeOf(PostJson(path, wrong, 400)), "invalid_parameter") << wrong;
  }
  EXPECT_EQ(crawl_.offered.size(), 3u);
}

TEST_F(ServiceTest, ChangesTheLimitsThatAreNamed) {
  Start();
  EXPECT_EQ(GetJson("/api/v1/crawl/limits")["max_pages"], 100);
  EXPECT_EQ(PostJson("/api/v1/crawl/limits", R"({"max_per_host": 7, "max_depth": 2})")["max_depth"], 2);
  EXPECT_EQ(crawl_.limits(), (CrawlLimits{.pages = 100, .per_host = 7, .depth = 2}));
  for (const char* wrong :
       {"", "{}", "[]", R"({"max_pages": -1})", R"({"max_pages": "1"})", R"({"pages": 1})"}) {
    EXPECT_EQ(CodeOf(PostJson("/api/v1/crawl/limits", wrong, 400)), "invalid_parameter") << wrong;
  }
  EXPECT_THAT(Get("/dashboard").body, HasSubstr("name=\"max_per_host\""));
}

TEST_F(ServiceTest, SaysWhatThisProcessDoesNotHave) {
  parts_.crawl = nullptr;
  parts_.forget = nullptr;
  parts_.sink = nullptr;
  parts_.pages = nullptr;
  ready_ = false;
  Start();
  EXPECT_EQ(CodeOf(GetJson("/api/v1/crawl", 409)), "no_crawl");
  EXPECT_EQ(CodeOf(PostJson("/api/v1/crawl/pause", "", 409)), "no_crawl");
  EXPECT_EQ(CodeOf(PostJson("/api/v1/import", "{}", 409)), "no_import");
  const Json forget = PostJson("/api/v1/forgotten", R"({"target": "a.it", "reason": "x"})", 409);
  EXPECT_EQ(CodeOf(forget), "no_crawl");
  EXPECT_THAT(forget["error"]["hint"].get<std::string>(), HasSubstr("crivello forget"));
  EXPECT_EQ(CodeOf(GetJson("/api/v1/document?url=x", 503)), "unavailable");
  EXPECT_FALSE(GetJson("/api/v1/stats").contains("collection"));
  EXPECT_EQ(Get("/health/livez").body, "ok\n");
  EXPECT_EQ(CodeOf(GetJson("/health/readyz", 503)), "unavailable");
  ready_ = true;
  EXPECT_EQ(Get("/health/readyz").status, 200);
}

TEST_F(ServiceTest, ImportsDocumentsAndSaysWhenToWait) {
  Start();
  Json done = PostJson("/api/v1/import", "{\"text\": \"a\"}\nnonsense\n\n{\"text\": \"b\"}");
  EXPECT_EQ(done["accepted"], 2);
  EXPECT_EQ(done["refused"], 1);
  EXPECT_EQ(done["errors"][0]["line"], 2);
  EXPECT_EQ(sink_.committed, 2u);
  const auto full =
      Ask("POST", "/api/v1/import", {{"Content-Type", "application/x-ndjson"}}, "{1}\n{2}\n{3}\n");
  EXPECT_EQ(full.Header("Retry-After"), "1");
  done = JsonOf(full, 429);
  EXPECT_EQ(CodeOf(done), "too_many_requests");
  EXPECT_EQ(done["accepted"], 1);
  EXPECT_EQ(done["next_line"], 2);
  EXPECT_EQ(sink_.committed, 3u);
  EXPECT_EQ(
      JsonOf(Ask("POST", "/api/v1/import", {{"Content-Type", "text/csv"}}, "a,b"), 415)["error"]["code"],
      "unsupported_media_type");
}

TEST_F(ServiceTest, KnowsItsPathsAndMethods) {
  class Site final : public HttpHandler {
   public:
    HttpResponse Handle(const HttpRequest& request) override { return {.body = "page " + request.path}; }
  } site;
  parts_.site = &site;
  Start();
  EXPECT_EQ(Get("/anything").body, "page /anything");
  EXPECT_EQ(CodeOf(GetJson("/api/v1/nothing", 404)), "not_found");
  EXPECT_EQ(CodeOf(GetJson("/api/v2/search", 404)), "not_found");
  const auto wrong = Ask("POST", "/api/v1/search?q=a");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.Header("Allow"), "GET, HEAD");
  EXPECT_EQ(Get("/api/v1/crawl/pause").Header("Allow"), "POST");
  EXPECT_EQ(Ask("DELETE", "/api/v1/import").status, 405);
  EXPECT_EQ(Ask("HEAD", "/api/v1/search?q=prime").status, 200);
}

TEST_F(ServiceTest, CountsWhatItDoesUnderDocumentedNames) {
  Start();
  GetJson("/api/v1/search?q=prime");
  GetJson("/api/v1/search", 400);
  Get("/nowhere");
  const auto metrics = Get("/metrics");
  EXPECT_THAT(metrics.Header("Content-Type"), StartsWith("text/plain; version=0.0.4"));
  EXPECT_THAT(metrics.body,
              HasSubstr("crivello_http_requests_total{route=\"/api/v1/search\",status=\"200\"} 1\n"));
  EXPECT_THAT(metrics.body,
              HasSubstr("crivello_http_requests_total{route=\"/api/v1/search\",status=\"400\"} 1\n"));
  EXPECT_THAT(metrics.body, HasSubstr("crivello_http_requests_total{route=\"none\",status=\"404\"} 1\n"));
  EXPECT_THAT(
      metrics.body,
      HasSubstr("crivello_http_request_duration_seconds_bucket{route=\"/api/v1/search\",le=\"+Inf\"} 2\n"));
  EXPECT_THAT(metrics.body, HasSubstr("crivello_index_documents 5\n"));
  EXPECT_THAT(metrics.body, HasSubstr("crivello_crawl_pages_total 42\n"));
  EXPECT_THAT(metrics.body, HasSubstr("crivello_crawl_answers_total{class=\"2xx\"} 41\n"));

  const auto page = ReadFile(std::string(SourceDirectory()) + "/docs/metrics.md");
  ASSERT_TRUE(page.ok());
  size_t families = 0;
  for (size_t at = 0; (at = metrics.body.find("# TYPE ", at)) != std::string::npos;) {
    at += 7;
    const std::string name = metrics.body.substr(at, metrics.body.find(' ', at) - at);
    EXPECT_THAT(*page, HasSubstr("`" + name + "`")) << name;
    families++;
  }
  EXPECT_GT(families, 20u);
}

// Calls every endpoint as the OpenAPI document describes it.
TEST_F(ServiceTest, AnswersAsItsOpenApiDocumentSays) {
  Start();
  const Json document = GetJson("/api/v1/openapi.json");
  EXPECT_EQ(document["openapi"], "3.1.0");
  std::set<std::string> described, ids;
  sink_.room = 100;
  for (const auto& path_item : document["paths"].items()) {
    const std::string& path = path_item.key();
    for (const auto& method_item : path_item.value().items()) {
      const std::string& method = method_item.key();
      const Json& operation = method_item.value();
      SCOPED_TRACE(method + " " + path);
      described.insert(method + " " + path);
      EXPECT_TRUE(ids.insert(operation["operationId"]).second);
      EXPECT_NE(operation["summary"], "");
      HttpFields required, given;
      for (const Json& parameter : operation.value("parameters", Json::array())) {
        const bool is_page = parameter["name"] == "url";
        given.emplace_back(parameter["name"],
                           is_page ? "https://a.it/primi" : parameter["example"].get<std::string>());
        if (parameter["name"] == "q") given.back().second = "primi";
        if (parameter["required"] == true) required.push_back(given.back());
      }
      const auto ask = [&](const HttpFields& parameters) {
        const std::string target = path + "?" + QueryString(parameters);
        if (method == "get") return Get(target);
        if (method == "delete") return Ask("DELETE", target);
        const auto body = operation["requestBody"]["content"].begin();
        return Ask("POST", target, {{"Content-Type", body.key()}},
                   body.value()["example"].get<std::string>());
      };
      const int fine = operation["responses"].contains("202") ? 202 : 200;
      const Json& types = operation["responses"][std::to_string(fine)]["content"];
      // A deletion names its target in one of several ways, none of which is required.
      const auto answer = ask(method == "delete" ? given : required);
      EXPECT_EQ(answer.status, fine) << answer.body;
      const std::string type = answer.Header("Content-Type");
      EXPECT_TRUE(types.contains(type.substr(0, type.find(';')))) << type;
      EXPECT_EQ(ask(given).status, fine);
      for (const auto& [name, value] : required) {
        HttpFields without;
        for (const auto& field : required) {
          if (field.first != name) without.push_back(field);
        }
        const auto refused = ask(without);
        EXPECT_EQ(refused.status, 400) << name;
        EXPECT_TRUE(operation["responses"].contains("400"));
      }
      for (const Json& parameter : operation.value("parameters", Json::array())) {
        const Json& schema = parameter["schema"];
        if (schema.contains("maximum") && schema["maximum"] != UINT64_MAX) {
          HttpFields beyond = required;
          beyond.emplace_back(parameter["name"], std::to_string(schema["maximum"].get<uint64_t>() + 1));
          EXPECT_EQ(ask(beyond).status, 400);
        }
        for (const Json& choice : schema.value("enum", Json::array())) {
          HttpFields chosen = required;
          chosen.emplace_back(parameter["name"], choice.is_string() ? choice.get<std::string>()
                                                                    : std::to_string(choice.get<int>()));
          const auto choosing = ask(chosen);
          EXPECT_EQ(choosing.status, fine) << parameter["name"] << " " << choice;
          const std::string chosen_type = choosing.Header("Content-Type");
          EXPECT_TRUE(types.contains(chosen_type.substr(0, chosen_type.find(';')))) << chosen_type;
        }
      }
    }
  }
  std::set<std::string> served;
  for (const Route& route : service_->router().routes()) {
    served.insert(ToAsciiLower(route.method) + " " + std::string(route.path));
  }
  EXPECT_EQ(described, served);
}

}  // namespace
}  // namespace crivello::serve
