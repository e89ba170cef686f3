// SPDX-License-Identifier: Apache-2.0
// Answers while the index changes: one thread adds, replaces, deletes, refreshes, commits and merges, others
// ask; in each snapshot every algorithm must answer as the exhaustive one does.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/random.h"
#include "base/test_support.h"
#include "index/build/index_writer.h"
#include "search/index_searcher.h"

namespace crivello::search {
namespace {

std::string Words(Random& random, uint64_t most) {
  std::string words;
  for (uint64_t n = 1 + random.Below(most); n-- > 0;)
    words += "w" + std::to_string(random.Below(1 + random.Below(60))) + " ";
  return words;
}

index::IndexDocument RandomPage(Random& random) {
  index::IndexDocument document;
  document.url = "u/" + std::to_string(random.Below(400));
  document.title = Words(random, 4);
  document.text = Words(random, 40);
  document.texts = {{"title", document.title}, {"body", document.text}};
  return document;
}

void Change(index::IndexWriter& writer, const std::function<void()>& published) {
  SeededRandom random(11);
  uint64_t sequence = 0;
  for (int step = 0; step < 60; step++) {
    for (int i = 0; i < 25; i++) ASSERT_TRUE(writer.Add(RandomPage(random)).ok());
    for (int i = 0; i < 4; i++) ASSERT_TRUE(writer.Delete("u/" + std::to_string(random.Below(400))).ok());
    ASSERT_TRUE(writer.Refresh().ok());
    if (step % 5 == 4) {
      ASSERT_TRUE(writer.Commit(++sequence).ok());
    }
    if (step % 20 == 19) {
      ASSERT_TRUE(writer.MergeAll().ok());
    }
    published();
  }
}

void Ask(IndexSearcher& searcher, const index::IndexWriter& writer, uint64_t seed,
         const std::atomic<bool>& changing, std::atomic<int>* asked) {
  SeededRandom random(seed);
  static const std::vector<std::string> kShapes = {
      "%",         "% %",     "+% +%",        "% % % %", "\"% %\"",        "% -%",       "+% %",
      "title:% %", "w1* % %", "+\"% %\" %^3", "NOT %",   "(% OR %) AND %", "\"% %\"~5 %"};
  for (int n = 0; n < 40 || changing; n++) {
    std::string query = kShapes[random.Below(kShapes.size())];
    for (size_t at; (at = query.find('%')) != std::string::npos;)
      query.replace(at, 1, "w" + std::to_string(random.Below(65)));
    SCOPED_TRACE(query);
    // A snapshot of its own, which nobody changes under the comparison; the shared one is asked as well.
    auto fixed = IndexSearcher::Create(writer.snapshot());
    ASSERT_TRUE(fixed.ok());
    SearchRequest request{.query = query};
    ASSERT_TRUE(searcher.Search(request).ok());
    request.algorithm = Algorithm::kExhaustive;
    const auto expected = (*fixed)->Top(request);
    ASSERT_TRUE(expected.ok());
    for (const Hit& hit : *expected) {
      ASSERT_TRUE((*fixed)->snapshot()->segments()[hit.segment].IsCurrent(hit.doc));
    }
    for (const Algorithm algorithm : {Algorithm::kAuto, Algorithm::kWindows, Algorithm::kMaxScore,
                                      Algorithm::kBlockMaxWand, Algorithm::kBlockMaxAnd}) {
      request.algorithm = algorithm;
      const auto hits = (*fixed)->Top(request);
      ASSERT_TRUE(hits.ok());
      ASSERT_EQ(*hits, *expected) << AlgorithmName(algorithm);
    }
    ++*asked;
  }
}

TEST(LiveIdentityTest, EveryAlgorithmAnswersAlikeWhileTheIndexChanges) {
  TemporaryFolder folder;
  index::IndexWriterOptions options;
  options.directory = folder / "index";
  options.settings = index::IndexSettings{.analyser = "plain"};
  auto writer = index::IndexWriter::Open(options);
  ASSERT_TRUE(writer.ok()) << writer.status().ToString();
  SeededRandom random(5);
  for (int i = 0; i < 50; i++) ASSERT_TRUE((*writer)->Add(RandomPage(random)).ok());
  ASSERT_TRUE((*writer)->Refresh().ok());
  auto searcher = IndexSearcher::Create((*writer)->snapshot());
  ASSERT_TRUE(searcher.ok());
  std::atomic<bool> changing = true;
  std::atomic<int> asked = 0;
  std::vector<std::thread> askers;
  for (uint64_t i = 0; i < 2; i++) {
    askers.emplace_back([&, i] { Ask(**searcher, **writer, 100 + i, changing, &asked); });
  }
  Change(**writer, [&] { (*searcher)->Use((*writer)->snapshot()); });
  changing = false;
  for (std::thread& asker : askers) asker.join();
  EXPECT_GE(asked, 80);
}

}  // namespace
}  // namespace crivello::search
