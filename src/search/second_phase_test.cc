// SPDX-License-Identifier: Apache-2.0
// The second phase where people search: what comes first by it, and that it depends on nothing else.
#include <gmock/gmock.h>

#include "base/random.h"
#include "index/build/segment_builder.h"
#include "index/segments/document_values.h"
#include "index/tables/page_names.h"
#include "search/index_searcher.h"
#include "search/query/rescorer.h"
#include "store/cells.h"
#include "web/url/language_path.h"
#include "web/url/url.h"

namespace crivello::search {
namespace {

using index::IndexDocument;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct PageTexts {
  std::string url;
  std::string title;
  std::string body;
  std::string language = "en";
  std::vector<std::string> links = {};
};

IndexDocument DocumentOf(const PageTexts& page) {
  IndexDocument document;
  document.url = page.url;
  document.title = page.title;
  document.text = page.body;
  document.language = page.language;
  document.texts = {{"title", page.title}, {"body", page.body}};
  for (const std::string& said : page.links) document.texts.push_back({"anchor", said});
  const index::Inlinks inlinks{.pages = page.links.size(), .texts = page.links};
  const web::Url url = web::ParseUrl(page.url).value();
  for (const std::string& name : index::NamesOf(url, page.title, &inlinks)) {
    document.keywords.push_back({"name", name});
  }
  document.keywords.push_back({"site", url.hostname().empty() ? "" : std::string(url.hostname())});
  document.keywords.push_back({"lang", page.language});
  document.labels = {{"language", page.language}, {"site", std::string(url.hostname())}};
  const bool is_home = web::IsHomePage(url);
  const auto kind = is_home ? store::PageKind::kHome : store::PageKind::kArticle;
  document.numbers = {{"depth", is_home ? 0 : 2},
                      {std::string(index::column::kKind), static_cast<int64_t>(kind)}};
  return document;
}

std::unique_ptr<IndexSearcher> SearcherOfPages(const std::vector<std::vector<PageTexts>>& segments) {
  std::vector<index::SegmentView> views;
  for (const auto& pages : segments) {
    index::MemorySink sink;
    auto builder = index::SegmentBuilder::Create({.analyser = std::string(text::kStandardAnalyser)}, sink);
    EXPECT_TRUE(builder.ok()) << builder.status().ToString();
    for (const PageTexts& page : pages) EXPECT_TRUE((*builder)->Add(DocumentOf(page)).ok());
    EXPECT_TRUE((*builder)->Finish().ok());
    auto segment = index::Segment::FromParts(std::move(sink).Release());
    EXPECT_TRUE(segment.ok()) << segment.status().ToString();
    views.push_back({*segment, nullptr});
  }
  auto searcher = IndexSearcher::Create(
      std::make_shared<index::Snapshot>(std::move(views), 1, std::string(text::kStandardAnalyser)));
  EXPECT_TRUE(searcher.ok()) << searcher.status().ToString();
  return *std::move(searcher);
}

// A manual in which every page has the project's name many times, and its home page once.
std::vector<PageTexts> Manual() {
  std::vector<PageTexts> pages;
  for (int i = 0; i < 300; i++) {
    pages.push_back({"https://tessera.test/page" + std::to_string(i), "Chapter",
                     "tessera tessera tessera " + std::to_string(i)});
  }
  pages.push_back(
      {"https://tessera.test/", "Welcome", "All about tessera and a good many other things as well."});
  pages.push_back({"https://tessera.test/joins", "Sharp joins",
                   "A long text about how one thing is put beside another, and other matters of that kind."});
  pages.push_back({"https://tessera.test/other", "Other matters",
                   "sharp joins sharp joins sharp joins sharp joins sharp joins"});
  return pages;
}

std::string FirstOf(Searcher& searcher, const std::string& query) {
  const auto answer = searcher.Search({.query = query});
  EXPECT_TRUE(answer.ok()) << answer.status().ToString();
  return answer->results.empty() ? "" : answer->results[0].url;
}

TEST(SecondPhaseTest, TheNameOfASiteFindsItsHomePage) {
  const auto searcher = SearcherOfPages({Manual()});
  EXPECT_EQ(FirstOf(*searcher, "tessera"), "https://tessera.test/");
  SearchRequest request{.query = "tessera"};
  request.ranking.second = {};
  EXPECT_NE(searcher->Search(request)->results[0].url, "https://tessera.test/");
}

TEST(SecondPhaseTest, AWordOfASitesNameFindsItsHomePage) {
  std::vector<PageTexts> pages;
  for (int i = 0; i < 150; i++) {
    pages.push_back({"https://tessera-help.test/page" + std::to_string(i), "Chapter",
                     "tessera tessera tessera help " + std::to_string(i)});
    pages.push_back({"https://other.test/page" + std::to_string(i), "Chapter", "about something else"});
  }
  pages.push_back({"https://tessera-help.test/", "", "All about tessera, with help for many other things."});
  const auto searcher = SearcherOfPages({pages});
  EXPECT_EQ(FirstOf(*searcher, "tessera"), "https://tessera-help.test/");
  EXPECT_EQ(FirstOf(*searcher, "tessera help"), "https://tessera-help.test/");
  // A query that has other words is not for the site as such.
  EXPECT_NE(FirstOf(*searcher, "tessera 17"), "https://tessera-help.test/");
}

TEST(SecondPhaseTest, ANameWrittenAsOneWordIsFoundByItsWords) {
  std::vector<PageTexts> pages = {{"https://a.test/tileglue.html", "tileglue", "Tile adhesives."}};
  for (int i = 0; i < 20; i++) {
    pages.push_back({"https://a.test/" + std::to_string(i), "Chapter", "a tile and then the glue"});
    pages.push_back({"https://b.test/" + std::to_string(i), "Chapter", "about something else"});
  }
  const auto searcher = SearcherOfPages({pages});
  EXPECT_EQ(FirstOf(*searcher, "tile glue"), "https://a.test/tileglue.html");
  EXPECT_EQ(FirstOf(*searcher, "tileglue"), "https://a.test/tileglue.html");
}

TEST(SecondPhaseTest, StopWordsOfTheQuerysLanguageSayLittle) {
  std::vector<PageTexts> pages;
  for (int i = 0; i < 300; i++) {
    pages.push_back({"https://a.test/" + std::to_string(i), "Oaks", "The oaks of the wood", "en"});
  }
  // Too few German pages for these words to be known as frequent ones.
  pages.push_back({"https://a.test/de1", "Eichen", "Eichen im Wald, wie sie sind", "de"});
  pages.push_back({"https://a.test/de2", "Buchen", "was ist das und wie ist es, wie ist was das ist", "de"});
  const auto searcher = SearcherOfPages({pages});
  const auto answer = searcher->Search({.query = "wie ist das mit Eichen"});
  ASSERT_EQ(answer->results.size(), 1u);
  EXPECT_EQ(answer->results[0].url, "https://a.test/de1");
  EXPECT_THAT(answer->results[0].missing, IsEmpty());
}

TEST(SecondPhaseTest, APageWhoseTitleIsTheQueryComesFirst) {
  const auto searcher = SearcherOfPages({Manual()});
  EXPECT_EQ(FirstOf(*searcher, "sharp joins"), "https://tessera.test/joins");
  EXPECT_EQ(FirstOf(*searcher, "Sharp-Joins!"), "https://tessera.test/joins");
}

TEST(SecondPhaseTest, FiltersAndExclusionsHoldForNamedPagesToo) {
  const auto searcher = SearcherOfPages({Manual()});
  for (const std::string& result : {std::string("tessera -about"), std::string("tessera lang:it")}) {
    SCOPED_TRACE(result);
    SearchRequest request{.query = result};
    request.count = 1000;
    const auto answer = searcher->Search(request);
    ASSERT_TRUE(answer.ok()) << answer.status().ToString();
    for (const SearchResult& found : answer->results) {
      EXPECT_NE(found.url, "https://tessera.test/");
    }
  }
}

TEST(SecondPhaseTest, PagesOfResultsNeitherSkipNorRepeat) {
  const auto searcher = SearcherOfPages({Manual()});
  SearchRequest request{.query = "tessera"};
  request.count = 1000;
  request.fold_duplicates = false;
  const auto whole = searcher->Search(request);
  ASSERT_EQ(whole->results.size(), 301u);
  request.count = 7;
  for (request.offset = 0; request.offset < 301; request.offset += 7) {
    const auto page = searcher->Search(request);
    for (size_t i = 0; i < page->results.size(); i++) {
      EXPECT_EQ(page->results[i].url, whole->results[request.offset + i].url);
    }
  }
}

TEST(SecondPhaseTest, ExplanationsAddUp) {
  const auto searcher = SearcherOfPages({Manual()});
  for (const std::string& query : {std::string("tessera"), std::string("sharp joins matters")}) {
    const auto answer = searcher->Search({.query = query, .explain = true});
    ASSERT_FALSE(answer->results.empty());
    for (const SearchResult& result : answer->results) {
      double sum = 0;
      for (const Explanation& part : result.explanation->parts) sum += part.value;
      EXPECT_NEAR(sum, result.score, 1e-5) << query << " " << result.url;
    }
  }
}

TEST(SecondPhaseTest, AnswersDependOnNeitherSegmentsNorAlgorithms) {
  SeededRandom random(3);
  const auto words = [&](uint64_t most) {
    std::string text;
    for (uint64_t n = random.Below(most); n-- > 0;)
      text += "w" + std::to_string(random.Below(1 + random.Below(30))) + " ";
    return text;
  };
  static const std::vector<std::string> kLanguages = {"", "en", "fr", "it"};
  std::vector<PageTexts> pages;
  for (int i = 0; i < 600; i++) {
    const std::string host = "https://w" + std::to_string(random.Below(9)) + ".test/";
    pages.push_back({i % 20 == 0 ? host : host + std::to_string(i),
                     words(4),
                     words(40),
                     kLanguages[random.Below(4)],
                     {words(3)}});
  }
  std::vector<std::vector<PageTexts>> parts(3);
  for (size_t i = 0; i < pages.size(); i++) parts[i * 3 / pages.size()].push_back(pages[i]);
  const auto whole = SearcherOfPages({pages});
  const auto cut = SearcherOfPages(parts);
  for (int q = 0; q < 100; q++) {
    SearchRequest request{.query = words(5) + "w1"};
    SCOPED_TRACE(request.query);
    request.count = 1 + random.Below(400);
    request.algorithm = Algorithm::kExhaustive;
    const auto expected = whole->Search(request);
    for (const Algorithm algorithm : {Algorithm::kAuto, Algorithm::kMaxScore, Algorithm::kBlockMaxWand}) {
      request.algorithm = algorithm;
      for (IndexSearcher* searcher : {whole.get(), cut.get()}) {
        const auto answer = searcher->Search(request);
        ASSERT_EQ(answer->results.size(), expected->results.size());
        for (size_t i = 0; i < answer->results.size(); i++) {
          ASSERT_EQ(answer->results[i].url, expected->results[i].url);
          ASSERT_EQ(answer->results[i].score, expected->results[i].score);
        }
      }
    }
  }
}

TEST(SecondPhaseTest, NamesTheWordsThatAResultDoesNotHave) {
  const auto searcher = SearcherOfPages({{{"https://a.test/1", "Oaks", "Oaks and beeches grow here."},
                                          {"https://a.test/2", "Beeches", "Only these, and water."}}});
  const auto answer = searcher->Search({.query = "oak beech qqqqqqqqq"});
  ASSERT_EQ(answer->results.size(), 2u);
  EXPECT_EQ(answer->results[0].url, "https://a.test/1");
  EXPECT_THAT(answer->results[0].missing, IsEmpty());
  EXPECT_THAT(answer->results[1].missing, ElementsAre("oak"));
  EXPECT_THAT(answer->notes, ElementsAre("no page has \"qqqqqqqqq\""));
}

TEST(SecondPhaseTest, SearchesForTheNearestWordWhereNoPageHasOne) {
  std::vector<PageTexts> pages;
  for (int i = 0; i < 30; i++) {
    pages.push_back(
        {"https://a.test/" + std::to_string(i), "Libraries", "The library of number " + std::to_string(i)});
  }
  pages.push_back({"https://a.test/x", "Musea", "About paintings"});
  const auto searcher = SearcherOfPages({pages});
  auto answer = searcher->Search({.query = "libary"});
  EXPECT_GE(answer->results.size(), 10u);
  EXPECT_THAT(answer->notes, ElementsAre(HasSubstr("no page has \"libary\": these are results for library")));
  EXPECT_EQ(answer->did_you_mean, "");
  SearchRequest request{.query = "libary"};
  request.correct = false;
  answer = searcher->Search(request);
  EXPECT_THAT(answer->results, IsEmpty());
  EXPECT_EQ(answer->did_you_mean, "library");
}

TEST(SecondPhaseTest, CorrectsAWordWhoseStemOnlyPagesOfAnotherLanguageHave) {
  std::vector<PageTexts> pages;
  for (int i = 0; i < 200; i++) {
    pages.push_back({"https://a.test/" + std::to_string(i), "Patterns", "regular expressions and more"});
  }
  for (int i = 0; i < 5; i++) {
    pages.push_back({"https://a.test/es" + std::to_string(i), "Paquetes", "lo que se puede expresar", "es"});
  }
  const auto searcher = SearcherOfPages({pages});
  auto answer = searcher->Search({.query = "regular expresions"});
  EXPECT_THAT(answer->notes,
              ElementsAre("no page has \"expresions\": these are results for regular expressions"));
  ASSERT_FALSE(answer->results.empty());
  EXPECT_EQ(answer->results[0].title.text, "Patterns");
  // Another form of a word that pages have is no mistake.
  answer = searcher->Search({.query = "regular expression"});
  EXPECT_THAT(answer->notes, IsEmpty());
  EXPECT_EQ(answer->did_you_mean, "");
  EXPECT_GE(answer->results.size(), 10u);
}

TEST(NameTextTest, IsTheWordsOfAQueryThatAsksForNothingElse) {
  const auto name = [](std::string_view text) { return NameTextOf(ParseQuery(text).query); };
  EXPECT_EQ(name("git commit"), "git commit");
  EXPECT_EQ(name("\"git commit\" lang:en -x"), "git commit");
  EXPECT_EQ(name("git title:commit"), "");
  EXPECT_EQ(name("git comm*"), "");
  EXPECT_EQ(name("lang:en"), "");
}

}  // namespace
}  // namespace crivello::search
