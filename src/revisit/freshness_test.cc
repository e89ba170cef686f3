// SPDX-License-Identifier: Apache-2.0
#include "revisit/freshness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace crivello::revisit {
namespace {

TEST(FreshnessTest, EqualsTheMeanOverTimeOfBeingUnchanged) {
  for (const double changes : {0.001, 0.1, 1.0, 20.0}) {
    for (const double visits : {0.01, 0.5, 3.0}) {
      // P(unchanged) t days after a visit is e^(-changes t); the age then is t - (1 - e^(-changes t)) /
      // changes.
      constexpr int kSlices = 200'000;
      double fresh = 0;
      double age = 0;
      for (int i = 0; i < kSlices; i++) {
        const double t = (i + 0.5) / kSlices / visits;
        fresh += std::exp(-changes * t) / kSlices;
        age += (t + std::expm1(-changes * t) / changes) / kSlices;
      }
      EXPECT_NEAR(Freshness(visits, changes), fresh, 1e-6) << changes << " " << visits;
      EXPECT_NEAR(MeanAge(visits, changes), age, 1e-6 / visits) << changes << " " << visits;
    }
  }
  EXPECT_EQ(Freshness(0, 1), 0);
  EXPECT_EQ(Freshness(0, 0), 1);
  EXPECT_TRUE(std::isinf(MeanAge(0, 1)));
}

TEST(VisitValueTest, IsTheDerivativeOfFreshnessByVisits) {
  for (const double changes : {0.003, 0.4, 7.0}) {
    for (const double visits : {0.02, 0.3, 5.0}) {
      const double step = visits * 1e-5;
      const double slope =
          (Freshness(visits + step, changes) - Freshness(visits - step, changes)) / (2 * step);
      EXPECT_NEAR(VisitValue(changes, 1 / visits), slope, 1e-5 / changes) << changes << " " << visits;
    }
  }
}

TEST(VisitValueTest, HasAnInverse) {
  SeededRandom random(7);
  for (int i = 0; i < 2000; i++) {
    const double changes = std::exp(20 * random.Unit() - 12);
    const double price = random.Unit() * 0.999 / changes;
    if (price <= 0) continue;
    const double since = IntervalAtPrice(changes, price);
    EXPECT_NEAR(VisitValue(changes, since), price, 1e-9 / changes) << changes;
  }
  EXPECT_TRUE(std::isinf(IntervalAtPrice(2, 0.5)));  // no visit is worth more than 1 / changes
  EXPECT_TRUE(std::isinf(IntervalAtPrice(0, 0.5)));
}

}  // namespace
}  // namespace crivello::revisit
