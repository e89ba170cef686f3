// SPDX-License-Identifier: Apache-2.0
#include "succinct/rank_bits.h"

#include <gtest/gtest.h>

#include "base/test_support.h"
#include "succinct/bit_vector_test_support.h"

namespace crivello::succinct {
namespace {

TEST(RankBitsTest, CountsAsTheNaiveCountDoes) {
  const uint64_t seed = 2;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (const uint64_t size : {0u, 1u, 63u, 64u, 65u, 511u, 512u, 513u, 2047u, 2048u, 2049u, 4096u, 70000u}) {
    SCOPED_TRACE(size);
    for (const auto& [name, bits] : KindsOfBits(size, random)) {
      SCOPED_TRACE(name);
      ImageWriter image;
      bits.AppendRankBits(image);
      const auto rank = RankBits::FromImage(image.bytes());
      ASSERT_TRUE(rank.ok()) << rank.status().ToString();
      ASSERT_EQ(rank->size(), size);
      uint64_t ones = 0;
      for (uint64_t i = 0; i < size; i++) {
        ASSERT_EQ(rank->Rank(i), ones) << i;
        ASSERT_EQ(rank->Rank0(i), i - ones) << i;
        ASSERT_EQ(rank->Get(i), bits.Get(i)) << i;
        ones += bits.Get(i);
      }
      ASSERT_EQ(rank->Rank(size), ones);
      ASSERT_EQ(rank->ones(), ones);
    }
  }
}

TEST(RankBitsTest, TakesAThirtySecondOfTheBits) {
  for (const uint64_t size : {1'000'000u, 100'000'000u}) {
    BitVectorBuilder bits(size);
    ImageWriter plain, counted;
    bits.AppendBits(plain);
    bits.AppendRankBits(counted);
    const double extra = static_cast<double>(counted.bytes().size() * 8 - size) / static_cast<double>(size);
    EXPECT_LT(extra, size > 1'000'000 ? 0.03126 : 0.0317);
    EXPECT_LT(static_cast<double>(plain.bytes().size() * 8 - size), 192);
  }
}

// Beyond 2^31 bits the counts restart.
TEST(RankBitsTest, CountsAcrossRegions) {
  const uint64_t region = uint64_t{1} << 31;
  BitVectorBuilder bits(region + 5000);
  for (uint64_t i = 0; i < 64 * 1000; i++) bits.Set(region - 64 * 500 + i % 64 + i / 64 * 10);
  ImageWriter image;
  bits.AppendRankBits(image);
  const auto rank = RankBits::FromImage(image.bytes());
  ASSERT_TRUE(rank.ok());
  uint64_t ones = 0;
  for (uint64_t i = region - 64 * 500; i < rank->size(); i++) {
    ASSERT_EQ(rank->Rank(i), ones) << i;
    ones += bits.Get(i);
  }
  EXPECT_EQ(rank->Rank(rank->size()), rank->ones());
  EXPECT_EQ(ones, rank->ones());
}

TEST(RankBitsTest, IsEmptyByDefault) {
  const RankBits rank;
  EXPECT_EQ(rank.size(), 0u);
  EXPECT_EQ(rank.Rank(0), 0u);
}

}  // namespace
}  // namespace crivello::succinct
