// SPDX-License-Identifier: Apache-2.0
#include "bits/rans_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.h"

namespace crivello::bits {
namespace {

RansModel ModelOf(int precision, std::vector<uint32_t> frequencies) {
  auto model = RansModel::Create(precision, std::move(frequencies));
  EXPECT_TRUE(model.ok()) << model.status().ToString();
  return *model;
}

TEST(RansModelTest, PushesAndPopsTheLectureNotesExample) {
  const RansModel model = ModelOf(10, {922, 34, 68});
  const std::vector<size_t> symbols = {0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0};
  const std::vector<uint64_t> expected = {0, 0, 0, 0, 0, 922, 1024, 1126, 1228, 19392, 21534, 23880};
  uint64_t state = 0;
  for (size_t i = 0; i < symbols.size(); i++) {
    const auto pushed = RansPush(model, state, symbols[i]);
    ASSERT_TRUE(pushed.ok());
    state = *pushed;
    EXPECT_EQ(state, expected[i]) << i;
  }
  for (size_t i = symbols.size(); i-- > 0;) {
    EXPECT_EQ(state, expected[i]) << i;
    const RansPopped popped = RansPop(model, state);
    EXPECT_EQ(popped.symbol, symbols[i]) << i;
    state = popped.state;
  }
  EXPECT_EQ(state, 0u);
}

TEST(RansModelTest, EveryNumberPopsToWhatPushesBack) {
  const RansModel model = ModelOf(4, {0, 5, 0, 1, 10, 0});
  for (uint64_t state = 0; state < 1000; state++) {
    const RansPopped popped = RansPop(model, state);
    EXPECT_GT(model.frequency(popped.symbol), 0u);
    const auto pushed = RansPush(model, popped.state, popped.symbol);
    ASSERT_TRUE(pushed.ok());
    EXPECT_EQ(*pushed, state);
  }
  const RansPopped popped = RansPop(model, ~uint64_t{0});
  EXPECT_EQ(*RansPush(model, popped.state, popped.symbol), ~uint64_t{0});
}

TEST(RansModelTest, RefusesToPushWhatItCannot) {
  const RansModel model = ModelOf(4, {0, 5, 11});
  EXPECT_EQ(RansPush(model, 0, 0).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(RansPush(model, 0, 3).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(RansPush(model, ~uint64_t{0}, 1).status().code(), StatusCode::kInvalidArgument);
}

TEST(RansModelTest, RefusesFrequenciesThatAreNotADistribution) {
  EXPECT_FALSE(RansModel::Create(4, {}).ok());
  EXPECT_FALSE(RansModel::Create(4, {15}).ok());
  EXPECT_FALSE(RansModel::Create(4, {16, 1}).ok());
  EXPECT_FALSE(RansModel::Create(4, {0xffffffff, 17}).ok()) << "2^32 + 16";
  EXPECT_FALSE(RansModel::Create(17, {1u << 17}).ok());
  EXPECT_FALSE(RansModel::Create(-1, {1}).ok());
  EXPECT_FALSE(RansModel::Create(16, std::vector<uint32_t>(4097, 1)).ok());
  EXPECT_TRUE(RansModel::Create(12, std::vector<uint32_t>(4096, 1)).ok());
}

TEST(RansModelTest, FromCountsGivesEverySymbolASlotAndAllSlotsASymbol) {
  const uint64_t seed = 8;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int round = 0; round < 300; round++) {
    const int precision = static_cast<int>(8 + random.Below(9));
    std::vector<uint64_t> counts(1 + random.Below(256));
    for (uint64_t& count : counts)
      count = random.Below(3) == 0 ? 0 : random.Next() >> (20 + random.Below(44));
    counts.back() = 1;
    const auto model = RansModel::FromCounts(precision, counts);
    ASSERT_TRUE(model.ok());
    uint32_t sum = 0;
    for (size_t s = 0; s < counts.size(); s++) {
      EXPECT_EQ(model->frequency(s) > 0, counts[s] > 0);
      sum += model->frequency(s);
    }
    EXPECT_EQ(sum, 1u << precision);
  }
  EXPECT_FALSE(RansModel::FromCounts(8, std::vector<uint64_t>(257, 1)).ok());
  EXPECT_TRUE(RansModel::FromCounts(8, std::vector<uint64_t>(256, 1)).ok());
  EXPECT_FALSE(RansModel::FromCounts(8, std::vector<uint64_t>(3)).ok());
  EXPECT_FALSE(RansModel::FromCounts(8, {}).ok());
}

// All ways to distribute 2^4 slots among three symbols.
TEST(RansModelTest, FromCountsIsCheapestAmongAllModels) {
  for (const std::vector<uint64_t>& counts :
       {std::vector<uint64_t>{100, 1, 1}, {1, 1, 1}, {1000, 300, 3}, {5, 6, 7}, {1u << 30, 1, 1u << 20}}) {
    double least = 1e300;
    for (uint32_t a = 1; a < 15; a++) {
      for (uint32_t b = 1; a + b < 16; b++) {
        least = std::min(least, ModelOf(4, {a, b, 16 - a - b}).CostInBits(counts));
      }
    }
    EXPECT_NEAR(RansModel::FromCounts(4, counts)->CostInBits(counts), least, least * 1e-9);
  }
}

TEST(RansModelTest, WritesAndReadsItself) {
  const uint64_t seed = 9;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int round = 0; round < 500; round++) {
    const int precision = static_cast<int>(8 + random.Below(9));
    std::vector<uint64_t> counts(1 + random.Below(256));
    const uint64_t zeros = random.Below(4);
    for (uint64_t& count : counts)
      count = random.Below(4) < zeros ? 0 : random.Next() >> (20 + random.Below(44));
    counts.back() = 1;
    const RansModel model = *RansModel::FromCounts(precision, counts);
    std::vector<uint8_t> bytes;
    model.AppendTo(&bytes);
    const size_t size = bytes.size();
    bytes.push_back(0x77);
    size_t read = 0;
    const auto again = RansModel::Read(precision, std::as_bytes(std::span(bytes)), &read);
    ASSERT_TRUE(again.ok()) << again.status().ToString();
    EXPECT_EQ(read, size);
    ASSERT_EQ(again->symbols(), model.symbols());
    for (size_t s = 0; s < model.symbols(); s++) ASSERT_EQ(again->frequency(s), model.frequency(s));
    for (size_t cut = 0; cut < size; cut++) {
      EXPECT_FALSE(RansModel::Read(precision, std::as_bytes(std::span(bytes)).first(cut), &read).ok());
    }
  }
}

TEST(RansModelTest, WritesTheBytesOfTheFormatPage) {
  std::vector<uint8_t> bytes;
  ModelOf(8, {200, 55, 0, 1}).AppendTo(&bytes);
  // 12 bits: 3, for four symbols.
  // 200: 7 wider than width 1 is rank 14 + 1 beyond that of zero: 15 zeros and a one; the 7 bits 1001000
  // of 72. 55: 2 narrower than 8 is near 3, rank 4 beyond zero: 0000 1; 5 bits 10111 of 23. 0: rank 3: 000 1.
  // 1: 5 narrower than 6 is near 9, after a zero rank 10: ten zeros and a one; no bits.
  std::string bits;
  for (const uint8_t byte : bytes) {
    for (int i = 0; i < 8; i++) bits += static_cast<char>('0' + (byte >> i & 1));
  }
  EXPECT_EQ(bits,
            "110000000000"
            "0000000000000001"
            "0001001"
            "00001"
            "11101"
            "0001"
            "00000000001"
            "0000");
}

}  // namespace
}  // namespace crivello::bits
