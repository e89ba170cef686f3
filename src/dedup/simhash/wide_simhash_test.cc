// SPDX-License-Identifier: Apache-2.0
#include "dedup/simhash/wide_simhash.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "dedup/page_digest.h"

namespace crivello::dedup {
namespace {

// Bits in the order of the slides, the first one highest.
Signature128 FromBits(std::string_view bits) {
  Signature128 value;
  for (const char bit : bits) value.low = value.low << 1 | (bit == '1' ? 1 : 0);
  return value;
}
std::string ToBits(Signature128 value, unsigned width) {
  std::string bits;
  for (unsigned i = width; i-- > 0;) bits += (value.low >> i & 1) != 0 ? '1' : '0';
  return bits;
}

TEST(WideSimHashTest, OfTropicalFishIsThatOfTheSlides) {
  const std::vector<std::tuple<const char*, const char*, int>> features = {
      {"tropical", "01100001", 2},   {"fish", "10101011", 2},         {"include", "11100110", 1},
      {"found", "00011110", 1},      {"environments", "00101101", 1}, {"around", "10001011", 1},
      {"world", "00101010", 1},      {"including", "11000000", 1},    {"both", "10101110", 1},
      {"freshwater", "00111111", 1}, {"salt", "10110101", 1},         {"water", "00100101", 1},
      {"species", "11101110", 1}};
  WideSimHash simhash(8);
  for (const auto& [word, hash, weight] : features) simhash.Add(FromBits(hash), weight);
  // The slides start with the counter of the highest bit.
  const auto votes = simhash.votes();
  EXPECT_EQ(std::vector<int64_t>(votes.rbegin(), votes.rend()),
            (std::vector<int64_t>{1, -5, 9, -9, 3, 1, 3, 3}));
  EXPECT_EQ(ToBits(simhash.Value(), 8), "10101111");
}

TEST(WideSimHashTest, IsTheMajorityOfTheLectureNotes) {
  WideSimHash simhash(5);
  for (const char* signal : {"10110", "01001", "01011"}) simhash.Add(FromBits(signal));
  EXPECT_EQ(ToBits(simhash.Value(), 5), "01011");
}

TEST(WideSimHashTest, IsItsDefinitionForAnyWidth) {
  SeededRandom random(1);
  for (const unsigned width : {1u, 8u, 31u, 63u, 64u, 65u, 100u, 128u}) {
    WideSimHash simhash(width);
    SimHash narrow;
    std::vector<std::pair<Signature128, int64_t>> features(1 + random.Below(50));
    for (auto& [hash, weight] : features) {
      hash = {random.Next(), random.Next()};
      weight = 1 + static_cast<int64_t>(random.Below(3));
      simhash.Add(hash, weight);
      for (int64_t i = 0; i < weight; i++) narrow.Add(hash.low);
    }
    for (unsigned bit = 0; bit < 128; bit++) {
      int64_t sum = 0;
      for (const auto& [hash, weight] : features) {
        sum += ((bit < 64 ? hash.low >> bit : hash.high >> (bit - 64)) & 1) != 0 ? weight : -weight;
      }
      const Signature128 value = simhash.Value();
      const bool set = ((bit < 64 ? value.low >> bit : value.high >> (bit - 64)) & 1) != 0;
      EXPECT_EQ(set, bit < width && sum > 0) << width << ' ' << bit;
    }
    if (width == 64) {
      EXPECT_EQ(simhash.Value().low, narrow.Value());
    }
    simhash.Clear();
    EXPECT_EQ(simhash.Value(), Signature128());
  }
}

// Vectors at a known angle: shared features, plus the same number of own features for each.
TEST(WideSimHashTest, HasAsManyEqualBitsAsTheAngleSays) {
  SeededRandom random(7);
  for (const double cosine : {0.0, 0.25, 0.5, 0.75, 0.9, 0.97, 1.0}) {
    constexpr int kRounds = 60;
    constexpr int kFeatures = 400;
    const int shared = static_cast<int>(cosine * kFeatures);
    double equal = 0;
    for (int round = 0; round < kRounds; round++) {
      WideSimHash a(128), b(128);
      for (int i = 0; i < kFeatures; i++) {
        const Signature128 hash = {random.Next(), random.Next()};
        a.Add(hash);
        b.Add(i < shared ? hash : Signature128{random.Next(), random.Next()});
      }
      equal += 128 - HammingDistance(a.Value(), b.Value());
    }
    // From kRounds * 128 independent bits; the counters are sums of 400, nearly normal.
    const double chance = EqualBitChance(cosine);
    const double deviation = std::sqrt(chance * (1 - chance) / (kRounds * 128));
    EXPECT_NEAR(equal / (kRounds * 128), chance, 4 * deviation + 0.012) << cosine;
  }
  EXPECT_DOUBLE_EQ(EqualBitChance(1), 1);
  EXPECT_DOUBLE_EQ(EqualBitChance(0), 0.5);
}

TEST(WideSimHashTest, KnowsTheChanceOfADistance) {
  EXPECT_DOUBLE_EQ(WithinDistanceChance(1, 64, 0), 1);
  EXPECT_NEAR(WithinDistanceChance(0, 8, 1), 9.0 / 256, 1e-12);
  EXPECT_DOUBLE_EQ(WithinDistanceChance(0.5, 64, 64), 1);
  // Three of 64 bits correspond to a cosine of 0.99, where 2.9 bits differ on average.
  EXPECT_NEAR(64 * (1 - EqualBitChance(0.99)), 2.88, 0.01);
}

}  // namespace
}  // namespace crivello::dedup
