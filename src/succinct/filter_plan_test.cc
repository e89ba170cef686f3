// SPDX-License-Identifier: Apache-2.0
#include "succinct/filter_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "succinct/approximate_dictionary.h"
#include "succinct/bloom_filter.h"

namespace crivello::succinct {
namespace {

std::string PlannedKey(uint64_t i) {
  return "https://host" + std::to_string(i % 97) + ".example/" + std::to_string(i);
}

std::vector<uint64_t> WordsOfImage(Bytes image) {
  std::vector<uint64_t> words(image.size() / 8);
  std::memcpy(words.data(), image.data(), words.size() * 8);
  return words;
}

TEST(FilterPlanTest, HasTheSizesOfTheNotes) {
  const FilterPlan plan = PlanFilter(1'000'000'000, 0x1p-20).value();
  EXPECT_EQ(plan.bloom.probes, 20u);
  EXPECT_NEAR(static_cast<double>(plan.bloom.bits), 20e9 / M_LN2, 1000);
  EXPECT_NEAR(static_cast<double>(plan.bloom.bits) / plan.least_bits, 1.4427, 1e-4) << "44% above the least";
  EXPECT_NEAR(plan.probes_negative, 2, 1e-4);
  EXPECT_FALSE(PlanFilter(0, 0.1).ok());
  EXPECT_FALSE(PlanFilter(10, 0.6).ok());
  EXPECT_FALSE(PlanFilter(10, 0).ok());
  EXPECT_FALSE(PlanFilter(10, NAN).ok());
}

TEST(FilterPlanTest, ANegativeAnswerTakesTwoProbesOnAverage) {
  constexpr uint64_t kKeys = 100'000;
  const FilterPlan plan = PlanFilter(kKeys, 0x1p-20).value();
  auto filter = MutableBloomFilter::Create({.expected_keys = kKeys, .error = 0x1p-20}).value();
  for (uint64_t i = 0; i < kKeys; i++) filter.Add(PlannedKey(i));
  // Counted in the actual bits of the filter.
  const auto view = filter.view();
  const ImageWriter image = filter.Build();
  const std::vector<uint64_t> words = WordsOfImage(image.bytes());
  double probes = 0, negatives = 0;
  for (uint64_t i = kKeys; i < 3 * kKeys; i++) {
    unsigned made = 0;
    const bool found = BloomLayout::AllProbes(plan.bloom, view.Sign(PlannedKey(i)), [&](uint64_t bit) {
      made++;
      return (words[BloomHeader::kWords + bit / 64] >> (bit % 64) & 1) != 0;
    });
    if (found) continue;
    probes += made;
    negatives++;
  }
  EXPECT_NEAR(probes / negatives, 2, 0.05);
  EXPECT_NEAR(probes / negatives, plan.probes_negative, 0.02);
  // Half full: the probability that a key finds its first zero at probe i is 2^-i.
  EXPECT_NEAR(NegativeProbes(plan.bloom, kKeys / 2.0), 1.414, 0.01)
      << "with half the keys 1 - 1/sqrt 2 are set";
}

// A Bloom filter takes 44% more than the lower bound, the dictionary, which cannot grow, 8% more.
TEST(FilterPlanTest, TheApproximateDictionaryIsAThirdSmallerThanBloom) {
  constexpr uint64_t kKeys = 1'000'000;
  ApproximateDictionaryBuilder builder({.signature_bits = 8});
  for (uint64_t i = 0; i < kKeys; i++) ASSERT_TRUE(builder.Add(PlannedKey(i)).ok());
  const ImageWriter image = builder.Build().value();
  const FilterPlan plan = PlanFilter(kKeys, 0x1p-8).value();
  const double bits = 8 * static_cast<double>(image.bytes().size());
  EXPECT_NEAR(bits / plan.dictionary_bits, 1, 0.01);
  EXPECT_NEAR(bits / plan.least_bits, 1.08, 0.01);
  EXPECT_NEAR(static_cast<double>(plan.bloom.bits) / bits, 1.335, 0.01);
}

TEST(FilterPlanTest, CollisionsAreAsManyAsTheNotesSay) {
  // k^2 / 2^n up to the constant factor of two: 2,000 keys with hashes of 16 bits.
  constexpr unsigned kBits = 16;
  constexpr int kRounds = 300, kKeys = 2000;
  SeededRandom random(123);
  double pairs = 0;
  for (int round = 0; round < kRounds; round++) {
    std::vector<int> seen(size_t{1} << kBits, 0);
    for (int i = 0; i < kKeys; i++) pairs += seen[random.Next() >> (64 - kBits)]++;
  }
  EXPECT_NEAR(pairs / kRounds / ExpectedCollisions(kKeys, kBits), 1, 0.03);
  EXPECT_NEAR(ExpectedCollisions(1e9, 64), 1.0 / 37, 0.001) << "of 10^9 URLs one is lost in 37 crawls";
  EXPECT_LT(ExpectedCollisions(1e11, 64) / 1e11, 1e-8)
      << "10^11 URLs: a false positive less than once in 10^8";
  EXPECT_NEAR(CollisionProbability(23, 0), 1, 1e-9);
  EXPECT_NEAR(CollisionProbability(std::ldexp(1.0, 32), 64), 0.393, 0.001);
}

}  // namespace
}  // namespace crivello::succinct
