// SPDX-License-Identifier: Apache-2.0
#include "index/postings/impact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"

namespace crivello::index {
namespace {

double Bm25(const Impact& impact, double k1, double b, double mean) {
  return impact.count / (impact.count + k1 * (1 - b + b * impact.length / mean));
}

TEST(ImpactTest, CodesRoundToTheSideTheyAreAskedFor) {
  std::vector<uint32_t> values = {0,  1,  15,      16,         17,         18,         31,
                                  32, 33, 1000000, 0x7fffffff, 0x80000000, 0xf0000000, 0xffffffff};
  for (uint32_t x = 0; x < 5000; x++) values.push_back(x * 37);
  for (const uint32_t x : values) {
    EXPECT_LE(LengthOfCode(CodeOfLength(x)), x);
    EXPECT_GE(CountOfCode(CodeOfCount(x)), x);
    EXPECT_EQ(CodeOfLength(LengthOfCode(CodeOfLength(x))), CodeOfLength(x));
    EXPECT_EQ(CodeOfCount(CountOfCode(CodeOfCount(x))), CodeOfCount(x));
    if (x > 500000) continue;
    EXPECT_GE(LengthOfCode(CodeOfLength(x)), x - x / 16) << x;
    EXPECT_LE(CountOfCode(CodeOfCount(x)), x + x / 16) << x;
  }
  EXPECT_EQ(CountOfCode(CodeOfCount(600000)), ~uint32_t{0});
  EXPECT_EQ(LengthOfCode(CodeOfLength(600000)), 507904u);
}

TEST(ImpactTest, DominateEveryPostingOfTheBlock) {
  for (uint64_t seed = 0; seed < 200; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    ImpactCollector collector(200);
    std::vector<Impact> postings(1 + random.Below(128));
    for (Impact& posting : postings) {
      posting.length = 1 + static_cast<uint32_t>(random.Next() >> (40 + random.Below(24)));
      posting.count = 1 + static_cast<uint32_t>(random.Below(posting.length) >> random.Below(24));
      collector.Add(posting.count, posting.length);
    }
    std::vector<uint8_t> bytes;
    const ImpactBlock block = collector.Finish();
    AppendImpacts(block, &bytes);
    ASSERT_EQ(bytes.size(), kImpactBytes);
    ASSERT_EQ(ReadImpacts(std::as_bytes(std::span(bytes)).data()), block);
    for (const Impact& posting : postings) {
      EXPECT_TRUE(std::ranges::any_of(block,
                                      [&](const Impact& impact) {
                                        return impact.count >= posting.count &&
                                               impact.length <= posting.length;
                                      }))
          << posting.count << " in " << posting.length;
    }
  }
}

// Lengths over two orders of magnitude, counts mostly 1: the bound is within 0.02 of the best score of the
// block, for several k1 and b.
TEST(ImpactTest, BoundTheScoreClosely) {
  SeededRandom random(5);
  double excess = 0;
  int blocks = 0;
  for (; blocks < 500; blocks++) {
    ImpactCollector collector(300);
    std::vector<Impact> postings(128);
    for (Impact& posting : postings) {
      posting.length =
          static_cast<uint32_t>(std::exp(2.2 + 2 * (random.Unit() + random.Unit() + random.Unit())));
      for (posting.count = 1; posting.count < posting.length && random.Unit() < 0.35;) posting.count++;
      collector.Add(posting.count, posting.length);
    }
    const ImpactBlock block = collector.Finish();
    double worst = 0;
    for (const auto& [k1, b] : {std::pair(1.2, 0.75), std::pair(0.9, 0.4), std::pair(2.0, 1.0)}) {
      const auto score = [k1 = k1, b = b](const Impact& impact) { return Bm25(impact, k1, b, 300); };
      const auto best = [&](const auto& impacts) {
        double most = 0;
        for (const Impact& impact : impacts) most = std::max(most, score(impact));
        return most;
      };
      worst = std::max(worst, best(block) / best(postings) - 1);
      EXPECT_GE(best(block), best(postings));
    }
    excess += worst;
  }
  EXPECT_LT(excess / blocks, 0.02);
}

TEST(ImpactTest, OfNothingAreZero) {
  ImpactCollector collector(10);
  EXPECT_EQ(collector.Finish(), ImpactBlock());
  collector.Add(3, 10);
  EXPECT_EQ(collector.Finish()[2], (Impact{3, 10}));
  EXPECT_EQ(collector.Finish(), ImpactBlock()) << "what was finished is forgotten";
}

}  // namespace
}  // namespace crivello::index
