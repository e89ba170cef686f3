// SPDX-License-Identifier: Apache-2.0
#include "revisit/hints.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace crivello::revisit {
namespace {

// Pages whose changes come at `rate`, each announced with probability `recall`, and false hints on top so
// that `precision` of the hints are right; visits at random times.
HintTrust Listen(Random& random, double rate, double recall, double precision, int visits) {
  HintTrust trust;
  const double unhinted = rate * (1 - recall);
  const double hinted = rate * recall / precision;
  for (int i = 0; i < visits; i++) {
    const double days = random.Unit() / rate;
    uint32_t hints = 0;
    bool changed = -std::log(1 - random.Unit()) / unhinted < days;
    for (double at = -std::log(1 - random.Unit()) / hinted; at < days;
         at -= std::log(1 - random.Unit()) / hinted) {
      hints++;
      changed = changed || random.Unit() < precision;
    }
    const double share = trust.OnVisit(days, hints, changed, RateBelief::Known(unhinted));
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    if (!changed) {
      EXPECT_EQ(share, 0);
    }
    if (changed && hints == 0) {
      EXPECT_EQ(share, 1);
    }
  }
  return trust;
}

TEST(HintTrustTest, LearnsPrecisionAndRecallOfAHost) {
  SeededRandom random(41);
  for (const double precision : {0.1, 0.5, 0.95}) {
    for (const double recall : {0.2, 0.8}) {
      const HintTrust trust = Listen(random, 0.2, recall, precision, 20'000);
      EXPECT_NEAR(trust.precision(), precision, 0.05) << recall;
      EXPECT_NEAR(trust.recall(), recall, 0.1) << precision;
    }
  }
}

TEST(HintedIntervalTest, WithoutTrustItIsTheIntervalWithoutHints) {
  for (const double price : {0.5, 5.0}) {
    const RateBelief belief = RateBelief::Wide();
    const double plain = belief.IntervalAtPrice(price, 300);
    EXPECT_EQ(IntervalAtPrice(belief, {.precision = 0.01, .per_day = 3, .waiting = 5}, price, 300), plain);
    // Trusted hints that never come: the sums of the general form give the same result.
    EXPECT_NEAR(IntervalAtPrice(belief, {.precision = 0.9, .per_day = 0, .waiting = 0}, price, 300) / plain,
                1, 0.1);
  }
}

TEST(HintedIntervalTest, FallsWithWaitingHintsAndWithTheirPrecision) {
  const RateBelief belief = RateBelief::Known(0.02);
  double before = 1e9;
  for (uint32_t waiting = 0; waiting < 4; waiting++) {
    const double now =
        IntervalAtPrice(belief, {.precision = 0.4, .per_day = 0.02, .waiting = waiting}, 5, 1000);
    EXPECT_LE(now, before * (waiting == 0 ? 1 : 0.9)) << waiting;
    before = now;
  }
  before = 1e9;
  for (const double precision : {0.1, 0.3, 0.6, 0.9}) {
    const double now =
        IntervalAtPrice(belief, {.precision = precision, .per_day = 0.02, .waiting = 1}, 5, 1000);
    EXPECT_LE(now, before) << precision;
    before = now;
  }
}

// A simulation judges the rule: a page with hints, visited when P falls to p, at the price of a visit.
TEST(HintedIntervalTest, NoOtherThresholdEarnsMore) {
  constexpr double kUnhinted = 0.03;
  constexpr double kHints = 0.1;
  constexpr double kPrecision = 0.6;
  constexpr double kPrice = 4;
  const RateBelief belief = RateBelief::Known(kUnhinted);
  const double planned =
      IntervalAtPrice(belief, {.precision = kPrecision, .per_day = kHints, .waiting = 0}, kPrice, 1e4);
  const double best = std::exp(-kUnhinted * planned);
  // Fresh days minus the price of visits, by day.
  const auto earned = [&](double stop) {
    SeededRandom random(42);
    double value = 0;
    double days = 0;
    for (int cycle = 0; cycle < 200'000; cycle++) {
      double at = 0;
      double fresh = 1;  // (1 - precision)^hints
      for (;;) {
        const double end = std::log(fresh / stop) / kUnhinted;
        const double hint = at - std::log(1 - random.Unit()) / kHints;
        const double until = std::min(end, hint);
        value += fresh * (std::exp(-kUnhinted * at) - std::exp(-kUnhinted * until)) / kUnhinted;
        at = until;
        if (until == end) break;
        fresh *= 1 - kPrecision;
        if (fresh * std::exp(-kUnhinted * at) <= stop) break;
      }
      value -= kPrice;
      days += at;
    }
    return value / days;
  };
  const double here = earned(best);
  for (const double factor : {0.6, 0.8, 1.2, 1.4}) {
    if (best * factor < 1) {
      EXPECT_GT(here, earned(best * factor)) << factor;
    }
  }
}

}  // namespace
}  // namespace crivello::revisit
