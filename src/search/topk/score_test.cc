// SPDX-License-Identifier: Apache-2.0
#include "search/topk/score.h"

#include <gtest/gtest.h>

#include <cmath>

namespace crivello::search {
namespace {

// BM25 of the notes, as the searcher makes it: idf (k1 + 1) c / (c + k1 (1 - b + b l / mean)).
Formula Bm25Of(float idf, Bm25Parameters bm25, float mean) {
  return {.weight = idf * (bm25.k1 + 1),
          .saturation = 1,
          .base = bm25.k1 * (1 - bm25.b),
          .slope = bm25.k1 * bm25.b / mean};
}

TEST(ScoreTest, GrowsToTheLimitOfTheNotes) {
  const float idf = Bm25Idf(1000, 10);
  for (const float k1 : {0.5f, 1.2f, 2.0f}) {
    const Formula formula = Bm25Of(idf, {.k1 = k1, .b = 0.75f}, 100);
    float last = 0;
    for (float count = 1; count <= 1e6f; count *= 10) {
      const float score = formula(count, 100);
      EXPECT_GT(score, last);
      EXPECT_LT(score, idf * (k1 + 1));
      last = score;
    }
    EXPECT_NEAR(last / idf, k1 + 1, 1e-4) << "the limit, however often a word occurs";
  }
}

TEST(ScoreTest, WithoutK1IsTheIdfAlone) {
  const float idf = Bm25Idf(1000, 10);
  const Formula formula = Bm25Of(idf, {.k1 = 0, .b = 0.75f}, 100);
  for (const float count : {1.0f, 2.0f, 1000.0f}) {
    for (const float length : {1.0f, 100.0f, 10000.0f}) EXPECT_FLOAT_EQ(formula(count, length), idf);
  }
}

TEST(ScoreTest, AnIdfThatWouldBeNegativeIsTheFloor) {
  EXPECT_LT(std::log((1000 - 900 + 0.5) / (900 + 0.5)), 0) << "as the notes warn";
  EXPECT_EQ(Bm25Idf(1000, 900), kIdfFloor);
  EXPECT_NEAR(Bm25Idf(1000, 10), std::log((1000 - 10 + 0.5) / (10 + 0.5)), 1e-5);
}

}  // namespace
}  // namespace crivello::search
