// SPDX-License-Identifier: Apache-2.0
#include "index/segments/document_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/test_support.h"
#include "index/segments/document_values_builder.h"
#include "index/segments/segment_info.h"

namespace crivello::index {
namespace {

std::vector<uint64_t> BuildValues(DocumentValuesBuilder& builder) {
  MemorySink sink;
  EXPECT_TRUE(builder.WriteTo(sink).ok());
  const std::vector<std::byte> part = std::move(sink).Release().at(std::string(part::kValues));
  std::vector<uint64_t> words(part.size() / 8);
  std::memcpy(words.data(), part.data(), part.size());
  return words;
}

DocumentValues OpenValues(const std::vector<uint64_t>& words) {
  auto values = DocumentValues::FromImage(std::as_bytes(std::span(words)));
  EXPECT_TRUE(values.ok()) << values.status().ToString();
  return values.ok() ? std::move(values).value() : DocumentValues();
}

TEST(DocumentValuesTest, KeepsNumbersOfEveryWidth) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const std::vector<std::vector<int64_t>> columns = {
      {},
      {7},
      {7, 7, 7},
      {kMax, kMax},
      {kMin, kMax, 0},
      {0, 1, 0, 1},
      {-5, 3, -5},
      {1'700'000'000, (int64_t{1} << 36) - 1, 1'700'000'001},
      {0, 0, 0, int64_t{1} << 40},
      {5, 5 + (int64_t{1} << 31) - 1, 5 - (int64_t{1} << 31)},
      {5, 5 + (int64_t{1} << 31)},
  };
  for (const auto& column : columns) {
    SCOPED_TRACE(testing::PrintToString(column));
    DocumentValuesBuilder builder;
    for (const int64_t value : column) {
      builder.SetNumber("x", value);
      builder.EndDocument();
    }
    const std::vector<uint64_t> words = BuildValues(builder);
    const DocumentValues values = OpenValues(words);
    ASSERT_EQ(values.documents(), column.size());
    if (column.empty()) continue;
    ASSERT_NE(values.numbers("x"), nullptr);
    for (DocId doc = 0; doc < column.size(); doc++) EXPECT_EQ((*values.numbers("x"))[doc], column[doc]);
  }
}

TEST(DocumentValuesTest, FillsWhatWasNotSet) {
  DocumentValuesBuilder builder;
  for (DocId doc = 0; doc < 5; doc++) {
    if (doc == 2) {
      builder.SetNumber("number", 9);
      builder.SetString("string", "it");
      builder.SetScore("score", 2.5f);
    }
    builder.EndDocument();
  }
  const std::vector<uint64_t> words = BuildValues(builder);
  const DocumentValues values = OpenValues(words);
  for (DocId doc = 0; doc < 5; doc++) {
    EXPECT_EQ((*values.numbers("number"))[doc], doc == 2 ? 9 : 0);
    EXPECT_EQ((*values.strings("string"))[doc], doc == 2 ? "it" : "");
    EXPECT_EQ((*values.scores("score"))[doc], doc == 2 ? 2.5f : 0.0f);
  }
  EXPECT_EQ(values.numbers("string"), nullptr);
  EXPECT_EQ(values.strings("number"), nullptr);
  EXPECT_EQ(values.scores("none"), nullptr);
  EXPECT_EQ(values.all_numbers().size(), 1u);
}

TEST(DocumentValuesTest, NumbersStringsInTheirOrder) {
  SeededRandom random(3);
  std::vector<std::string> sites;
  DocumentValuesBuilder builder;
  for (DocId doc = 0; doc < 2000; doc++) {
    sites.push_back("site" + std::to_string(random.Below(300)) + ".example");
    builder.SetString(column::kSite, sites.back());
    builder.EndDocument();
  }
  const std::vector<uint64_t> words = BuildValues(builder);
  const DocumentValues values = OpenValues(words);
  const StringColumn* column = values.strings(column::kSite);
  ASSERT_NE(column, nullptr);
  for (DocId doc = 0; doc < sites.size(); doc++) {
    ASSERT_EQ((*column)[doc], sites[doc]);
    ASSERT_EQ(column->Find(sites[doc]), column->NumberOf(doc));
  }
  for (uint64_t number = 1; number < column->strings(); number++)
    ASSERT_LT(column->String(number - 1), column->String(number));
  EXPECT_EQ(column->Find("absent"), std::nullopt);
}

DocumentValues Scores(const std::vector<float>& scores, std::vector<uint64_t>* words) {
  DocumentValuesBuilder builder;
  for (const float score : scores) {
    builder.SetScore("rank", score);
    builder.EndDocument();
  }
  *words = BuildValues(builder);
  return OpenValues(*words);
}

TEST(DocumentValuesTest, KeepsFewScoresAsTheyAre) {
  std::vector<float> scores;
  for (int i = 0; i < 1000; i++) scores.push_back(static_cast<float>(i % 256) * 0.37f - 12);
  std::vector<uint64_t> words;
  const DocumentValues values = Scores(scores, &words);
  for (DocId doc = 0; doc < scores.size(); doc++) EXPECT_EQ((*values.scores("rank"))[doc], scores[doc]);
}

TEST(DocumentValuesTest, RoundsManyScoresByRatioAndKeepsTheirOrder) {
  SeededRandom random(4);
  std::vector<float> scores = {0, 0};
  for (int i = 0; i < 20'000; i++) scores.push_back(static_cast<float>(std::exp(-18.4 * random.Unit())));
  std::vector<uint64_t> words;
  const DocumentValues values = Scores(scores, &words);
  const ScoreColumn& column = *values.scores("rank");
  for (DocId doc = 0; doc < scores.size(); doc++) {
    ASSERT_NEAR(column[doc], scores[doc], 0.038 * scores[doc]);
    const DocId other = static_cast<DocId>(random.Below(scores.size()));
    if (scores[doc] < scores[other]) {
      ASSERT_LE(column.CodeOf(doc), column.CodeOf(other));
    }
  }
  // Rounding again does not change a rounded value.
  std::vector<float> again;
  for (DocId doc = 0; doc < scores.size(); doc++) again.push_back(column[doc]);
  std::vector<uint64_t> more_words;
  const DocumentValues twice = Scores(again, &more_words);
  for (DocId doc = 0; doc < scores.size(); doc++) ASSERT_EQ((*twice.scores("rank"))[doc], again[doc]);
}

TEST(DocumentValuesTest, RoundsScoresBelowZeroInEqualSteps) {
  std::vector<float> scores;
  for (int i = -1000; i <= 1000; i++) scores.push_back(static_cast<float>(i));
  scores.push_back(std::numeric_limits<float>::infinity());  // not a valid score
  std::vector<uint64_t> words;
  const DocumentValues values = Scores(scores, &words);
  for (DocId doc = 0; doc < 2001; doc++) ASSERT_NEAR((*values.scores("rank"))[doc], scores[doc], 3.93);
  EXPECT_NEAR((*values.scores("rank"))[2001], 0, 4);
}

// More documents than a buffer holds; columns that begin late, change late or never.
TEST(DocumentValuesTest, GivesTheSameBytesByWayOfFiles) {
  TemporaryFolder folder;
  DocumentValuesBuilder in_memory;
  DocumentValuesBuilder by_files(folder.path());
  for (DocumentValuesBuilder* builder : {&in_memory, &by_files}) {
    SeededRandom random(5);
    for (DocId doc = 0; doc < 3 * NumberSpool::kBuffered + 17; doc++) {
      builder->SetNumber(column::kKey, static_cast<int64_t>(random.Next()));
      builder->SetNumber(column::kPublished, 1'700'000'000);
      if (doc > 2 * NumberSpool::kBuffered) builder->SetNumber(column::kTime, doc);
      if (doc % 7 == 3) builder->SetString(column::kSite, "s" + std::to_string(doc % 1000));
      builder->SetScore("rank", static_cast<float>(random.Unit()));
      builder->EndDocument();
    }
  }
  const std::vector<uint64_t> words = BuildValues(by_files);
  EXPECT_TRUE(words == BuildValues(in_memory));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  const DocumentValues values = OpenValues(words);
  SeededRandom random(5);
  for (DocId doc = 0; doc < values.documents(); doc++) {
    ASSERT_EQ((*values.numbers(column::kKey))[doc], static_cast<int64_t>(random.Next()));
    random.Unit();
    ASSERT_EQ((*values.numbers(column::kTime))[doc], doc > 2 * NumberSpool::kBuffered ? doc : 0);
  }
}

TEST(DocumentValuesTest, StaysWithinADamagedImage) {
  DocumentValuesBuilder builder;
  for (DocId doc = 0; doc < 20; doc++) {
    builder.SetNumber(column::kTime, 1'700'000'000 + doc * doc);
    builder.SetNumber(column::kPublished, 1'700'000'000);
    builder.SetString(column::kSite, "s" + std::to_string(doc % 3));
    builder.SetScore("rank", static_cast<float>(doc));
    builder.EndDocument();
  }
  const std::vector<uint64_t> good = BuildValues(builder);
  const auto use = [](const std::vector<uint64_t>& words) {
    const auto values = DocumentValues::FromImage(std::as_bytes(std::span(words)));
    if (!values.ok()) {
      EXPECT_EQ(values.status().code(), StatusCode::kCorruption);
      return;
    }
    int64_t sum = 0;
    for (DocId doc = 0; doc < std::min<DocId>(values->documents(), 100); doc++) {
      for (const auto& [name, column] : values->all_numbers()) sum ^= column[doc];
      for (const auto& [name, column] : values->all_strings())
        sum ^= static_cast<int64_t>(column[doc].size() + column.Find("s1").value_or(0));
      for (const auto& [name, column] : values->all_scores()) sum ^= column.CodeOf(doc);
    }
    testing::Test::RecordProperty("sum", std::to_string(sum));
    EXPECT_FALSE(values->Describe().empty());
  };
  for (size_t bit = 0; bit < good.size() * 64; bit++) {
    std::vector<uint64_t> bad = good;
    bad[bit / 64] ^= uint64_t{1} << (bit % 64);
    use(bad);
  }
  for (size_t size = 0; size < good.size(); size++) {
    const std::vector<uint64_t> cut(good.begin(), good.begin() + std::ptrdiff_t(size));
    EXPECT_FALSE(DocumentValues::FromImage(std::as_bytes(std::span(cut))).ok()) << size;
  }
}

}  // namespace
}  // namespace crivello::index
