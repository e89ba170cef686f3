// SPDX-License-Identifier: Apache-2.0
#include "search/index_searcher.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "base/random.h"
#include "index/build/segment_builder.h"
#include "search/suggest/spelling.h"

namespace crivello::search {
namespace {

using index::IndexDocument;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

IndexDocument Page(const std::string& url, const std::string& title, const std::string& body,
                   const std::string& language = "") {
  IndexDocument document;
  document.url = url;
  document.id = url;
  document.title = title;
  document.text = body;
  document.language = language;
  document.texts = {{"title", title}, {"body", body}};
  document.labels = {{"language", language}, {"site", url.substr(0, url.find('/'))}};
  document.keywords = {{"site", url.substr(0, url.find('/'))}};
  if (!language.empty()) document.keywords.push_back({"lang", language});
  return document;
}

std::shared_ptr<const index::Segment> Built(
    const std::vector<IndexDocument>& documents,
    const std::string& analyser = std::string(text::kStandardAnalyser),
    index::PostingContents contents = index::PostingContents::kPositions) {
  index::MemorySink sink;
  auto builder = index::SegmentBuilder::Create({.analyser = analyser, .contents = contents}, sink);
  EXPECT_TRUE(builder.ok()) << builder.status().ToString();
  for (const IndexDocument& document : documents) EXPECT_TRUE((*builder)->Add(document).ok());
  EXPECT_TRUE((*builder)->Finish().ok());
  auto segment = index::Segment::FromParts(std::move(sink).Release());
  EXPECT_TRUE(segment.ok()) << segment.status().ToString();
  return *segment;
}

// As many segments as there are lists.
std::unique_ptr<IndexSearcher> SearcherOf(
    const std::vector<std::vector<IndexDocument>>& segments,
    const std::string& analyser = std::string(text::kStandardAnalyser),
    index::PostingContents contents = index::PostingContents::kPositions) {
  std::vector<index::SegmentView> views;
  for (const auto& documents : segments) views.push_back({Built(documents, analyser, contents), nullptr});
  auto searcher = IndexSearcher::Create(std::make_shared<index::Snapshot>(std::move(views), 1, analyser));
  EXPECT_TRUE(searcher.ok()) << searcher.status().ToString();
  return *std::move(searcher);
}

std::vector<std::string> Urls(Searcher& searcher, const std::string& query) {
  const auto answer = searcher.Search({.query = query});
  EXPECT_TRUE(answer.ok()) << answer.status().ToString();
  std::vector<std::string> urls;
  for (const SearchResult& result : answer->results) urls.push_back(result.url);
  EXPECT_EQ(answer->total, urls.size()) << query;
  return urls;
}

std::vector<IndexDocument> Library() {
  return {Page("a.it/1", "Romeo e Giulietta", "La tragedia di Romeo Montecchi e Giulietta Capuleti a Verona.",
               "it"),
          Page("a.it/2", "Gli amanti", "Romeo amava Rosalina prima di vedere Giulietta.", "it"),
          Page("b.org/1", "Romeo and Juliet", "Two lovers running away from Verona.", "en"),
          Page("b.org/2", "Marathon", "She runs. They were running for hours in Verona.", "en"),
          Page("c.fr/1", "L'albero", "Les coureurs courent vers l'arbre.", "fr")};
}

TEST(IndexSearcherTest, FindsByWordsPhrasesFieldsAndFilters) {
  const auto searcher = SearcherOf({Library()});
  EXPECT_THAT(Urls(*searcher, "giulietta"), ElementsAre("a.it/1", "a.it/2"));
  EXPECT_THAT(Urls(*searcher, "\"romeo e giulietta\""), ElementsAre("a.it/1"));
  EXPECT_THAT(Urls(*searcher, "\"giulietta romeo\"~20"), UnorderedElementsAre("a.it/1", "a.it/2"));
  EXPECT_THAT(Urls(*searcher, "\"giulietta romeo\"~>20"), IsEmpty());
  EXPECT_THAT(Urls(*searcher, "title:romeo"), UnorderedElementsAre("a.it/1", "b.org/1"));
  EXPECT_THAT(Urls(*searcher, "romeo -giulietta"), ElementsAre("b.org/1"));
  EXPECT_THAT(Urls(*searcher, "romeo AND verona"), UnorderedElementsAre("a.it/1", "b.org/1"));
  EXPECT_THAT(Urls(*searcher, "site:b.org verona"), UnorderedElementsAre("b.org/1", "b.org/2"));
  EXPECT_THAT(Urls(*searcher, "site:b.org"), UnorderedElementsAre("b.org/1", "b.org/2"));
  EXPECT_THAT(Urls(*searcher, "lang:it verona"), ElementsAre("a.it/1"));
  EXPECT_THAT(Urls(*searcher, "NOT romeo"), UnorderedElementsAre("b.org/2", "c.fr/1"));
  EXPECT_THAT(Urls(*searcher, "giul*"), UnorderedElementsAre("a.it/1", "a.it/2"));
  EXPECT_THAT(Urls(*searcher, "gi?lietta"), UnorderedElementsAre("a.it/1", "a.it/2"));
  EXPECT_THAT(Urls(*searcher, "giuletta~"), UnorderedElementsAre("a.it/1", "a.it/2"));
  EXPECT_THAT(Urls(*searcher, "nowhere"), IsEmpty());
  EXPECT_THAT(Urls(*searcher, "romeo AND nowhere"), IsEmpty());
  EXPECT_THAT(Urls(*searcher, ""), IsEmpty());
}

TEST(IndexSearcherTest, ShowsNoPageFromTheTimeOnThatItAskedToBeUnavailable) {
  std::vector<IndexDocument> pages = Library();
  pages[0].numbers = {{std::string(index::column::kUnavailableAfter), 1000}};
  pages[2].numbers = {{std::string(index::column::kUnavailableAfter), 2000}};
  std::vector<index::SegmentView> views = {{Built(pages), nullptr},
                                           {Built({Page("d.org/1", "Verona", "Romeo.", "en")}), nullptr}};
  ManualClock clock{WallTime(std::chrono::seconds(999))};
  const auto searcher = *IndexSearcher::Create(
      std::make_shared<index::Snapshot>(std::move(views), 1, std::string(text::kStandardAnalyser)), clock);
  const auto romeo = [&](Algorithm algorithm) {
    std::set<std::string> urls;
    const auto answer = searcher->Search({.query = "romeo", .algorithm = algorithm});
    EXPECT_TRUE(answer.ok());
    for (const SearchResult& result : answer->results) urls.insert(result.url);
    EXPECT_EQ(answer->total, urls.size());
    EXPECT_EQ(*searcher->Count({.query = "romeo"}), urls.size());
    return urls;
  };
  for (const Algorithm algorithm : {Algorithm::kAuto, Algorithm::kExhaustive, Algorithm::kMaxScore,
                                    Algorithm::kBlockMaxWand, Algorithm::kBlockMaxAnd}) {
    EXPECT_THAT(romeo(algorithm), UnorderedElementsAre("a.it/1", "a.it/2", "b.org/1", "d.org/1"));
  }
  clock.Advance(std::chrono::seconds(1));
  for (const Algorithm algorithm : {Algorithm::kAuto, Algorithm::kExhaustive, Algorithm::kMaxScore,
                                    Algorithm::kBlockMaxWand, Algorithm::kBlockMaxAnd}) {
    EXPECT_THAT(romeo(algorithm), UnorderedElementsAre("a.it/2", "b.org/1", "d.org/1"));
  }
  clock.Advance(std::chrono::seconds(1000));
  EXPECT_THAT(romeo(Algorithm::kAuto), UnorderedElementsAre("a.it/2", "d.org/1"));
  EXPECT_THAT(Urls(*searcher, "site:b.org"), ElementsAre("b.org/2"));
}

// French stems bees to be, and an index does not tell whose stem a term is.
TEST(IndexSearcherTest, FindsNoStopWordByTheStemOfAnotherLanguage) {
  const auto searcher = SearcherOf({{Page("a.org/1", "Bees", "A bee makes honey.", "en"),
                                     Page("a.org/2", "Hamlet", "To be or not to be.", "en"),
                                     Page("c.fr/1", "Abeilles", "Les abeilles font du miel.", "fr")}});
  EXPECT_THAT(Urls(*searcher, "bees"), ElementsAre("a.org/1"));
  EXPECT_THAT(Urls(*searcher, "bee"), ElementsAre("a.org/1"));
  EXPECT_THAT(Urls(*searcher, "abeille"), ElementsAre("c.fr/1"));
  EXPECT_THAT(Urls(*searcher, "be"), ElementsAre("a.org/2"));
}

TEST(IndexSearcherTest, FindsAWordWhateverLanguageItWasTakenFor) {
  const auto searcher = SearcherOf({Library()});
  EXPECT_THAT(Urls(*searcher, "run"), UnorderedElementsAre("b.org/1", "b.org/2"));
  EXPECT_THAT(Urls(*searcher, "running"), UnorderedElementsAre("b.org/1", "b.org/2"));
  EXPECT_THAT(Urls(*searcher, "amavano"), ElementsAre("a.it/2"));
  EXPECT_THAT(Urls(*searcher, "coureur"), ElementsAre("c.fr/1"));
  EXPECT_THAT(Urls(*searcher, "albero"), ElementsAre("c.fr/1"));  // an Italian title on a French page
  EXPECT_THAT(Urls(*searcher, "l'arbre"), ElementsAre("c.fr/1"));
  EXPECT_THAT(Urls(*searcher, "ROMÉO"), UnorderedElementsAre("a.it/1", "a.it/2", "b.org/1"));
}

TEST(IndexSearcherTest, FindsANameOfSeveralPartsAsUrlsHaveIt) {
  std::vector<IndexDocument> pages = {Page("a.it/1", "Connections", "Finds the one of a statement.", "en"),
                                      Page("a.it/2", "Other", "What db_handle returns.", "en"),
                                      Page("a.it/3", "Doors", "The handle of the db, an HTML page.", "en")};
  pages[0].texts.push_back({"url", "a it c3ref db handle html"});
  const auto searcher = SearcherOf({pages});
  EXPECT_THAT(Urls(*searcher, "c3ref/db_handle.html"), ElementsAre("a.it/1"));
  EXPECT_THAT(Urls(*searcher, "db_handle.html"), ElementsAre("a.it/1"));
  EXPECT_THAT(Urls(*searcher, "db_handle"), UnorderedElementsAre("a.it/1", "a.it/2"));
  EXPECT_THAT(Urls(*searcher, "dbHandle"), ElementsAre("a.it/1"));
  EXPECT_THAT(Urls(*searcher, "+db_handle connections"), UnorderedElementsAre("a.it/1", "a.it/2"));
  EXPECT_THAT(Urls(*searcher, "handle_db"), IsEmpty());
  SearchRequest request{.query = "the db_handle.html please", .syntax = SearchRequest::Syntax::kPlain};
  const auto answer = searcher->Search(request);
  ASSERT_FALSE(answer->results.empty());
  EXPECT_EQ(answer->results[0].url, "a.it/1");
  EXPECT_THAT(answer->results[0].missing, IsEmpty());
  EXPECT_THAT(answer->notes, ElementsAre("no page has \"please\""));
}

TEST(IndexSearcherTest, ShowsPassagesWithTheWordsMarked) {
  const auto searcher = SearcherOf({Library()});
  const auto answer = searcher->Search({.query = "run verona site:b.org"});
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->results.size(), 2u);
  for (const SearchResult& result : answer->results) {
    std::vector<std::string> marked;
    for (const Highlight& mark : result.snippet.highlights) {
      marked.push_back(result.snippet.text.substr(mark.begin, mark.end - mark.begin));
    }
    if (result.url == "b.org/2") {
      EXPECT_THAT(marked, ElementsAre("runs", "running", "Verona"));
    } else {
      EXPECT_THAT(marked, ElementsAre("running", "Verona"));
    }
  }
}

// BM25 as in the lecture notes, by hand.
TEST(IndexSearcherTest, ScoresAsTheNotesDo) {
  std::vector<IndexDocument> documents;
  const std::vector<std::string> bodies = {"x y z x", "y", "z z z z z z", "w w", "v", "u", "t t t"};
  for (const std::string& body : bodies) {
    IndexDocument document;
    document.url = "u/" + std::to_string(documents.size());
    document.texts = {{"body", body}};
    documents.push_back(document);
  }
  const auto searcher = SearcherOf({documents}, "plain");
  const auto answer =
      searcher->Search({.query = "x z", .ranking = RankingOptions::FirstPhase(), .explain = true});
  ASSERT_TRUE(answer.ok());
  const double mean = 18.0 / 7;
  const auto bm25 = [&](double count, double length, double frequency) {
    const double idf = std::log((7 - frequency + 0.5) / (frequency + 0.5));
    return 2.2 * count / (1.2 * (0.25 + 0.75 * length / mean) + count) * idf;
  };
  ASSERT_EQ(answer->results.size(), 2u);
  EXPECT_EQ(answer->results[0].url, "u/0");
  EXPECT_NEAR(answer->results[0].score, bm25(2, 4, 1) + bm25(1, 4, 2), 1e-5);
  EXPECT_NEAR(answer->results[1].score, bm25(6, 6, 2), 1e-5);
  const Explanation& words = answer->results[0].explanation->parts[0];
  EXPECT_EQ(words.what, "sum");
  EXPECT_NEAR(words.value, answer->results[0].score, 1e-9);
  EXPECT_NEAR(words.parts[0].value, bm25(2, 4, 1), 1e-5);

  SearchRequest request{.query = "x z"};
  request.ranking.ranking = Ranking::kCount;
  EXPECT_NEAR(searcher->Search(request)->results[0].score, 6, 1e-4);
  request.ranking.ranking = Ranking::kTfIdf;
  EXPECT_NEAR(searcher->Search(request)->results[0].score, 2.0 / 4 * std::log(7.0) + 1.0 / 4 * std::log(3.5),
              1e-5);
  EXPECT_NEAR(searcher->Search(request)->results[1].score, std::log(3.5), 1e-5);
  request.ranking.ranking = Ranking::kTfIdfMaximum;
  EXPECT_NEAR(searcher->Search(request)->results[0].score, std::log(7.0) + 1.0 / 2 * std::log(3.5), 1e-5);
  EXPECT_NEAR(searcher->Search(request)->results[1].score, std::log(3.5), 1e-5);
}

TEST(IndexSearcherTest, AnswersDoNotDependOnSegmentsOrAlgorithms) {
  SeededRandom random(7);
  std::vector<IndexDocument> documents;
  for (int i = 0; i < 400; i++) {
    std::string title;
    std::string body;
    for (uint64_t n = random.Below(5); n-- > 0;)
      title += "w" + std::to_string(random.Below(1 + random.Below(40))) + " ";
    for (uint64_t n = random.Below(30); n-- > 0;)
      body += "w" + std::to_string(random.Below(1 + random.Below(40))) + " ";
    documents.push_back(Page("s" + std::to_string(random.Below(5)) + "/" + std::to_string(i), title, body));
  }
  std::vector<std::vector<IndexDocument>> parts(3);
  for (size_t i = 0; i < documents.size(); i++)
    parts[i * i * 3 / (documents.size() * documents.size())].push_back(documents[i]);
  const auto whole = SearcherOf({documents});
  const auto cut = SearcherOf(parts);
  for (int q = 0; q < 200; q++) {
    const auto word = [&] { return "w" + std::to_string(random.Below(45)); };
    static const std::vector<std::string> kShapes = {
        "%",         "% %",         "+% +%",       "% % %", "\"% %\"", "% -%", "+% %",       "(% OR %) AND %",
        "title:% %", "\"% %\"~5 %", "site:s1 % %", "w1* %", "NOT %",   "%~ %", "% OR NOT %", "+\"% %\" %^3"};
    std::string query = kShapes[random.Below(kShapes.size())];
    for (size_t at; (at = query.find('%')) != std::string::npos;) query.replace(at, 1, word());
    SCOPED_TRACE(query);
    SearchRequest request{.query = query};
    request.total = TotalKind::kExact;
    request.algorithm = Algorithm::kExhaustive;
    const auto expected = whole->Search(request);
    ASSERT_TRUE(expected.ok());
    for (const Algorithm algorithm : {Algorithm::kAuto, Algorithm::kMaxScore, Algorithm::kBlockMaxWand}) {
      request.algorithm = algorithm;
      for (IndexSearcher* searcher : {whole.get(), cut.get()}) {
        const auto answer = searcher->Search(request);
        ASSERT_TRUE(answer.ok());
        EXPECT_EQ(answer->total, expected->total);
        ASSERT_EQ(answer->results.size(), expected->results.size());
        for (size_t i = 0; i < answer->results.size(); i++) {
          EXPECT_EQ(answer->results[i].url, expected->results[i].url);
          EXPECT_EQ(answer->results[i].score, expected->results[i].score);
        }
      }
    }
    // Pages of three make the same list.
    request.count = 3;
    for (size_t i = 0; i < expected->results.size(); i++) {
      if (i % 3 != 0) continue;
      request.offset = i;
      const auto page = cut->Search(request);
      for (size_t j = 0; j < page->results.size() && i + j < expected->results.size(); j++) {
        EXPECT_EQ(page->results[j].url, expected->results[i + j].url);
      }
    }
  }
}

TEST(IndexSearcherTest, FoldsCopiesAndGroupsBySite) {
  std::vector<IndexDocument> documents;
  for (int i = 0; i < 6; i++) {
    IndexDocument page = Page("s" + std::to_string(i % 2) + "/" + std::to_string(i), "",
                              "word" + std::string(static_cast<size_t>(i), 'x') + " word");
    page.numbers = {{"digest", i < 3 ? 7 : 100 + i}, {"simhash", int64_t{0xff} << (8 * i)}};
    documents.push_back(page);
  }
  documents[5].numbers[1].value = (int64_t{0xff} << 32) ^ 5;  // two bits from that of document 4
  const auto searcher = SearcherOf({documents});
  SearchRequest request{.query = "word"};
  auto answer = searcher->Search(request);
  std::vector<std::pair<std::string, size_t>> found;
  for (const SearchResult& result : answer->results) found.emplace_back(result.url, result.duplicates.size());
  EXPECT_THAT(found, UnorderedElementsAre(std::pair(std::string("s0/0"), size_t{2}),
                                          std::pair(std::string("s1/3"), size_t{0}),
                                          std::pair(std::string("s0/4"), size_t{1})));
  request.fold_duplicates = false;
  request.per_site = 1;
  answer = searcher->Search(request);
  ASSERT_EQ(answer->results.size(), 2u);
  EXPECT_EQ(answer->results[0].more_from_site, 2u);
  EXPECT_EQ(answer->total, 6u);
}

TEST(IndexSearcherTest, LeavesOutWhatIsDeleted) {
  const std::vector<IndexDocument> library = Library();
  auto live = std::make_shared<index::LiveDocuments>(static_cast<index::DocId>(library.size()));
  live->Delete(0);
  const auto snapshot = std::make_shared<index::Snapshot>(
      std::vector<index::SegmentView>{{Built(library), live}}, 1, std::string(text::kStandardAnalyser));
  const auto searcher = IndexSearcher::Create(snapshot);
  EXPECT_THAT(Urls(**searcher, "giulietta"), ElementsAre("a.it/2"));
  EXPECT_THAT(Urls(**searcher, "NOT verona"), UnorderedElementsAre("a.it/2", "c.fr/1"));
}

TEST(IndexSearcherTest, FindsTheVersionThatWasCurrentThen) {
  std::vector<IndexDocument> versions = {Page("u/1", "old", "word old"), Page("u/1", "new", "word new")};
  versions[0].numbers = {{"from", 100}};
  versions[1].numbers = {{"from", 200}};
  auto live = std::make_shared<index::LiveDocuments>(2);
  live->End(0, 200);
  const auto created = IndexSearcher::Create(std::make_shared<index::Snapshot>(
      std::vector<index::SegmentView>{{Built(versions), live}}, 1, std::string(text::kStandardAnalyser)));
  const auto titles = [&](std::optional<int64_t> at) {
    SearchRequest request{.query = "word"};
    request.at = at;
    const auto answer = (*created)->Search(request);
    std::vector<std::string> out;
    for (const SearchResult& result : answer->results) out.push_back(result.title.text);
    return out;
  };
  EXPECT_THAT(titles(std::nullopt), ElementsAre("new"));
  EXPECT_THAT(titles(50), IsEmpty());
  EXPECT_THAT(titles(150), ElementsAre("old"));
  EXPECT_THAT(titles(200), ElementsAre("new"));
}

TEST(IndexSearcherTest, MixesInRanksAndFreshness) {
  std::vector<IndexDocument> documents = Library();
  for (size_t i = 0; i < documents.size(); i++) {
    documents[i].scores = {{"pagerank", static_cast<float>(i) / 10}};
    documents[i].numbers = {{"time", static_cast<int64_t>(1000 * i)}};
  }
  const auto searcher = SearcherOf({documents});
  SearchRequest request{.query = "giulietta", .ranking = RankingOptions::FirstPhase(), .explain = true};
  request.ranking.rank = "pagerank";
  request.ranking.rank_weight = 100;
  auto answer = searcher->Search(request);
  EXPECT_EQ(answer->results[0].url, "a.it/2");
  const Explanation& explanation = *answer->results[0].explanation;
  // The median of 0.1, 0.2, 0.3 and 0.4 is 0.2: the lower one of two.
  const double grown = std::pow(0.1 / 0.2, 0.6);
  EXPECT_NEAR(explanation.parts[1].value, 100 * grown / (1 + grown), 1e-3);
  EXPECT_NEAR(explanation.value, explanation.parts[0].value + explanation.parts[1].value, 1e-5);
  request.ranking.rank.clear();
  request.ranking.freshness_weight = 50;
  request.ranking.freshness_half_life_seconds = 500;
  request.ranking.now_seconds = 4000;
  answer = searcher->Search(request);
  EXPECT_NEAR(answer->results[0].explanation->parts[1].value, 50.0 / 64, 1e-3);
  EXPECT_THAT(Urls(*searcher, "date:1970-01-01 giulietta"), ElementsAre("a.it/1", "a.it/2"));
  EXPECT_THAT(Urls(*searcher, "date:>1970 giulietta"), IsEmpty());
}

TEST(IndexSearcherTest, SaysWhatItLeftOut) {
  std::vector<IndexDocument> documents;
  for (int i = 0; i < 300; i++)
    documents.push_back(Page("u/" + std::to_string(i), "", "pre" + std::to_string(i)));
  const auto searcher = SearcherOf({documents});
  SearchRequest request{.query = "pre*"};
  auto answer = searcher->Search(request);
  EXPECT_TRUE(answer->partial);
  ASSERT_EQ(answer->notes.size(), 1u);
  EXPECT_THAT(answer->notes[0], HasSubstr("pre* matches many words"));

  std::string hostile;
  for (int i = 0; i < 600; i++) hostile += "p* OR " + std::to_string(i) + "? OR ";
  answer = searcher->Search({.query = hostile});
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(answer->partial);
  std::string phrase = "\"";
  for (int i = 0; i < 500; i++) phrase += "pre1 ";
  EXPECT_TRUE(searcher->Search({.query = phrase})->partial);

  request.query = "pre1";
  request.timeout = Duration(0);
  EXPECT_TRUE(searcher->Search(request)->partial);
  EXPECT_FALSE(searcher->Search({.query = "a (b", .syntax = SearchRequest::Syntax::kStrict}).ok());
}

// An index of documents or of counts answers whatever its data allows, and says what it does not.
TEST(IndexSearcherTest, AnswersFromAnIndexOfEachDegree) {
  using index::PostingContents;
  // Several blocks of postings, so that bounds and skips are used.
  std::vector<IndexDocument> documents = Library();
  for (int i = 0; i < 1000; i++) {
    documents.push_back(
        Page("d.org/" + std::to_string(i), "Page", "common " + std::string(i % 3 == 0 ? "third" : "other")));
  }
  const std::string analyser(text::kStandardAnalyser);
  const auto full = SearcherOf({documents}, analyser);
  for (const PostingContents contents : {PostingContents::kDocuments, PostingContents::kCounts}) {
    SCOPED_TRACE(static_cast<int>(contents));
    const auto searcher = SearcherOf({documents}, analyser, contents);
    for (const std::string query :
         {"romeo", "+romeo -juliet", "romeo OR marathon", "verona AND (romeo OR running)", "title:romeo",
          "site:b.org verona", "run*", "giuliett~1", "third common", "+third +common", "common -third"}) {
      for (const Ranking ranking :
           {Ranking::kBm25f, Ranking::kBm25, Ranking::kTfIdf, Ranking::kTfIdfMaximum, Ranking::kCount}) {
        SearchRequest request{
            .query = query, .count = 2000, .total = TotalKind::kExact, .fold_duplicates = false};
        request.ranking.ranking = ranking;
        const auto answer = searcher->Search(request);
        ASSERT_TRUE(answer.ok()) << answer.status().ToString();
        const auto expected = full->Search(request);
        ASSERT_TRUE(expected.ok());
        EXPECT_GT(answer->total, 0u) << query;
        EXPECT_EQ(answer->total, expected->total) << query;
        EXPECT_EQ(answer->notes, expected->notes) << query;
        std::set<std::string> found;
        std::set<std::string> wanted;
        for (const SearchResult& result : answer->results) found.insert(result.url);
        for (const SearchResult& result : expected->results) wanted.insert(result.url);
        EXPECT_EQ(found, wanted) << query;
        request.count = 10;  // where only the best are looked for
        const auto best = searcher->Search(request);
        ASSERT_TRUE(best.ok());
        ASSERT_LE(best->results.size(), answer->results.size());
        for (size_t i = 0; i < best->results.size(); i++) {
          EXPECT_EQ(best->results[i].url, answer->results[i].url) << query;
          EXPECT_EQ(best->results[i].score, answer->results[i].score) << query;
        }
      }
    }
    const auto phrase = searcher->Search({.query = "\"giulietta vedere\""});
    ASSERT_TRUE(phrase.ok());
    EXPECT_EQ(phrase->total, 1u);
    ASSERT_EQ(phrase->notes.size(), 1u);
    EXPECT_THAT(phrase->notes[0], HasSubstr("this index has no positions"));
    EXPECT_EQ(full->Search({.query = "\"giulietta vedere\""})->total, 0u);
  }
}

TEST(IndexSearcherTest, RenewsCompletionsInTheBackground) {
  const auto snapshot = [](const std::string& title) {
    return std::make_shared<const index::Snapshot>(
        std::vector<index::SegmentView>{{Built({Page("u/1", title, "")}), nullptr}}, 1,
        std::string(text::kStandardAnalyser));
  };
  ManualClock clock;
  const auto searcher = IndexSearcher::Create(snapshot("Elm"), clock);
  ASSERT_TRUE(searcher.ok());
  EXPECT_THAT(*(*searcher)->Suggest("el", 9), ElementsAre("Elm"));
  (*searcher)->Use(snapshot("Elder"));
  EXPECT_THAT(*(*searcher)->Suggest("el", 9), ElementsAre("Elm"));  // too early for new ones
  clock.Advance(Suggester::kRenewal);
  std::vector<std::string> found;
  do {
    found = *(*searcher)->Suggest("el", 9);
    ASSERT_THAT(found, ::testing::AnyOf(ElementsAre("Elm"), ElementsAre("Elder")));
  } while (found[0] != "Elder");
}

TEST(IndexSearcherTest, MakesCompletionsReadyBeforeAnybodyTypes) {
  const auto snapshot = [](const std::string& title) {
    return std::make_shared<const index::Snapshot>(
        std::vector<index::SegmentView>{{Built({Page("u/1", title, "")}), nullptr}}, 1,
        std::string(text::kStandardAnalyser));
  };
  const ManualClock clock;
  const auto searcher = IndexSearcher::Create(snapshot("Elm"), clock);
  ASSERT_TRUE(searcher.ok());
  (*searcher)->PrepareSuggestions();
  (*searcher)->Use(snapshot("Elder"));
  EXPECT_THAT(*(*searcher)->Suggest("el", 9), ElementsAre("Elm")) << "made before they were asked for";
}

TEST(IndexSearcherTest, HostileQueriesEndAndSaySo) {
  const auto searcher = SearcherOf({Library()});
  const auto repeated = [](const std::string& text, int times) {
    std::string out;
    for (int i = 0; i < times; i++) out += text;
    return out;
  };
  std::string many;
  for (int i = 0; i < 10'000; i++) many += "w" + std::to_string(i) + " ";
  const std::vector<std::string> too_much = {
      many + "romeo",
      repeated("(", 1000) + "romeo" + repeated(")", 1000) + " verona",
      "\"" + repeated("the di e ", 170) + "\"",
      repeated("-(+a ", 1000),
      repeated("x?", 50) + " romeo",
  };
  for (const std::string& query : too_much) {
    SCOPED_TRACE(query.substr(0, 40));
    const auto answer = searcher->Search({.query = query});
    ASSERT_TRUE(answer.ok()) << answer.status().ToString();
    EXPECT_TRUE(answer->partial);
    EXPECT_THAT(answer->notes, ::testing::Not(IsEmpty()));
  }
  std::string patterns = "a*";
  for (char c = 'a'; c <= 'z'; c++) patterns += std::string(" OR ") + c + "* OR *" + c + "*";
  EXPECT_TRUE(searcher->Search({.query = patterns}).ok());
  EXPECT_THAT(Urls(*searcher, "\xff\xfe\x80 rosalina \xc3"), ElementsAre("a.it/2"));
}

TEST(IndexSearcherTest, WordsNearOneAnotherCountMoreIfAsked) {
  const std::vector<IndexDocument> pages = {Page("u/far", "", "red a b c d e f g h i j k l fox m n"),
                                            Page("u/near", "", "red fox a b c d e f g h i j k l m n"),
                                            Page("u/other", "", "something else"),
                                            Page("u/more", "", "and more"), Page("u/last", "", "the last")};
  const auto searcher = SearcherOf({pages});
  SearchRequest request{.query = "red fox", .ranking = RankingOptions::FirstPhase(), .explain = true};
  auto answer = searcher->Search(request);
  ASSERT_EQ(answer->results.size(), 2u);
  EXPECT_EQ(answer->results[0].url, "u/far");
  EXPECT_EQ(answer->results[0].score, answer->results[1].score);
  const double plain = answer->results[0].score;
  request.ranking.proximity = 0.5f;
  answer = searcher->Search(request);
  ASSERT_EQ(answer->results.size(), 2u);
  EXPECT_EQ(answer->results[0].url, "u/near");
  // Both words once; all pages but two are shorter than these.
  const double mean = (16 + 16 + 2 + 2 + 2) / 5.0;
  const double idf = std::log((5 - 2 + 0.5) / (2 + 0.5));
  const double near = 1 / (0.25 + 0.75 * 16 / mean);
  const double far = near / (13 * 13);
  EXPECT_NEAR(answer->results[0].score, plain + 0.5 * idf * 2.2 * near / (near + 1.2), 1e-4);
  EXPECT_NEAR(answer->results[1].score, plain + 0.5 * idf * 2.2 * far / (far + 1.2), 1e-4);
  const Explanation& explanation = *answer->results[0].explanation;
  EXPECT_EQ(explanation.parts.back().what, "proximity");
  EXPECT_NEAR(explanation.parts.back().value, answer->results[0].score - plain, 1e-5);
  // A page of one shows the same.
  request.count = 1;
  request.offset = 1;
  EXPECT_EQ(searcher->Search(request)->results[0].url, "u/far");
}

TEST(IndexSearcherTest, FindsPagesLikeAPage) {
  const auto searcher = SearcherOf({Library()});
  const auto answer = searcher->Similar({.url = "a.it/1"});
  ASSERT_TRUE(answer.ok()) << answer.status().ToString();
  ASSERT_FALSE(answer->results.empty());
  EXPECT_EQ(answer->results[0].url, "a.it/2");  // which has both names
  for (const SearchResult& result : answer->results) EXPECT_NE(result.url, "a.it/1");
  EXPECT_EQ(answer->total, answer->results.size());
  EXPECT_EQ(searcher->Similar({.url = "a.it/9"}).status().code(), StatusCode::kNotFound);
  EXPECT_THAT(searcher->Similar({.url = "c.fr/1"})->results, IsEmpty());
}

TEST(IndexSearcherTest, ProposesASpellingThatFindsMore) {
  std::vector<IndexDocument> pages = Library();
  pages.push_back(Page("d.it/1", "Perché", "Perché la città dorme.", "it"));
  pages.push_back(Page("d.it/2", "Marca", "La Marca trevigiana. Marca, marca.", "it"));
  pages.push_back(Page("d.it/3", "Barca", "La barca a vela, in barca a vela.", "it"));
  pages.push_back(Page("d.it/4", "Vela", "Barca a vela. Marca.", "it"));
  pages.push_back(Page("d.it/5", "Sul lago", "In barca.", "it"));
  const auto searcher = SearcherOf({pages});
  const auto spelling = [&](const std::string& query) {
    const auto answer = searcher->Search({.query = query, .correct = false});
    EXPECT_TRUE(answer.ok()) << answer.status().ToString();
    return answer->did_you_mean;
  };
  EXPECT_EQ(spelling("giuleta"), "giulietta");
  EXPECT_EQ(spelling("romoe"), "romeo");                // an exchange
  EXPECT_EQ(spelling("perhce"), "Perché");              // with its accent
  EXPECT_EQ(spelling("darca a vela"), "barca a vela");  // for its neighbour; marca is as near
  EXPECT_EQ(spelling("title:giuleta juliet"), "title:giulietta juliet");
  EXPECT_EQ(spelling("\"romeo e giuleta\""), "\"romeo e giulietta\"");
  EXPECT_EQ(spelling("romeo AND giuleta"), "+romeo +giulietta");
  EXPECT_EQ(spelling("giulietta"), "");
  EXPECT_EQ(spelling("amavano"), "");  // which is found by its stem
  EXPECT_EQ(spelling("xyzzyx"), "");
  EXPECT_EQ(spelling("romeo AND giuleta AND nowhere"), "");  // finds nothing more
  EXPECT_EQ(spelling("giuleta*"), "");
  EXPECT_EQ(spelling("site:giuletta.it"), "");
  SearchRequest request{.query = "giuleta"};
  request.spelling = false;
  EXPECT_EQ(searcher->Search(request)->did_you_mean, "");
}

TEST(SpellingTest, CountsEdits) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("", "ab"), 2u);
  EXPECT_EQ(EditDistance("verona", "verona"), 0u);
  EXPECT_EQ(EditDistance("verona", "verna"), 1u);
  EXPECT_EQ(EditDistance("verona", "veroan"), 1u);
  EXPECT_EQ(EditDistance("ca", "abc"), 3u);  // no letter twice
  EXPECT_EQ(EditDistance("città", "citta"), 1u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
}

TEST(IndexSearcherTest, CompletesWhatWasTyped) {
  const auto searcher = SearcherOf({Library()});
  // As pages write it; then the title that has it.
  EXPECT_THAT(*searcher->Suggest("giul", 10), ElementsAre("Giulietta", "Romeo e Giulietta"));
  EXPECT_THAT(*searcher->Suggest("ROMÉO", 10), ElementsAre("Romeo and Juliet", "Romeo e Giulietta"));
  EXPECT_THAT(*searcher->Suggest("romeo  e g", 10), ElementsAre("Romeo e Giulietta"));
  EXPECT_THAT(*searcher->Suggest("tell me of capu", 10), ElementsAre("tell me of Capuleti"));
  EXPECT_THAT(*searcher->Suggest("capuleti of ", 10), IsEmpty());
  EXPECT_THAT(*searcher->Suggest("zz", 10), IsEmpty());
  EXPECT_THAT(*searcher->Suggest("", 10), IsEmpty());
}

TEST(IndexSearcherTest, FindsNothingInAnEmptyIndex) {
  const auto nothing =
      std::make_shared<const index::Snapshot>(std::vector<index::SegmentView>(), 1, "words fold");
  const auto searcher = IndexSearcher::Create(nothing).value();
  for (const char* query :
       {"word", "two words", "\"a phrase\"", "title:word", "site:a.test", "-word", "w*", "wrod~1"}) {
    SCOPED_TRACE(query);
    const auto answer = searcher->Search({.query = query});
    ASSERT_TRUE(answer.ok()) << answer.status().ToString();
    EXPECT_TRUE(answer->results.empty());
    EXPECT_EQ(answer->total, 0u);
  }
  EXPECT_EQ(searcher->Count({.query = "word"}).value(), 0u);
}

}  // namespace
}  // namespace crivello::search
