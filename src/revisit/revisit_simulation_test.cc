// SPDX-License-Identifier: Apache-2.0
#include "revisit/revisit_simulation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "revisit/freshness.h"

namespace crivello::revisit {
namespace {

RevisitReport Report(const RevisitSimulationOptions& options) {
  auto report = SimulateRevisits(options);
  EXPECT_TRUE(report.ok()) << report.status().message();
  return report.ok() ? *report : RevisitReport{};
}

RevisitSimulationOptions Small(std::string policy, ChangeLaw law = ChangeLaw::kPoisson) {
  RevisitSimulationOptions options;
  options.web = {.seed = 5, .pages = 4000, .hosts = 40, .law = law};
  options.policy = std::move(policy);
  options.budget = 0.1;
  return options;
}

TEST(RevisitSimulationTest, MeasuresAFixedIntervalAsTheFormulaHasIt) {
  const RevisitSimulationOptions options = Small("fixed");
  const ChangingWeb web(options.web);
  double fresh = 0;
  for (uint32_t page = 0; page < web.pages(); page++) fresh += Freshness(0.1, web.changes_per_day(page));
  EXPECT_NEAR(Report(options).freshness, fresh / web.pages(), 0.01);
}

TEST(RevisitSimulationTest, ComesCloseToTheOptimumIfItKnowsTheRates) {
  RevisitSimulationOptions options = Small("optimal");
  options.known_rates = true;
  const RevisitReport report = Report(options);
  EXPECT_NEAR(report.freshness, report.optimum, 0.01);
}

TEST(RevisitSimulationTest, LearntBeatsFixedWhichBeatsProportional) {
  const RevisitReport fixed = Report(Small("fixed"));
  const RevisitReport learnt = Report(Small("optimal"));
  const RevisitReport proportional = Report(Small("proportional"));
  EXPECT_GT(learnt.freshness, fixed.freshness + 0.01);
  EXPECT_LT(proportional.freshness, fixed.freshness - 0.1);
  EXPECT_LT(learnt.freshness, learnt.optimum + 0.01);
}

TEST(RevisitSimulationTest, NeverSpendsMoreThanItsBudget) {
  for (const char* policy : {"fixed", "proportional", "optimal"}) {
    const RevisitReport report = Report(Small(policy));
    EXPECT_LE(report.visits, 25 * 4000 + 1) << policy;
    EXPECT_LE(report.most_per_day, 1.01) << policy;
    // It does not leave much of it unused either.
    EXPECT_GE(report.visits, 23 * 4000) << policy;
  }
}

TEST(RevisitSimulationTest, KeepsTheLimitOfEachHost) {
  RevisitSimulationOptions options = Small("optimal");
  options.host_limit = 12;  // of the 100 pages of a host; 10 a day are the mean
  const RevisitReport report = Report(options);
  EXPECT_LE(report.most_host_day, 13);
  EXPECT_GT(report.freshness, 0.9 * report.optimum);
}

// Here, pages that must wait are visited in the order in which they were due, so one price does as well.
TEST(RevisitSimulationTest, APriceForEachHostComesNearTheOptimumUnderLimits) {
  RevisitSimulationOptions options = Small("optimal");
  options.host_limit = 12;
  const RevisitReport own = Report(options);
  options.one_price = true;
  const RevisitReport one = Report(options);
  EXPECT_GT(own.freshness, one.freshness - 0.005);
  EXPECT_GT(own.freshness, 0.95 * own.optimum);
  EXPECT_LT(own.freshness, own.optimum + 0.01);
}

TEST(RevisitSimulationTest, HintsHelpAndLiesDoNotHurt) {
  for (const ChangeLaw law : {ChangeLaw::kHinted, ChangeLaw::kLying, ChangeLaw::kFalse}) {
    RevisitSimulationOptions options = Small("optimal", law);
    options.web.pages = 1000;
    options.web.hosts = 10;
    const RevisitReport heard = Report(options);
    options.ignore_hints = true;
    const RevisitReport deaf = Report(options);
    const double more = law == ChangeLaw::kFalse ? -0.01 : 0.01;
    EXPECT_GT(heard.freshness, deaf.freshness + more) << ChangeLawName(law);
  }
}

TEST(RevisitSimulationTest, TheSameSeedGivesTheSameReport) {
  const RevisitReport one = Report(Small("optimal"));
  const RevisitReport two = Report(Small("optimal"));
  EXPECT_EQ(one.freshness, two.freshness);
  EXPECT_EQ(one.visits, two.visits);
}

TEST(ChangingWebTest, ChangesComeAsOftenAsTheirRateUnderAnyLaw) {
  for (const std::string_view name : ChangeLawNames()) {
    const auto law = FindChangeLaw(name);
    ASSERT_TRUE(law.ok());
    ChangingWeb web({.seed = 3, .pages = 50, .hosts = 5, .law = *law});
    double expected = 0;
    double seen = 0;
    for (uint32_t page = 0; page < web.pages(); page++) {
      const double days = 2000 / web.changes_per_day(page);
      expected += 2000;
      for (; web.next_change(page) < days; web.Advance(page)) seen += 1;
    }
    EXPECT_NEAR(seen / expected, 1, 0.03) << name;
  }
  EXPECT_EQ(FindChangeLaw("random").status().code(), StatusCode::kInvalidArgument);
}

TEST(RevisitSimulationTest, RefusesQuantitiesWithoutSense) {
  RevisitSimulationOptions options = Small("optimal");
  options.budget = 0;
  EXPECT_EQ(SimulateRevisits(options).status().code(), StatusCode::kInvalidArgument);
  options = Small("none");
  EXPECT_EQ(SimulateRevisits(options).status().code(), StatusCode::kInvalidArgument);
  options = Small("fixed");
  options.web.hosts = 0;
  EXPECT_EQ(SimulateRevisits(options).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace crivello::revisit
