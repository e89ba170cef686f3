// SPDX-License-Identifier: Apache-2.0
#include "cluster/assign/assignment_simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cluster/assign/bounded_loads.h"

namespace crivello::cluster {
namespace {

using testing::HasSubstr;

TEST(AssignmentSimulationTest, MeasuresWhatTheFormulasSay) {
  SilentProgress silent;
  const auto simulation = SimulateAssignment(
      {.agents = 8, .keys = 40'000, .tablets = 64, .replicas = 50, .clusters = 20}, silent);
  ASSERT_TRUE(simulation.ok()) << simulation.status().ToString();
  for (const FunctionMeasure& one : simulation->functions) {
    EXPECT_EQ(std::accumulate(one.loads.begin(), one.loads.end(), uint64_t{0}), 40'000u);
    EXPECT_LT(one.deviation, 2.5 * one.deviation_formula) << one.function;
    EXPECT_GT(one.deviation, one.deviation_formula / 2.5) << one.function;
    EXPECT_NEAR(one.joined, one.joined_formula, one.function == "consistent" ? 0.06 : 0.01) << one.function;
    EXPECT_NEAR(one.left, one.left_formula, one.function == "consistent" ? 0.06 : 0.01) << one.function;
  }
  for (const ReplicasMeasure& one : simulation->replicas) {
    EXPECT_NEAR(one.deviation / one.deviation_formula, 1, 0.3) << one.replicas;
  }
  for (const EpsilonMeasure& one : simulation->epsilons) {
    EXPECT_EQ(one.limit, LoadLimit(64, 8, one.epsilon));
    EXPECT_LE(one.most, static_cast<double>(one.limit) + 1e-9);
    if (std::isinf(one.epsilon)) {
      EXPECT_EQ(one.joined_extra, 0);
      EXPECT_EQ(one.left_extra, 0);
      EXPECT_NEAR(one.deviation, std::sqrt(7.0 / 64), 0.1);
    }
  }
  const std::string svg = PlotAssignment(*simulation);
  EXPECT_THAT(svg, HasSubstr("min-hash"));
  EXPECT_EQ(std::count(svg.begin(), svg.end(), '<'), std::count(svg.begin(), svg.end(), '>'));
}

TEST(AssignmentSimulationTest, SaysWhatItNeeds) {
  SilentProgress silent;
  EXPECT_THAT(SimulateAssignment({.agents = 1}, silent).status().message(), HasSubstr("1 agents"));
  EXPECT_THAT(SimulateAssignment({.keys = 0}, silent).status().message(), HasSubstr("at least 1 key"));
}

}  // namespace
}  // namespace crivello::cluster
