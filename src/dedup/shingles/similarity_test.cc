// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles/similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "base/random.h"

namespace crivello::dedup {
namespace {

TEST(SimilarityTest, CountsWhatTwoSetsShare) {
  SeededRandom random(1);
  for (int round = 0; round < 300; round++) {
    std::set<uint64_t> a, b;
    for (uint64_t i = random.Below(20); i > 0; i--) a.insert(random.Below(30));
    for (uint64_t i = random.Below(20); i > 0; i--) b.insert(random.Below(30));
    std::vector<uint64_t> both, either;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(either));
    const std::vector<uint64_t> va(a.begin(), a.end()), vb(b.begin(), b.end());
    const Overlap overlap = OverlapOf(va, vb);
    EXPECT_EQ(overlap.shared, both.size());
    EXPECT_EQ(overlap.either, either.size());
    EXPECT_EQ(overlap.smaller, std::min(a.size(), b.size()));
  }
  EXPECT_EQ(Overlap{}.Resemblance(), 1);
  EXPECT_EQ((Overlap{.shared = 3, .either = 12, .smaller = 3}).Containment(), 1);
  EXPECT_EQ((Overlap{.shared = 3, .either = 12, .smaller = 3}).Resemblance(), 0.25);
}

TEST(SimilarityTest, ComparesCountsOfWords) {
  const WordBag a(Words("a a b c")), b(Words("a b b d e")), empty;
  EXPECT_DOUBLE_EQ(WordShare(a, b), 2.0 / 5);
  // (2, 1, 1, 0, 0) and (1, 2, 0, 1, 1).
  EXPECT_DOUBLE_EQ(Cosine(a, b), 4 / std::sqrt(6.0 * 7));
  EXPECT_DOUBLE_EQ(Cosine(a, a), 1);
  EXPECT_EQ(WordShare(a, a), 1);
  EXPECT_EQ(Cosine(a, empty), 0);
  EXPECT_EQ(WordShare(empty, a), 0);
  EXPECT_EQ(Cosine(empty, empty), 1);
  EXPECT_EQ(WordShare(empty, empty), 1);
  EXPECT_EQ(a.size(), 4u);
  EXPECT_EQ(a.entries().size(), 3u);
}

TEST(SimilarityTest, NamesMeasures) {
  for (const Measure measure : {Measure::kWords, Measure::kCosine, Measure::kJaccard}) {
    EXPECT_EQ(ParseMeasure(MeasureName(measure)).value(), measure);
  }
  EXPECT_FALSE(ParseMeasure("angle").ok());
}

}  // namespace
}  // namespace crivello::dedup
