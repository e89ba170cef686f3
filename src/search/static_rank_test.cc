// SPDX-License-Identifier: Apache-2.0
// Ranks where people search: what they add to scores, and what is found by them.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "index/build/segment_builder.h"
#include "index/ranks/rank_test_support.h"
#include "search/index_searcher.h"
#include "search/query/document_bonus.h"

namespace crivello::search {
namespace {

using index::IndexDocument;
using index::PlainRank;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

IndexDocument RankedPage(const std::string& url, const std::string& body) {
  IndexDocument document;
  document.url = url;
  document.text = body;
  document.texts = {{"body", body}};
  return document;
}

struct NamedRank {
  std::string name;
  PlainRank rank;
};

// As many segments as there are lists, with columns of the ranks.
std::shared_ptr<const index::Snapshot> RankedSnapshot(const std::vector<std::vector<IndexDocument>>& segments,
                                                      const std::vector<NamedRank>& ranks) {
  std::vector<index::SegmentView> views;
  for (const auto& documents : segments) {
    index::MemorySink sink;
    auto builder = index::SegmentBuilder::Create({.analyser = std::string(text::kStandardAnalyser)}, sink);
    EXPECT_TRUE(builder.ok()) << builder.status().ToString();
    for (const IndexDocument& document : documents) EXPECT_TRUE((*builder)->Add(document).ok());
    EXPECT_TRUE((*builder)->Finish().ok());
    auto segment = index::Segment::FromParts(std::move(sink).Release());
    EXPECT_TRUE(segment.ok()) << segment.status().ToString();
    index::SegmentView view = {*segment, nullptr};
    for (const NamedRank& named : ranks)
      view.ranks.push_back(index::PagesOf(named.name, 1, named.rank)->ColumnOf(**segment));
    views.push_back(std::move(view));
  }
  return std::make_shared<index::Snapshot>(std::move(views), 1, std::string(text::kStandardAnalyser));
}

std::unique_ptr<IndexSearcher> RankedSearcher(const std::vector<std::vector<IndexDocument>>& segments,
                                              const std::vector<NamedRank>& ranks) {
  auto searcher = IndexSearcher::Create(RankedSnapshot(segments, ranks));
  EXPECT_TRUE(searcher.ok()) << searcher.status().ToString();
  return *std::move(searcher);
}

std::vector<std::string> UrlsOf(const Result<SearchAnswer>& answer) {
  EXPECT_TRUE(answer.ok()) << answer.status().ToString();
  std::vector<std::string> urls;
  for (const SearchResult& result : answer->results) urls.push_back(result.url);
  return urls;
}

TEST(StaticRankTest, APageThatManyLinkToComesFirstWithTheRankOn) {
  const std::vector<IndexDocument> pages = {RankedPage("copy", "sieve sieve of eratosthenes"),
                                            RankedPage("known", "sieve of eratosthenes and of others"),
                                            RankedPage("other", "nothing of that")};
  const auto searcher = RankedSearcher({pages}, {{"pagerank", {{"copy", 1}, {"known", 400}, {"other", 2}}}});
  SearchRequest request{.query = "sieve", .ranking = RankingOptions::FirstPhase()};
  request.ranking.rank = kNoRank;
  EXPECT_THAT(UrlsOf(searcher->Search(request)), ElementsAre("copy", "known"));
  request.ranking.rank = "pagerank";
  EXPECT_THAT(UrlsOf(searcher->Search(request)), ElementsAre("known", "copy"));
  request.ranking.rank.clear();  // the default
  EXPECT_THAT(UrlsOf(searcher->Search(request)), ElementsAre("known", "copy"));
  request.ranking.rank_weight = 0;
  EXPECT_THAT(UrlsOf(searcher->Search(request)), ElementsAre("copy", "known"));
}

TEST(StaticRankTest, OnlyTheDefaultRankIsUsedUnasked) {
  const auto searcher =
      RankedSearcher({{RankedPage("a", "sieve sieve"), RankedPage("b", "sieve and others")}},
                     {{"mine", {{"a", 1}, {"b", 1000}}}});
  SearchRequest request{.query = "sieve", .ranking = RankingOptions::FirstPhase(), .explain = true};
  const auto answer = searcher->Search(request);
  EXPECT_THAT(UrlsOf(answer), ElementsAre("a", "b"));
  EXPECT_EQ(answer->results[0].explanation->parts.size(), 1u);
  request.ranking.rank = "mine";
  EXPECT_THAT(UrlsOf(searcher->Search(request)), ElementsAre("b", "a"));
}

TEST(StaticRankTest, ANameThatTheIndexDoesNotHaveIsAnErrorThatNamesThoseThatItHas) {
  IndexDocument page = RankedPage("a", "sieve");
  page.scores = {{"inlinks", 3}};
  const auto searcher = RankedSearcher({{page}}, {{"pagerank", {{"a", 1}}}});
  for (const bool sorts : {false, true}) {
    SearchRequest request{.query = "sieve", .ranking = RankingOptions::FirstPhase()};
    (sorts ? request.ranking.sort : request.ranking.rank) = "nope";
    const auto answer = searcher->Search(request);
    EXPECT_EQ(answer.status().code(), StatusCode::kNotFound);
    EXPECT_THAT(answer.status().message(), HasSubstr("no static score 'nope'"));
    EXPECT_THAT(answer.status().message(), HasSubstr("inlinks, pagerank"));
  }
  const auto empty = RankedSearcher({}, {});
  SearchRequest request{.query = "sieve", .ranking = RankingOptions::FirstPhase()};
  request.ranking.rank = "pagerank";
  EXPECT_TRUE(empty->Search(request).ok());
}

TEST(StaticRankTest, ExplanationsAddUp) {
  const auto searcher = RankedSearcher({{RankedPage("a", "sieve"), RankedPage("new", "sieve of others")}},
                                       {{"pagerank", {{"a", 9}, {"b", 3}, {"c", 1}}}});
  SearchRequest request{.query = "sieve", .ranking = RankingOptions::FirstPhase(), .explain = true};
  request.ranking.rank_weight = 4;
  const auto answer = searcher->Search(request);
  ASSERT_THAT(UrlsOf(answer), ElementsAre("a", "new"));
  for (const SearchResult& result : answer->results) {
    double sum = 0;
    for (const Explanation& part : result.explanation->parts) sum += part.value;
    EXPECT_NEAR(sum, result.score, 1e-6);
    EXPECT_NEAR(result.explanation->value, result.score, 1e-6);
    const Explanation& rank = result.explanation->parts[1].parts.at(0);
    EXPECT_EQ(rank.what, "rank pagerank");
    const double grown = std::pow((result.url == "a" ? 9.0 : 3.0) / 3, 0.6);
    EXPECT_NEAR(rank.value, 4 * grown / (1 + grown), 1e-4);
  }
  const Explanation& median = answer->results[1].explanation->parts[1].parts.at(0);
  EXPECT_EQ(median.how, "value 3, median 3, exponent 0.6, weight 4");
  EXPECT_NEAR(median.value, 2, 1e-6);  // half of the weight
}

TEST(StaticRankTest, SortsByAStaticScoreAlone) {
  const std::vector<IndexDocument> pages = {RankedPage("a", "sieve sieve sieve"), RankedPage("b", "sieve"),
                                            RankedPage("c", "sieve of"), RankedPage("d", "other")};
  const PlainRank rank = {{"a", 1e-7f}, {"b", 3e-2f}, {"c", 2e-5f}, {"d", 1}};
  for (const size_t cut : {size_t{0}, size_t{1}, size_t{3}}) {
    const auto at = pages.begin() + static_cast<std::ptrdiff_t>(cut);
    const auto searcher = RankedSearcher({{pages.begin(), at}, {at, pages.end()}}, {{"mine", rank}});
    SearchRequest request{.query = "sieve", .ranking = RankingOptions::FirstPhase(), .explain = true};
    request.ranking.sort = "mine";
    const auto answer = searcher->Search(request);
    ASSERT_THAT(UrlsOf(answer), ElementsAre("b", "c", "a"));
    EXPECT_FLOAT_EQ(static_cast<float>(answer->results[0].score), 3e-2f);
    EXPECT_EQ(answer->results[0].explanation->value, answer->results[0].score);
    request.query = "-other";
    EXPECT_THAT(UrlsOf(searcher->Search(request)), ElementsAre("b", "c", "a"));
  }
}

// A search with a rank, done the obvious way: the scores without it, and to each what the formula says.
std::vector<std::pair<double, std::string>> ObviousAnswer(IndexSearcher& searcher, SearchRequest request,
                                                          const PlainRank& rank, float weight) {
  request.ranking.rank = kNoRank;
  request.ranking.rank_weight = weight;  // so that scores have the same scale
  request.count = 1000;
  const auto answer = searcher.Search(request);
  EXPECT_TRUE(answer.ok()) << answer.status().ToString();
  const float median = index::PlainMedian(rank);
  std::vector<std::pair<double, std::string>> results;
  for (const SearchResult& result : answer->results) {
    const auto found = rank.find(result.url);
    const double share = static_cast<double>((found == rank.end() ? median : found->second) / median);
    const double grown = std::pow(share, Bonuses::kStaticExponent);
    results.emplace_back(-result.score - static_cast<double>(weight) * grown / (1 + grown), result.url);
  }
  std::sort(results.begin(), results.end());
  return results;
}

TEST(StaticRankTest, FindsTheSameHoweverSegmentsAreCutAndInWhateverWay) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    std::vector<IndexDocument> pages;
    PlainRank rank;
    const bool ordered = random.Below(2) == 0;
    for (int i = 0; i < 300; i++) {
      std::string body;
      for (uint64_t words = 2 + random.Below(12); words > 0; words--)
        body += "w" + std::to_string(random.Below(1 + random.Below(20))) + " ";
      pages.push_back(RankedPage("u" + std::to_string(i), body));
      // At most 255 values, so that rounding moves none; some pages are newer than the rank.
      const uint64_t grade = ordered ? static_cast<uint64_t>(300 - i) * 2 / 3 : random.Below(200);
      if (random.Below(8) > 0)
        rank[pages.back().url] = static_cast<float>(std::exp(-0.05 * static_cast<double>(grade)));
    }
    const auto whole = RankedSearcher({pages}, {{"pagerank", rank}});
    std::vector<std::vector<IndexDocument>> parts(1);
    for (const IndexDocument& page : pages) {
      if (random.Below(100) == 0) parts.emplace_back();
      parts.back().push_back(page);
    }
    const auto cut = RankedSearcher(parts, {{"pagerank", rank}});
    for (const char* query : {"w1", "w1 w2", "w3 w17 w5", "w1 AND w2", "\"w1 w2\"", "w0 -w1", "+w4 w1"}) {
      SearchRequest request{.query = query,
                            .count = 1 + random.Below(30),
                            .ranking = RankingOptions::FirstPhase(),
                            .fold_duplicates = false};
      request.ranking.rank_weight = static_cast<float>(1 + random.Below(20));
      const auto expected = ObviousAnswer(*whole, request, rank, request.ranking.rank_weight);
      for (IndexSearcher* const searcher : {whole.get(), cut.get()}) {
        for (const Algorithm algorithm :
             {Algorithm::kAuto, Algorithm::kExhaustive, Algorithm::kMaxScore, Algorithm::kBlockMaxWand}) {
          request.algorithm = algorithm;
          const auto answer = searcher->Search(request);
          ASSERT_TRUE(answer.ok()) << answer.status().ToString();
          ASSERT_EQ(answer->results.size(), std::min<size_t>(request.count, expected.size())) << query;
          for (size_t i = 0; i < answer->results.size(); i++)
            ASSERT_NEAR(answer->results[i].score, -expected[i].first, 2e-5) << query << ", result " << i;
        }
      }
    }
  }
}

// Many blocks of documents in the order of their rank, the newest without one: bounds of blocks and of all
// that follows are those of a real column.
TEST(StaticRankTest, FindsTheSameInAnIndexInTheOrderOfTheRank) {
  SeededRandom random(5);
  std::vector<IndexDocument> pages;
  PlainRank rank;
  constexpr int kPages = 5000;
  for (int i = 0; i < kPages; i++) {
    std::string body;
    for (uint64_t words = 3 + random.Below(8); words > 0; words--)
      body += "w" + std::to_string(random.Below(1 + random.Below(30))) + " ";
    pages.push_back(RankedPage("u" + std::to_string(i), body));
    if (i < kPages - 300) rank[pages.back().url] = static_cast<float>(std::exp(-0.004 * i));
  }
  const auto searcher = RankedSearcher(
      {{pages.begin(), pages.begin() + kPages - 300}, {pages.begin() + kPages - 300, pages.end()}},
      {{"pagerank", rank}});
  for (const char* query :
       {"w0", "w0 w1", "w3 w17 w5", "w1 AND w2", "\"w1 w2\"", "w0 -w1", "+w4 w1", "-w0"}) {
    for (const float weight : {1.0f, 8.0f, 0.0f}) {  // 0: sorted by the rank alone
      SearchRequest request{
          .query = query, .count = 15, .ranking = RankingOptions::FirstPhase(), .fold_duplicates = false};
      request.ranking.rank_weight = weight;
      if (weight == 0) request.ranking.sort = "pagerank";
      request.algorithm = Algorithm::kExhaustive;
      const auto expected = searcher->Search(request);
      ASSERT_EQ(UrlsOf(expected).size(), 15u) << query;
      for (const Algorithm algorithm :
           {Algorithm::kAuto, Algorithm::kMaxScore, Algorithm::kBlockMaxWand, Algorithm::kBlockMaxAnd}) {
        request.algorithm = algorithm;
        const auto answer = searcher->Search(request);
        ASSERT_EQ(UrlsOf(answer), UrlsOf(expected)) << query << ", weight " << weight;
        for (size_t i = 0; i < answer->results.size(); i++)
          ASSERT_EQ(answer->results[i].score, expected->results[i].score) << query << ", result " << i;
      }
    }
  }
}

// A column of many values is rounded once, not once in each segment.
TEST(StaticRankTest, ScoresDoNotDependOnHowSegmentsAreCut) {
  SeededRandom random(77);
  std::vector<IndexDocument> pages;
  PlainRank rank;
  for (int i = 0; i < 900; i++) {
    pages.push_back(RankedPage("u" + std::to_string(i), "w" + std::to_string(i % 3)));
    rank[pages.back().url] = static_cast<float>(std::exp(-17 * random.Unit()));
  }
  const auto split = [&](size_t parts) {
    std::vector<std::vector<IndexDocument>> segments(parts);
    for (size_t i = 0; i < pages.size(); i++) segments[i * parts / pages.size()].push_back(pages[i]);
    return RankedSearcher(segments, {{"pagerank", rank}});
  };
  SearchRequest request{
      .query = "w1 w2", .count = 50, .ranking = RankingOptions::FirstPhase(), .fold_duplicates = false};
  const auto one = split(1)->Search(request);
  const auto many = split(7)->Search(request);
  ASSERT_EQ(UrlsOf(one), UrlsOf(many));
  for (size_t i = 0; i < one->results.size(); i++) EXPECT_EQ(one->results[i].score, many->results[i].score);
}

}  // namespace
}  // namespace crivello::search
