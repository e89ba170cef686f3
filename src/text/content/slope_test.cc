// SPDX-License-Identifier: Apache-2.0
#include "text/content/slope.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace crivello::text {
namespace {

TagRuns RunsOf(const std::string& bits) {
  TagRuns tags;
  for (const char bit : bits) bit == '1' ? tags.AddTags(1) : tags.AddWords(1);
  return tags;
}

// The formula as on the slides, for every i <= j.
SlopePlateau QuadraticPlateau(const std::string& bits) {
  const size_t n = bits.size();
  std::vector<uint64_t> ones(n + 1, 0);
  for (size_t k = 0; k < n; ++k) ones[k + 1] = ones[k] + (bits[k] == '1' ? 1 : 0);
  SlopePlateau best;
  bool found = false;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i; j < n; ++j) {
      const uint64_t value = ones[i] + ((j - i + 1) - (ones[j + 1] - ones[i])) + (ones[n] - ones[j + 1]);
      if (!found || value > best.value) {
        best = {i, j, value};
        found = true;
      }
    }
  }
  return best;
}

void ExpectPlateau(const std::string& bits) {
  const SlopePlateau quick = FindPlateau(RunsOf(bits));
  const SlopePlateau slow = QuadraticPlateau(bits);
  EXPECT_EQ(quick.value, slow.value) << bits;
  EXPECT_EQ(quick.i, slow.i) << bits;
  EXPECT_EQ(quick.j, slow.j) << bits;
}

std::string RandomBits(Random& random, size_t size, uint64_t ones_in_16) {
  std::string bits;
  for (size_t i = 0; i < size; ++i) bits += random.Below(16) < ones_in_16 ? '1' : '0';
  return bits;
}

TEST(SlopeTest, SolvesTheSlidesProblemAsTheQuadraticSearchDoes) {
  for (const char* bits :
       {"0", "1", "11", "00", "01", "10", "101", "010", "1100011", "0110", "1001", "0101010"})
    ExpectPlateau(bits);
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    ExpectPlateau(RandomBits(random, 1 + random.Below(120), random.Below(17)));
  }
}

TEST(SlopeTest, IsEmptyOnAnEmptyPage) {
  EXPECT_EQ(FindPlateau(TagRuns()).value, 0u);
  EXPECT_TRUE(FindLowSlopes(TagRuns()).empty());
  ASSERT_EQ(SlopeCurve(TagRuns(), 10).size(), 1u);
}

// The maximal scoring subsequences by definition: the best segment, then recursively on both sides of it.
void SlowSections(const std::string& bits, size_t first, size_t last, double weight,
                  std::vector<TokenRange>* sections) {
  double best = 0;
  TokenRange range;
  for (size_t i = first; i < last; ++i) {
    double sum = 0;
    for (size_t j = i; j < last; ++j) {
      sum += bits[j] == '1' ? -weight : 1;
      // Of equal ones the shortest: Ruzzo and Tompa's segments do not begin or end with a part of sum zero.
      if (sum > best || (sum == best && sum > 0 && j + 1 - i < range.last - range.first)) {
        best = sum;
        range = {i, j + 1};
      }
    }
  }
  if (best <= 0) return;
  SlowSections(bits, first, range.first, weight, sections);
  sections->push_back(range);
  SlowSections(bits, range.last, last, weight, sections);
}

TEST(SlopeTest, FindsTheMaximalSectionsOfRuzzoAndTompa) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    const std::string bits = RandomBits(random, 1 + random.Below(60), 1 + random.Below(12));
    std::vector<TokenRange> slow;
    SlowSections(bits, 0, bits.size(), 2.5, &slow);
    EXPECT_EQ(FindLowSlopes(RunsOf(bits), {.tag_weight = 2.5, .share = 0}), slow) << bits;
  }
}

TEST(SlopeTest, KeepsOnlySectionsThatWeighEnough) {
  const std::string bits =
      "111" + std::string(50, '0') + "1111111111" + "00" + "111111" + std::string(40, '0');
  const auto sections = FindLowSlopes(RunsOf(bits), {.tag_weight = 3, .share = 0.5});
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_EQ(sections[0], (TokenRange{3, 53}));
  EXPECT_EQ(sections[1].last, bits.size());
}

TEST(SlopeTest, DrawsTheCurveFromTheFirstTokenToTheLast) {
  const std::string bits = "1110000011";
  const auto curve = SlopeCurve(RunsOf(bits), 100);
  ASSERT_EQ(curve.size(), bits.size() + 1);
  uint64_t tags = 0;
  for (size_t i = 0; i < curve.size(); ++i) {
    EXPECT_EQ(curve[i].token, i);
    EXPECT_EQ(curve[i].tags, tags);
    if (i < bits.size()) tags += bits[i] == '1' ? 1 : 0;
  }
  const auto coarse = SlopeCurve(RunsOf(bits), 3);
  ASSERT_LE(coarse.size(), 3u);
  EXPECT_EQ(coarse.front().token, 0u);
  EXPECT_EQ(coarse.back().token, bits.size());
  EXPECT_EQ(coarse.back().tags, 5u);
}

}  // namespace
}  // namespace crivello::text
