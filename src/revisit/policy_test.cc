// SPDX-License-Identifier: Apache-2.0
#include "revisit/policy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "revisit/freshness.h"
#include "revisit/price.h"

namespace crivello::revisit {
namespace {

History RandomHistory(Random& random) {
  History history;
  const auto visits = random.Below(20);
  const double days = std::exp(6 * random.Unit() - 2);
  for (uint64_t i = 0; i < visits; i++) {
    random.Unit() < 0.5 ? history.AddChanged(days * random.Unit() + 0.01) : history.AddUnchanged(days);
  }
  return history;
}

TEST(RevisitPolicyTest, IntervalsStayInTheirLimitsAndGrowWithThePrice) {
  SeededRandom random(31);
  const RevisitPolicy::Limits limits = {.shortest = 0.5, .longest = 90};
  for (const std::string_view name : RevisitPolicyNames()) {
    const auto policy = MakeRevisitPolicy(name, limits);
    ASSERT_TRUE(policy.ok()) << policy.status().message();
    EXPECT_EQ((*policy)->name(), name);
    for (int i = 0; i < 100; i++) {
      PageBelief page = {.changes = RateBelief::Wide().After(RandomHistory(random)),
                         .weight = 0.1 + random.Unit()};
      if (i % 2 == 1) page.hints = {.precision = random.Unit(), .per_day = random.Unit(), .waiting = 0};
      double before = 0;
      for (const double price : {0.01, 0.1, 1.0, 10.0, 100.0}) {
        const double interval = (*policy)->Interval(page, price);
        EXPECT_GE(interval, limits.shortest) << name;
        EXPECT_LE(interval, limits.longest) << name;
        EXPECT_GE(interval, before * (1 - 1e-6)) << name << " " << price;
        before = interval;
        const auto probe = (*policy)->Probe(page, price);
        if (probe) {
          EXPECT_LT(*probe, interval) << name;
        }
      }
    }
  }
}

TEST(RevisitPolicyTest, TheOptimalIntervalOfAKnownRateIsThatOfTheFormula) {
  const auto policy = MakeRevisitPolicy("optimal", {.shortest = 1e-3, .longest = 1e4});
  ASSERT_TRUE(policy.ok());
  for (const double changes : {0.001, 0.03, 0.4}) {
    PageBelief page = {.changes = RateBelief::Known(changes)};
    EXPECT_NEAR((*policy)->Interval(page, 2), IntervalAtPrice(changes, 2), 1e-3);
    EXPECT_FALSE((*policy)->Probe(page, 2));
    page.weight = 2;
    EXPECT_NEAR((*policy)->Interval(page, 2), IntervalAtPrice(changes, 1), 1e-3);
  }
  // It changes too often to be worth a visit.
  EXPECT_EQ((*policy)->Interval({.changes = RateBelief::Known(0.6)}, 2), 1e4);
}

TEST(RevisitPolicyTest, ProbesAPageThatMayOrMayNotBeWorthItsVisits) {
  const auto policy = MakeRevisitPolicy("optimal", {.shortest = 1.0 / 24, .longest = 1000});
  ASSERT_TRUE(policy.ok());
  // It has changed in each of its long intervals: does it change daily or monthly?
  History history;
  for (int i = 0; i < 5; i++) history.AddChanged(60);
  PageBelief page = {.changes = RateBelief::Wide().After(history)};
  const auto probe = (*policy)->Probe(page, 10);
  ASSERT_TRUE(probe);
  EXPECT_NEAR(*probe, 12, 1e-9);
  // Several probes found a change: it is dropped.
  for (int i = 0; i < 8; i++) history.AddChanged(2);
  page.changes = RateBelief::Wide().After(history);
  EXPECT_FALSE((*policy)->Probe(page, 10));
  EXPECT_GT((*policy)->Interval(page, 10), 100);
}

TEST(RevisitPolicyTest, RefusesUnknownNamesAndLimits) {
  EXPECT_EQ(MakeRevisitPolicy("best", {}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(MakeRevisitPolicy("fixed", {.shortest = 0, .longest = 1}).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(MakeRevisitPolicy("fixed", {.shortest = 2, .longest = 1}).status().code(),
            StatusCode::kInvalidArgument);
}

TEST(PriceFeedbackTest, FindsThePriceAtWhichThePlanFitsTheBudget) {
  for (const double start : {0.01, 1000.0}) {
    PriceFeedback price(start);
    // 1,000 pages that change once in 10 days, and are visited as the price says.
    const auto planned = [&] { return 1000 / std::min(IntervalAtPrice(0.1, price.price()), 1e4); };
    for (int visit = 0; visit < 30'000; visit++) {
      price.OnVisit({.budget = 50, .planned = planned(), .pages = 1000, .late_days = 0});
    }
    EXPECT_NEAR(planned(), 50, 0.5) << start;
  }
}

}  // namespace
}  // namespace crivello::revisit
