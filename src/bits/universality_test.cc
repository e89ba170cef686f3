// SPDX-License-Identifier: Apache-2.0
#include "bits/universality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::bits {
namespace {

TEST(UniversalityTest, GammaAndDeltaStayBelowTheirBoundsOnDistributionsThatDoNotIncrease) {
  const auto gamma = FindCode("gamma").value();
  const auto delta = FindCode("delta").value();
  SeededRandom random(1975);
  for (int round = 0; round < 100; round++) {
    SCOPED_TRACE(round);
    const std::vector<double> p = RandomMonotoneDistribution(size_t{1} << random.Below(17), random);
    for (size_t i = 1; i < p.size(); i++) ASSERT_LE(p[i], p[i - 1] * (1 + 1e-12));
    const double entropy = EntropyOfDistribution(p);
    const double rounding = 1e-9 * (entropy + 1);
    EXPECT_GE(MeanLength(*gamma, p), entropy - rounding) << "no code beats the entropy";
    EXPECT_LE(MeanLength(*gamma, p), GammaBound(entropy) + rounding);
    EXPECT_LE(MeanLength(*delta, p), DeltaBound(entropy) + rounding);
  }
}

TEST(UniversalityTest, UnaryAndGolombExceedAnyLinearBound) {
  for (const char* name : {"unary", "golomb8"}) {
    SCOPED_TRACE(name);
    const auto code = FindCode(name).value();
    double last = 0;
    for (int log = 10; log <= 16; log += 2) {
      const std::vector<double> p = UniformDistribution(size_t{1} << log);
      const double ratio = MeanLength(*code, p) / EntropyOfDistribution(p);
      EXPECT_GT(ratio, 3 * last) << "the mean grows with 2^H, so a factor c of H is passed sooner or later";
      last = ratio;
    }
  }
}

TEST(UniversalityTest, DeltaIsAsymptoticallyOptimalAndGammaIsNot) {
  const auto gamma = FindCode("gamma").value();
  const auto delta = FindCode("delta").value();
  // For the uniform distribution over 2^k integers, of entropy k, exact lengths by hand: all integers x with
  // lambda(x + 1) = j, except one, cost 2 j + 1 in gamma, and j + 2 lambda(j + 1) + 1 in delta.
  double last = 2;
  for (int k = 8; k <= 20; k += 4) {
    const std::vector<double> p = UniformDistribution(size_t{1} << k);
    EXPECT_NEAR(EntropyOfDistribution(p), k, 1e-6);
    EXPECT_GT(MeanLength(*gamma, p) / k, 2 - 3.0 / k);
    EXPECT_LE(MeanLength(*gamma, p) / k, 2 + 1.0 / k);
    const double ratio = MeanLength(*delta, p) / k;
    EXPECT_LT(ratio, last) << "of delta, k = " << k;
    last = ratio;
  }
  EXPECT_LT(last, 1.5);
}

TEST(UniversalityTest, KnowsEntropiesAndMeansByHand) {
  const std::vector<double> p = {0.5, 0.25, 0.125, 0.125};
  EXPECT_DOUBLE_EQ(EntropyOfDistribution(p), 1.75);
  EXPECT_DOUBLE_EQ(MeanLength(*FindCode("unary").value(), p), 0.5 + 0.5 + 0.375 + 0.5);
  EXPECT_DOUBLE_EQ(MeanLength(*FindCode("gamma").value(), p), 0.5 + 0.75 + 0.375 + 0.625);
  double sum = 0;
  for (const double one : ZipfDistribution(1000, 1.2)) sum += one;
  EXPECT_NEAR(sum, 1, 1e-9);
}

}  // namespace
}  // namespace crivello::bits
