// SPDX-License-Identifier: Apache-2.0
#include "succinct/hyper_log_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "base/test_support.h"
#include "succinct/bit_vector_test_support.h"
#include "succinct/hyper_log_log_max.h"

namespace crivello::succinct {
namespace {

// The example of the lecture notes, (7, 0, 2, 1) max (5, 3, 2, 5), step by step: fields of 7 bits with a
// support bit above each. Then the same registers, packed without support bits.
TEST(HyperLogLogMaxTest, DoesTheExampleOfTheNotes) {
  const std::vector<uint64_t> x = {7, 0, 2, 1}, y = {5, 3, 2, 5}, expected = {7, 3, 2, 5};
  const auto pack = [](const std::vector<uint64_t>& fields) {
    uint64_t word = 0;
    for (size_t j = 0; j < fields.size(); j++) word |= fields[j] << (8 * j);
    return word;
  };
  const uint64_t support = pack({128, 128, 128, 128}), ones = pack({1, 1, 1, 1});
  const uint64_t difference = (pack(x) | support) - pack(y);
  EXPECT_EQ(difference, pack({128 | 2, 0 | 125, 128 | 0, 0 | 124}));
  const uint64_t borrows = (difference & support) >> 7;  // 1 where no borrow was needed
  EXPECT_EQ(borrows, pack({1, 0, 1, 0}));
  // The support bits minus 1: nothing is left below them where `borrows` adds that 1 back.
  const uint64_t mask = ((support | borrows) - ones) & ~support;
  EXPECT_EQ(mask, pack({0, 127, 0, 127}));
  EXPECT_EQ((mask & pack(y)) | (~mask & pack(x)), pack(expected));

  for (const unsigned width : {5u, 6u})
    for (const auto& max : {MaxByBroadword, MaxBySimd}) {
      uint64_t a[3] = {}, b[3] = {};
      for (unsigned j = 0; j < 4; j++) {
        SetRegister(a + 1, j, width, x[j]);
        SetRegister(b + 1, j, width, y[j]);
      }
      EXPECT_TRUE(max(a + 1, b + 1, 1, width));
      for (unsigned j = 0; j < 4; j++) EXPECT_EQ(GetRegister(a + 1, j, width), expected[j]);
      EXPECT_FALSE(max(a + 1, b + 1, 1, width));
    }
}

// Three methods give the same bytes, regardless of neighbouring words.
TEST(HyperLogLogMaxTest, IsTheSameInThreeWays) {
  const uint64_t seed = 10;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (unsigned log = HyperLogLogShape::kMinLog; log <= 12; log++)
    for (const unsigned width : {5u, 6u}) {
      const HyperLogLogShape shape = {.log_registers = log, .width = width, .counters = 1};
      const unsigned words = shape.words_per_counter();
      SCOPED_TRACE(std::to_string(log) + " " + std::to_string(width));
      for (int round = 0; round < 300; round++) {
        std::vector<uint64_t> from(words + 2), to(words + 2);
        from.front() = random.Next(), from.back() = random.Next();
        to.front() = random.Next(), to.back() = random.Next();
        for (unsigned j = 0; j < shape.registers(); j++) {
          // Often equal, often at the ends of the range; in some rounds no register, or only one, changes.
          const uint64_t largest = LowBits(width);
          const uint64_t values[] = {
              0, 1, largest / 2, largest / 2 + 1, largest - 1, largest, random.Below(largest + 1)};
          const uint64_t x = values[random.Below(7)], y = values[random.Below(7)];
          SetRegister(to.data() + 1, j, width, round % 3 == 0 ? x : std::max(x, y));
          SetRegister(from.data() + 1, j, width, y);
        }
        if (round % 3 == 2) {
          const auto j = static_cast<unsigned>(random.Below(shape.registers()));
          SetRegister(to.data() + 1, j, width, LowBits(width) - 1);
          SetRegister(from.data() + 1, j, width, LowBits(width));
        }
        auto by_registers = to, by_broadword = to, by_simd = to;
        const bool changed =
            MaxByRegisters(by_registers.data() + 1, from.data() + 1, shape.registers(), width);
        ASSERT_EQ(changed, by_registers != to);
        ASSERT_EQ(MaxByBroadword(by_broadword.data() + 1, from.data() + 1, words, width), changed);
        ASSERT_EQ(by_broadword, by_registers);
        ASSERT_EQ(MaxBySimd(by_simd.data() + 1, from.data() + 1, words, width), changed);
        ASSERT_EQ(by_simd, by_registers);
      }
    }
}

TEST(HyperLogLogTest, KeepsTheGreatestRankOfEachRegister) {
  for (const uint64_t max_distinct : {uint64_t{1} << 32, ~uint64_t{0}}) {
    HyperLogLogBuilder counters(3, 4, max_distinct);
    const unsigned greatest = max_distinct == ~uint64_t{0} ? 63 : 31;
    EXPECT_TRUE(counters.Add(1, 0b1'0011));  // register 3, no trailing zeros
    EXPECT_FALSE(counters.Add(1, 0b11'0011));
    EXPECT_TRUE(counters.Add(1, 0b100'0011));
    EXPECT_FALSE(counters.Add(1, 0b10'0011));
    EXPECT_EQ(counters.Register(1, 3), 3u);
    EXPECT_TRUE(counters.Add(1, 0));  // all zeros
    EXPECT_EQ(counters.Register(1, 0), greatest == 63 ? 63u : 31u);
    EXPECT_TRUE(counters.Add(1, (uint64_t{1} << 63) | 15));
    EXPECT_EQ(counters.Register(1, 15), std::min(60u, greatest));
    for (unsigned j = 0; j < 16; j++) {
      EXPECT_EQ(counters.Register(0, j), 0u);
      EXPECT_EQ(counters.Register(2, j), 0u);
    }
  }
}

TEST(HyperLogLogTest, CountsFewElementsAlmostExactly) {
  HyperLogLogBuilder counters(1, 12, 1000);
  EXPECT_EQ(counters.Estimate(0), 0);
  SeededRandom random(11);
  for (int i = 0; i < 100; i++) counters.Add(0, random.Next());
  EXPECT_NEAR(counters.Estimate(0), 100, 5);
}

// The counter of a union is the union of the counters; uniting a set with itself changes nothing.
TEST(HyperLogLogTest, UnitesSets) {
  for (const unsigned log : {4u, 5u, 6u, 10u}) {
    HyperLogLogBuilder counters(4, log, 1'000'000);
    SeededRandom random(12);
    for (int i = 0; i < 20'000; i++) {
      const uint64_t hash = random.Next();
      counters.Add(static_cast<uint64_t>(i) % 2, hash);
      counters.Add(3, hash);
    }
    EXPECT_TRUE(counters.Unite(2, counters.Counter(0)));
    EXPECT_TRUE(counters.Unite(2, counters.Counter(1)));
    EXPECT_FALSE(counters.Unite(2, counters.Counter(1)));
    EXPECT_FALSE(counters.Unite(2, counters.Counter(2)));
    EXPECT_FALSE(counters.Unite(3, counters.Counter(2)));
    for (unsigned j = 0; j < 1u << log; j++) EXPECT_EQ(counters.Register(2, j), counters.Register(3, j));
    EXPECT_EQ(counters.Estimate(2), counters.Estimate(3));
  }
}

// Root mean square of the relative error over 1000 sets, well above the range of linear counting (2.5 m).
TEST(HyperLogLogTest, ErrsAsLittleAsThePaperSays) {
  for (const unsigned log : {4u, 5u, 6u, 7u, 8u}) {
    SCOPED_TRACE(log);
    const uint64_t sets = 1000, distinct = 10'000;
    HyperLogLogBuilder counters(sets, log, distinct);
    double squares = 0, sum = 0;
    uint64_t within = 0;  // two deviations
    for (uint64_t set = 0; set < sets; set++) {
      SeededRandom random(Mix64(set + 1));
      for (uint64_t i = 0; i < distinct; i++) counters.Add(set, random.Next());
      const double error = counters.Estimate(set) / static_cast<double>(distinct) - 1;
      squares += error * error;
      sum += error;
      within += std::abs(error) <= 2 * 1.06 / std::sqrt(counters.shape().registers()) ? 1 : 0;
    }
    const double deviation = counters.shape().RelativeStandardDeviation();
    EXPECT_LE(std::sqrt(squares / sets), 1.1 * deviation);
    EXPECT_GE(std::sqrt(squares / sets), 0.8 * deviation);             // else it is a different counter
    EXPECT_LE(std::abs(sum / sets), 4 * deviation / std::sqrt(sets));  // no bias
    EXPECT_GE(within, sets * 94 / 100);                                // 95 or 96 in the mean over more sets
  }
}

TEST(HyperLogLogTest, IsReadFromAMappedFileAndADamagedFileIsRefused) {
  TemporaryFolder folder;
  const std::string path = folder / "counters";
  HyperLogLogBuilder builder(5, 4, 1000);
  for (uint64_t i = 0; i < 500; i++) builder.Add(i % 5, Mix64(i));
  ImageWriter image;
  builder.AppendTo(image);
  ASSERT_TRUE(WriteImage(path, HyperLogLogArray::kFileKind, image.bytes()).ok());
  {
    const auto mapped = Mapped<HyperLogLogArray>::Open(path);
    ASSERT_TRUE(mapped.ok()) << mapped.status().ToString();
    ASSERT_EQ((*mapped)->size(), 5u);
    for (uint64_t i = 0; i < 5; i++) EXPECT_EQ((*mapped)->Estimate(i), builder.Estimate(i));
    EXPECT_EQ(std::get<uint64_t>((*mapped)->Describe()[1].value), 16u);
  }
  ExpectEveryDamageIsFound<HyperLogLogArray>(path);
}

TEST(HyperLogLogTest, StaysInsideADamagedImage) {
  HyperLogLogBuilder builder(5, 4, 1000);
  for (uint64_t i = 0; i < 500; i++) builder.Add(i % 5, Mix64(i));
  ImageWriter writer;
  builder.AppendTo(writer);
  const auto good = std::move(writer).Release();
  int opened = 0;
  for (size_t bit = 0; bit < good.size() * 64; bit++) {
    auto bad = good;
    bad[bit / 64] ^= uint64_t{1} << (bit % 64);
    const auto array = HyperLogLogArray::FromImage(std::as_bytes(std::span(bad)));
    if (!array.ok()) continue;
    opened++;
    for (uint64_t i = 0; i < array->size(); i++) EXPECT_GE(array->Estimate(i), 0);
  }
  EXPECT_GT(opened, 0);
  for (size_t words = 0; words < good.size(); words++)
    EXPECT_FALSE(HyperLogLogArray::FromImage(std::as_bytes(std::span(good)).first(words * 8)).ok());
}

}  // namespace
}  // namespace crivello::succinct
