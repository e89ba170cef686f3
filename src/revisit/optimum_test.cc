// SPDX-License-Identifier: Apache-2.0
#include "revisit/optimum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.h"
#include "revisit/freshness.h"

namespace crivello::revisit {
namespace {

struct Problem {
  std::vector<RatedPage> pages;
  std::vector<double> limits;
  double budget = 1;
};

Problem RandomProblem(Random& random, bool limited) {
  Problem problem;
  for (int i = 0; i < 8; i++) {
    problem.pages.push_back({.changes = std::exp(6 * random.Unit() - 4),
                             .weight = 0.5 + random.Unit(),
                             .host = static_cast<uint32_t>(i % 3)});
  }
  problem.budget = std::exp(4 * random.Unit() - 2);
  if (limited) problem.limits = {problem.budget / 8, problem.budget / 4, problem.budget};
  return problem;
}

double WeightedFreshness(const Problem& problem, const std::vector<double>& visits) {
  double sum = 0;
  double weights = 0;
  for (size_t i = 0; i < visits.size(); i++) {
    sum += problem.pages[i].weight * Freshness(visits[i], problem.pages[i].changes);
    weights += problem.pages[i].weight;
  }
  return sum / weights;
}

// The obvious algorithm: give out the budget in small pieces, each where it helps most.  The sum is concave
// and the pages are independent, so the result is at most one piece away from the maximum.
std::vector<double> HandOut(const Problem& problem, int pieces) {
  std::vector<double> visits(problem.pages.size());
  std::vector<double> by_host(problem.limits.size());
  const double piece = problem.budget / pieces;
  for (int n = 0; n < pieces; n++) {
    size_t best = visits.size();
    double most = 0;
    for (size_t i = 0; i < visits.size(); i++) {
      const RatedPage& page = problem.pages[i];
      if (!by_host.empty() && by_host[page.host] + piece > problem.limits[page.host] * (1 + 1e-9)) continue;
      const double gain =
          page.weight * (Freshness(visits[i] + piece, page.changes) - Freshness(visits[i], page.changes));
      if (gain > most) {
        most = gain;
        best = i;
      }
    }
    if (best == visits.size()) break;
    visits[best] += piece;
    if (!by_host.empty()) by_host[problem.pages[best].host] += piece;
  }
  return visits;
}

TEST(OptimumTest, EqualsHandingOutTheBudgetPieceByPiece) {
  SeededRandom random(21);
  for (int round = 0; round < 30; round++) {
    const Problem problem = RandomProblem(random, round % 2 == 1);
    const auto solved = SolveOptimum(problem.pages, problem.budget, problem.limits);
    ASSERT_TRUE(solved.ok()) << solved.status().message();
    const Optimum& optimum = *solved;
    const double judged = WeightedFreshness(problem, HandOut(problem, 4000));
    EXPECT_NEAR(optimum.freshness, judged, 2e-3) << round;
    EXPECT_GE(optimum.freshness, judged - 1e-9) << round;
  }
}

TEST(OptimumTest, KeepsBudgetAndLimits) {
  SeededRandom random(22);
  for (int round = 0; round < 50; round++) {
    const Problem problem = RandomProblem(random, true);
    const auto solved = SolveOptimum(problem.pages, problem.budget, problem.limits);
    ASSERT_TRUE(solved.ok()) << solved.status().message();
    const Optimum& optimum = *solved;
    std::vector<double> by_host(3);
    for (size_t i = 0; i < problem.pages.size(); i++) by_host[problem.pages[i].host] += optimum.visits[i];
    EXPECT_LE(std::accumulate(by_host.begin(), by_host.end(), 0.0), problem.budget * (1 + 1e-6));
    for (size_t host = 0; host < by_host.size(); host++) {
      EXPECT_LE(by_host[host], problem.limits[host] * (1 + 1e-6));
      // A host pays more than the others only if its limit binds.
      if (optimum.host_prices[host] > 1e-9) {
        EXPECT_NEAR(by_host[host], problem.limits[host], 1e-6);
      }
    }
  }
}

TEST(OptimumTest, NoOtherDivisionOfTheBudgetIsBetter) {
  SeededRandom random(23);
  const Problem problem = RandomProblem(random, false);
  const auto solved = SolveOptimum(problem.pages, problem.budget);
  ASSERT_TRUE(solved.ok()) << solved.status().message();
  const Optimum& optimum = *solved;
  for (int round = 0; round < 2000; round++) {
    std::vector<double> visits;
    for (size_t i = 0; i < problem.pages.size(); i++) visits.push_back(random.Unit());
    const double sum = std::accumulate(visits.begin(), visits.end(), 0.0);
    for (double& one : visits) one *= problem.budget / sum;
    EXPECT_LE(WeightedFreshness(problem, visits), optimum.freshness + 1e-9);
  }
}

TEST(OptimumTest, RefusesWhatHasNoAnswer) {
  const std::vector<RatedPage> pages = {{.changes = 1, .host = 2}};
  const std::vector<double> limits = {1};
  EXPECT_EQ(SolveOptimum(pages, 0).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(SolveOptimum(pages, 1, limits).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace crivello::revisit
