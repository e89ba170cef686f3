// SPDX-License-Identifier: Apache-2.0
// What an answer has beside its order: translations as one result, dates, facets, explanations, listings.
#include <gmock/gmock.h>

#include <functional>
#include <limits>

#include "index/build/segment_builder.h"
#include "index/segments/document_values.h"
#include "search/evaluation/evaluation.h"
#include "search/facets.h"
#include "search/index_searcher.h"
#include "store/cells.h"

namespace crivello::search {
namespace {

using index::IndexDocument;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;
using testing::UnorderedElementsAre;

struct PageFacts {
  std::string url;
  std::string language = "en";
  std::string body = "harbour";
  int64_t translation = 0;
  int64_t published = 0;
  int64_t modified = 0;
  store::PageKind kind = store::PageKind::kArticle;
  std::string description = {};
  int64_t digest = 0;
  int64_t depth = 0;
};

IndexDocument DocumentOf(const PageFacts& page) {
  IndexDocument document;
  document.url = page.url;
  document.title = "Page " + page.url;
  document.text = page.body;
  document.description = page.description;
  document.language = page.language;
  document.texts = {{"title", document.title}, {"body", page.body}};
  const std::string host = page.url.substr(0, page.url.find('/'));
  document.keywords = {{"site", host}, {"lang", page.language}};
  document.labels = {{"language", page.language}, {"site", host}, {"type", "text/html"}};
  document.numbers = {{std::string(index::column::kTime), 1'700'000'000},
                      {std::string(index::column::kTranslation), page.translation},
                      {std::string(index::column::kDigest), page.digest},
                      {std::string(index::column::kDepth), page.depth},
                      {std::string(index::column::kPublished), page.published},
                      {std::string(index::column::kModified), page.modified},
                      {std::string(index::column::kKind), static_cast<int64_t>(page.kind)}};
  return document;
}

std::unique_ptr<IndexSearcher> SearcherOfFacts(const std::vector<std::vector<PageFacts>>& segments) {
  std::vector<index::SegmentView> views;
  for (const auto& pages : segments) {
    index::MemorySink sink;
    auto builder = index::SegmentBuilder::Create({.analyser = std::string(text::kStandardAnalyser)}, sink);
    EXPECT_TRUE(builder.ok()) << builder.status().ToString();
    for (const PageFacts& page : pages) EXPECT_TRUE((*builder)->Add(DocumentOf(page)).ok());
    EXPECT_TRUE((*builder)->Finish().ok());
    auto segment = index::Segment::FromParts(std::move(sink).Release());
    EXPECT_TRUE(segment.ok()) << segment.status().ToString();
    views.push_back({*segment, nullptr});
  }
  return *IndexSearcher::Create(
      std::make_shared<index::Snapshot>(std::move(views), 1, std::string(text::kStandardAnalyser)));
}

SearchAnswer Answer(Searcher& searcher, const SearchRequest& request) {
  auto answer = searcher.Search(request);
  EXPECT_TRUE(answer.ok()) << answer.status().ToString();
  return *std::move(answer);
}
std::vector<std::string> UrlsOf(const SearchAnswer& answer) {
  std::vector<std::string> urls;
  for (const SearchResult& result : answer.results) urls.push_back(result.url);
  return urls;
}

TEST(AnswerTest, TranslationsAreOneResultInTheLanguageThatIsRead) {
  const auto searcher = SearcherOfFacts({{{"a.test/en", "en", "harbour harbour harbour", 7},
                                          {"a.test/de", "de", "harbour", 7},
                                          {"a.test/pt", "pt-BR", "harbour and much else besides", 7}},
                                         {{"b.test/other", "en", "harbour of another kind", 8}}});
  SearchRequest request{.query = "harbour"};
  request.languages = {"en"};
  SearchAnswer answer = Answer(*searcher, request);
  ASSERT_THAT(UrlsOf(answer), ElementsAre("a.test/en", "b.test/other"));
  EXPECT_EQ(answer.total, 4u);
  EXPECT_EQ(answer.folded, 2u);
  std::vector<std::pair<std::string, std::string>> others;
  for (const Translation& other : answer.results[0].translations)
    others.emplace_back(other.url, other.language);
  EXPECT_THAT(others, UnorderedElementsAre(Pair("a.test/de", "de"), Pair("a.test/pt", "pt-BR")));

  request.languages = {"pt", "en"};
  answer = Answer(*searcher, request);
  EXPECT_EQ(answer.results[0].url, "a.test/pt");
  EXPECT_EQ(answer.results.size(), 2u);

  request.fold_duplicates = false;
  answer = Answer(*searcher, request);
  EXPECT_EQ(answer.results.size(), 4u);
  EXPECT_EQ(answer.folded, 0u);
}

// Each in two copies, at / and at /index.html, which here has the better words.
TEST(AnswerTest, CopiesOfTranslationsAreFoldedWithThem) {
  std::vector<PageFacts> pages;
  for (const std::string& language : {std::string("en"), std::string("de"), std::string("it")}) {
    const auto digest = static_cast<int64_t>(100 + pages.size());
    for (const std::string& name : {std::string(), std::string("index.html")}) {
      PageFacts page{.url = language + ".test/" + name, .language = language};
      page.translation = 7;
      page.digest = digest;
      page.kind = store::PageKind::kHome;
      page.depth = name.empty() ? 0 : 1;
      page.body = name.empty() ? "harbour and sea" : "harbour harbour";
      pages.push_back(page);
    }
  }
  for (int i = 0; i < 30; i++)
    pages.push_back({.url = "o.test/" + std::to_string(i), .body = "harbour x y z"});
  const auto searcher = SearcherOfFacts({pages});
  SearchRequest request{.query = "harbour", .count = 1};
  request.languages = {"de"};
  const SearchAnswer answer = Answer(*searcher, request);
  EXPECT_THAT(UrlsOf(answer), ElementsAre("de.test/"));
  EXPECT_EQ(answer.folded, 5u);
  std::vector<std::string> others;
  for (const Translation& other : answer.results[0].translations) others.push_back(other.url);
  EXPECT_THAT(others, UnorderedElementsAre("en.test/", "it.test/"));
  EXPECT_THAT(answer.results[0].duplicates,
              UnorderedElementsAre("en.test/index.html", "de.test/index.html", "it.test/index.html"));
}

TEST(AnswerTest, EvaluationsFoldAsPeopleSeeItIfAsked) {
  const auto searcher = SearcherOfFacts({{{"a.test/en", "en", "harbour harbour harbour", 7},
                                          {"a.test/de", "de", "harbour and more", 7},
                                          {"b.test/other", "en", "harbour harbour of another kind", 8}}});
  const std::vector<Topic> topics = {{"1", "harbour"}};
  const auto found = [&](bool fold) {
    std::vector<std::string> documents;
    double last = std::numeric_limits<double>::infinity();
    const auto run = RunTopics(*searcher, topics, {}, 10, fold);
    EXPECT_TRUE(run.ok());
    for (const RankedDocument& document : run->at("1")) {
      EXPECT_LE(document.score, last);
      last = document.score;
      documents.push_back(document.document);
    }
    return documents;
  };
  EXPECT_THAT(found(false), UnorderedElementsAre("a.test/en", "a.test/de", "b.test/other"));
  EXPECT_THAT(found(true), ElementsAre("a.test/en", "b.test/other"));
}

// The page of a translation that is not translated yet, and languages of two countries.
TEST(AnswerTest, PagesOfSeveralSitesInOneLanguageAreOneResult) {
  const auto searcher = SearcherOfFacts({{{"en.test/1", "en", "harbour harbour", 7},
                                          {"ja.test/1", "en", "harbour of another version", 7},
                                          {"pt-pt.test/1", "pt-PT", "harbour portugal", 7},
                                          {"pt-br.test/1", "pt-BR", "harbour no brasil", 7}}});
  SearchRequest request{.query = "harbour"};
  request.languages = {"pt-BR"};
  SearchAnswer answer = Answer(*searcher, request);
  EXPECT_THAT(UrlsOf(answer), ElementsAre("pt-br.test/1"));
  EXPECT_EQ(answer.results[0].translations.size(), 3u);
  request.languages = {"en"};
  EXPECT_THAT(UrlsOf(Answer(*searcher, request)), ElementsAre("en.test/1"));
}

TEST(AnswerTest, PagesInOneLanguageAreNotTranslations) {
  const auto searcher = SearcherOfFacts({{{"a.test/1", "en", "harbour one", 7},
                                          {"a.test/2", "en", "harbour two", 7},
                                          {"a.test/3", "", "harbour three", 7},
                                          {"a.test/4", "de", "harbour four", 0},
                                          {"a.test/5", "fr", "harbour five", 0}}});
  EXPECT_EQ(Answer(*searcher, {.query = "harbour"}).results.size(), 5u);
}

// However far down it is, among those that are looked at.
TEST(AnswerTest, TheTranslationThatIsReadMayBeBelowTheFirstPage) {
  std::vector<PageFacts> pages = {{"a.test/en", "en", "harbour harbour", 7},
                                  {"a.test/it", "it", "harbour " + std::string(200, 'x'), 7}};
  for (int i = 0; i < 60; i++) {
    pages.push_back({"b.test/" + std::to_string(i), "en", "harbour harbour " + std::to_string(i)});
  }
  const auto searcher = SearcherOfFacts({pages});
  SearchRequest request{.query = "harbour"};
  request.languages = {"it"};
  request.ranking.second = {};
  request.count = 3;
  std::vector<std::string> urls;
  for (request.offset = 0; request.offset < 61; request.offset += 3) {
    for (const SearchResult& result : Answer(*searcher, request).results) urls.push_back(result.url);
  }
  EXPECT_EQ(std::count(urls.begin(), urls.end(), "a.test/it"), 1);
  EXPECT_EQ(std::count(urls.begin(), urls.end(), "a.test/en"), 0);
  EXPECT_EQ(urls.size(), 61u);
}

TEST(AnswerTest, DatesAreThoseOfThePage) {
  const auto searcher = SearcherOfFacts(
      {{{"a.test/1", "en", "harbour", 0, 500, 900}, {"a.test/2", "en", "harbour", 0, 0, 700}, {"a.test/3"}}});
  SearchRequest request{.query = "harbour"};
  request.ranking.sort = kSortByDate;
  const SearchAnswer answer = Answer(*searcher, request);
  ASSERT_THAT(UrlsOf(answer), ElementsAre("a.test/3", "a.test/2", "a.test/1"));
  EXPECT_EQ(answer.results[0].date_seconds, 0);
  EXPECT_EQ(answer.results[0].time_seconds, 1'700'000'000);
  EXPECT_EQ(answer.results[1].date_seconds, 700);
  EXPECT_EQ(answer.results[2].date_seconds, 500);
  EXPECT_THAT(UrlsOf(Answer(*searcher, {.query = "harbour date:1970"})),
              UnorderedElementsAre("a.test/1", "a.test/2"));
  EXPECT_THAT(UrlsOf(Answer(*searcher, {.query = "harbour date:2023"})), ElementsAre("a.test/3"));
}

TEST(AnswerTest, CountsFacets) {
  std::vector<PageFacts> pages;
  for (int i = 0; i < 30; i++) {
    pages.push_back({(i < 20 ? "a.test/" : "b.test/") + std::to_string(i), i % 3 == 0 ? "de" : "en",
                     i < 24 ? "harbour" : "field", 0, i < 5 ? 1'000'000'000 : 0});
  }
  const std::vector<PageFacts> first(pages.begin(), pages.begin() + 11);
  const std::vector<PageFacts> second(pages.begin() + 11, pages.end());
  const auto searcher = SearcherOfFacts({first, second});
  SearchRequest request{.query = "harbour"};
  request.facets = {"lang", "site", "year", "type"};
  const SearchAnswer answer = Answer(*searcher, request);
  std::vector<std::string> said;
  for (const Facet& facet : answer.facets) {
    EXPECT_FALSE(facet.about);
    for (const FacetValue& value : facet.values) {
      said.push_back(facet.name + " " + value.value + " " + std::to_string(value.pages));
    }
  }
  EXPECT_THAT(said, ElementsAre("lang en 16", "lang de 8", "site a.test 20", "site b.test 4", "year 2023 19",
                                "year 2001 5", "type text/html 24"));
  request.facets = {"colour"};
  EXPECT_EQ(searcher->Search(request).status().code(), StatusCode::kInvalidArgument);
}

// Of many pages some are counted, all over the collection.
TEST(AnswerTest, EstimatesFacetsOfManyPages) {
  std::vector<PageFacts> pages;
  for (int i = 0; i < 6400; i++) pages.push_back({"a.test/" + std::to_string(i), i < 1600 ? "de" : "en"});
  const auto searcher = SearcherOfFacts({pages});
  const auto snapshot = searcher->snapshot();
  const std::vector<SearchedSegment> segments = {{.segment = snapshot->segments()[0].segment.get()}};
  const std::vector<std::string> names = {"lang"};
  Stopper stopper;
  const auto all = [&](size_t i) -> std::unique_ptr<DocIterator> {
    return std::make_unique<AllDocuments>(segments[i].segment->documents());
  };
  const auto facets = CountFacets(names, segments, all, 640, stopper);
  ASSERT_EQ(facets.size(), 1u);
  EXPECT_TRUE(facets[0].about);
  ASSERT_EQ(facets[0].values.size(), 2u);
  EXPECT_EQ(facets[0].values[0].value, "en");
  EXPECT_NEAR(static_cast<double>(facets[0].values[0].pages), 4800, 250);
  EXPECT_NEAR(static_cast<double>(facets[0].values[1].pages), 1600, 250);
}

TEST(AnswerTest, EveryNumberOfAnExplanationIsTheSumOfItsParts) {
  std::vector<PageFacts> pages;
  for (int i = 0; i < 40; i++) {
    pages.push_back({"a.test/" + std::to_string(i), i % 2 == 0 ? "en" : "de",
                     i % 3 == 0 ? "harbour lights at night" : "a harbour", 0, 0, 0,
                     i % 5 == 0 ? store::PageKind::kListing : store::PageKind::kArticle});
  }
  const auto searcher = SearcherOfFacts({pages});
  SearchRequest request{.query = "harbour lights page"};
  request.explain = true;
  request.count = 40;
  const std::function<void(const Explanation&)> check = [&](const Explanation& number) {
    double sum = 0;
    for (const Explanation& part : number.parts) {
      sum += part.value;
      check(part);
    }
    if (!number.parts.empty()) {
      EXPECT_NEAR(sum, number.value, 1e-5) << number.what;
    }
  };
  const SearchAnswer answer = Answer(*searcher, request);
  ASSERT_EQ(answer.results.size(), 40u);
  for (const SearchResult& result : answer.results) {
    EXPECT_NEAR(result.explanation->value, result.score, 1e-9);
    check(*result.explanation);
  }
}

TEST(AnswerTest, ListingsComeAfterPagesLikeThem) {
  const auto searcher =
      SearcherOfFacts({{{"a.test/list", "en", "harbour lights", 0, 0, 0, store::PageKind::kListing},
                        {"b.test/page", "en", "harbour lights", 0, 0, 0, store::PageKind::kArticle},
                        {"c.test/field", "en", "a field", 0, 0, 0, store::PageKind::kArticle}}});
  EXPECT_THAT(UrlsOf(Answer(*searcher, {.query = "harbour"})), ElementsAre("b.test/page", "a.test/list"));
}

TEST(AnswerTest, AHomePageShowsItsDescription) {
  const auto searcher =
      SearcherOfFacts({{{"a.test/", "en", "Copyright 2020. Harbour. All rights reserved.", 0, 0, 0,
                         store::PageKind::kHome, "Ships and the harbour they sail from."}}});
  EXPECT_EQ(Answer(*searcher, {.query = "harbour"}).results[0].snippet.text,
            "Ships and the harbour they sail from.");
}

TEST(AnswerTest, StopWordsThatAreNotSearchedForAreNotMarked) {
  std::vector<PageFacts> pages;
  for (int i = 0; i < 8; i++) {
    pages.push_back({"a.test/" + std::to_string(i), "en", "The way to a harbour is the sea."});
  }
  const auto searcher = SearcherOfFacts({pages});
  const SearchAnswer answer = Answer(*searcher, {.query = "the way to a harbour"});
  ASSERT_FALSE(answer.results.empty());
  std::vector<std::string> marked;
  for (const Highlight& mark : answer.results[0].snippet.highlights) {
    marked.push_back(answer.results[0].snippet.text.substr(mark.begin, mark.end - mark.begin));
  }
  EXPECT_THAT(marked, ElementsAre("way", "harbour"));
}

TEST(AnswerTest, StopWordsOfAPhraseAreNotMarkedElsewhere) {
  std::vector<PageFacts> pages;
  for (int i = 0; i < 8; i++) {
    pages.push_back({"a.test/" + std::to_string(i), "en", "What to do in case of a break-in in winter."});
  }
  const auto searcher = SearcherOfFacts({pages});
  for (const std::string& query : {std::string("break-in"), std::string("\"break in\"")}) {
    const SearchAnswer answer = Answer(*searcher, {.query = query});
    ASSERT_FALSE(answer.results.empty());
    const HighlightedText& snippet = answer.results[0].snippet;
    ASSERT_EQ(snippet.highlights.size(), 1u) << query;
    EXPECT_THAT(snippet.text.substr(snippet.highlights[0].begin), StartsWith("break"));
  }
}

}  // namespace
}  // namespace crivello::search
