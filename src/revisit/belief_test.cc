// SPDX-License-Identifier: Apache-2.0
#include "revisit/belief.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "revisit/freshness.h"

namespace crivello::revisit {
namespace {

double ExponentialDays(Random& random, double rate) { return -std::log(1 - random.Unit()) / rate; }

// The history of a page that changes at `rate`, visited at random intervals about `days` long.
History Watch(Random& random, double rate, double days, int visits, bool dated) {
  History history;
  for (int i = 0; i < visits; i++) {
    const double length = days * (0.5 + random.Unit());
    // Backwards from the visit, the last change is as far away as forwards the next.
    const double ago = ExponentialDays(random, rate);
    if (ago >= length) {
      history.AddUnchanged(length);
    } else {
      dated ? history.AddDated(length, ago) : history.AddChanged(length);
    }
  }
  return history;
}

TEST(RateBeliefTest, IsBayesRuleOverItsRates) {
  History history;
  history.AddUnchanged(3);
  history.AddChanged(History::ClassDays(6));
  history.AddDated(5, 2);
  const RateBelief prior = RateBelief::Wide();
  const RateBelief after = prior.After(history);
  double sum = 0;
  std::vector<double> expected;
  for (size_t i = 0; i < RateBelief::kRates; i++) {
    const double r = prior.rate(i);
    expected.push_back(prior.probability(i) * std::exp(-3 * r) * (1 - std::exp(-r * History::ClassDays(6))) *
                       r * std::exp(-2 * r));
    sum += expected.back();
  }
  for (size_t i = 0; i < RateBelief::kRates; i++) {
    EXPECT_NEAR(after.probability(i), expected[i] / sum, 1e-6) << i;
  }
}

TEST(RateBeliefTest, FindsTheRateWithoutRegardToHowLongIntervalsAre) {
  SeededRandom random(11);
  for (const double rate : {0.003, 0.05, 0.7}) {
    for (const double changes_per_visit : {0.3, 1.6}) {
      double logs = 0;
      constexpr int kPages = 200;
      for (int page = 0; page < kPages; page++) {
        const History history = Watch(random, rate, changes_per_visit / rate, 60, false);
        logs += std::log(RateBelief::Wide().After(history).Mean());
      }
      // The mean of the belief is above its median; a bias of a tenth of a factor e is what that makes.
      EXPECT_NEAR(logs / kPages, std::log(rate), 0.12) << rate << " " << changes_per_visit;
    }
  }
}

TEST(RateBeliefTest, TheMedianIgnoresASmallChanceOfAFastPage) {
  std::array<double, RateBelief::kRates> weights = {};
  weights[8] = 0.4;
  weights[10] = 0.5;
  weights[30] = 0.1;
  const RateBelief belief = RateBelief::Of(weights);
  EXPECT_EQ(belief.Median(), belief.rate(10));
  EXPECT_GT(belief.Mean(), 100 * belief.Median());
  EXPECT_DOUBLE_EQ(RateBelief::Known(0.25).Median(), 0.25);
}

TEST(RateBeliefTest, KnownDatesTellMoreThanChangesAlone) {
  SeededRandom random(12);
  double plain = 0;
  double dated = 0;
  for (int page = 0; page < 300; page++) {
    // Visits are so seldom that nearly each finds a change.
    const auto error = [&](bool with_date) {
      const History history = Watch(random, 0.5, 10, 10, with_date);
      return std::abs(std::log(RateBelief::Wide().After(history).Mean() / 0.5));
    };
    plain += error(false);
    dated += error(true);
  }
  EXPECT_LT(dated, plain / 2);
}

TEST(RateBeliefTest, LearnsAPageThatChangesItsHabits) {
  SeededRandom random(13);
  History history = Watch(random, 1, 1, 200, false);
  EXPECT_NEAR(RateBelief::Wide().After(history).Mean(), 1, 0.3);
  for (int i = 0; i < 500; i++) history.AddUnchanged(1);
  EXPECT_LT(RateBelief::Wide().After(history).Mean(), 0.1);
  EXPECT_LE(history.visits(), History::kMemory);
}

TEST(RateBeliefTest, ValueGrowsAndItsIntervalIsTheInverse) {
  SeededRandom random(14);
  for (int i = 0; i < 300; i++) {
    const double rate = std::exp(8 * random.Unit() - 6);
    const RateBelief belief = RateBelief::Wide().After(Watch(random, rate, 2 / rate, i % 10, false));
    double before = 0;
    for (const double since : {0.1, 1.0, 10.0, 100.0, 1000.0}) {
      const double value = belief.Value(since);
      EXPECT_GE(value, before);
      before = value;
    }
    const double price = belief.Value(1000) * random.Unit();
    const double since = belief.IntervalAtPrice(price, 1000);
    EXPECT_NEAR(belief.Value(since), price, 1e-4 * price + 1e-9);
    EXPECT_EQ(belief.IntervalAtPrice(belief.Value(1000) * 1.01, 1000), 1000);
  }
  // A known rate is the formula itself.
  EXPECT_NEAR(RateBelief::Known(0.2).Value(7), VisitValue(0.2, 7), 1e-9);
  EXPECT_NEAR(RateBelief::Known(0.2).IntervalAtPrice(2, 1e6), IntervalAtPrice(0.2, 2), 1e-4);
}

TEST(FitSiteTest, ASitePriorHelpsPagesOfWhichLittleIsKnown) {
  SeededRandom random(15);
  for (const double site : {0.002, 0.03, 0.6}) {
    std::vector<History> histories;
    for (int page = 0; page < 100; page++) {
      const double rate = site * std::exp(2 * random.Unit() - 1);
      histories.push_back(Watch(random, rate, 1 / site, 4, false));
    }
    const RateBelief prior = FitSite(histories, {.start = RateBelief::Wide(), .web = RateBelief::Wide()});
    double own = 0;
    double wide = 0;
    for (int page = 0; page < 300; page++) {
      const double rate = site * std::exp(2 * random.Unit() - 1);
      const History history = Watch(random, rate, 1 / site, 1, false);
      own += std::abs(std::log(prior.After(history).Mean() / rate));
      wide += std::abs(std::log(RateBelief::Wide().After(history).Mean() / rate));
    }
    EXPECT_LT(own, wide) << site;
  }
}

}  // namespace
}  // namespace crivello::revisit
