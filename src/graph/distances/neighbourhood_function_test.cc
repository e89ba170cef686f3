// SPDX-License-Identifier: Apache-2.0
#include "graph/distances/neighbourhood_function.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace crivello::graph {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Pointwise;

TEST(NeighbourhoodFunctionTest, GivesTheStatisticsOfDistances) {
  // Of 10 reachable pairs, 4 are at distance 0, 2 at 1, 3 at 2 and 1 at 3.
  const NeighbourhoodFunction function = {4, 6, 9, 10};
  EXPECT_EQ(ReachablePairs(function), 10);
  EXPECT_THAT(DistanceDistribution(function), Pointwise(DoubleEq(), {0.4, 0.2, 0.3, 0.1}));
  EXPECT_DOUBLE_EQ(AverageDistance(function), 1.1);
  EXPECT_DOUBLE_EQ(DistanceDispersion(function), (0.4 * 1.21 + 0.2 * 0.01 + 0.3 * 0.81 + 0.1 * 3.61) / 1.1);
  EXPECT_DOUBLE_EQ(EffectiveDistance(function), 2);
  EXPECT_DOUBLE_EQ(EffectiveDistance(function, 0.5), 0.5) << "halfway from 4 to 6";
  EXPECT_DOUBLE_EQ(EffectiveDistance(function, 1), 3);
  EXPECT_DOUBLE_EQ(EffectiveDistance(function, 0.3), 0);
}

TEST(NeighbourhoodFunctionTest, GivesZeroForAGraphWithoutPaths) {
  EXPECT_DOUBLE_EQ(AverageDistance(NeighbourhoodFunction{5}), 0);
  EXPECT_DOUBLE_EQ(DistanceDispersion(NeighbourhoodFunction{5}), 0);
  EXPECT_DOUBLE_EQ(EffectiveDistance(NeighbourhoodFunction{5}), 0);
  EXPECT_DOUBLE_EQ(EffectiveDistance({}), 0);
  EXPECT_DOUBLE_EQ(ReachablePairs({}), 0);
}

TEST(DistanceSummaryTest, TheStandardErrorOfAMeanIsTheUsualOne) {
  // The jackknife of a mean is the mean, and its error the textbook formula: s / sqrt(k).
  const std::vector<NeighbourhoodFunction> runs = {{3, 10}, {3, 14}, {3, 12}, {3, 20}};
  const auto summary = Summarise(runs);
  EXPECT_THAT(summary.mean, ElementsAre(3, 14));
  EXPECT_NEAR(summary.reachable_pairs.value, 14, 1e-12);
  EXPECT_NEAR(summary.reachable_pairs.standard_error, std::sqrt((16 + 0 + 4 + 36) / 3.0 / 4), 1e-12);
  EXPECT_NEAR(summary.function[0].value, 3, 1e-12);
  EXPECT_NEAR(summary.function[0].standard_error, 0, 1e-12);
}

TEST(DistanceSummaryTest, TheErrorOfARatioCoversTheTruth) {
  // N(1) is 100 plus or minus 10, N(0) is 50, so the true average distance is 0.5.
  SeededRandom random(1);
  int covered = 0;
  for (int experiment = 0; experiment < 200; experiment++) {
    std::vector<NeighbourhoodFunction> runs;
    for (int run = 0; run < 16; run++) {
      double noise = 0;
      for (int i = 0; i < 12; i++) noise += random.Unit();
      runs.push_back({50, 100 + 10 * (noise - 6)});
    }
    const Estimate average = Summarise(runs).average_distance;
    covered += std::abs(average.value - 0.5) <= 2 * average.standard_error;
  }
  EXPECT_GE(covered, 174) << "about 94% are expected within two standard errors of 16 runs";
}

TEST(DistanceSummaryTest, AShorterRunStaysAtItsLastValueAndOneRunHasNoError) {
  const auto summary = Summarise(std::vector<NeighbourhoodFunction>{{1, 2}, {1, 3, 4}});
  EXPECT_THAT(summary.mean, ElementsAre(1, 2.5, 3));
  const auto one = Summarise(std::vector<NeighbourhoodFunction>{{1, 2}});
  EXPECT_EQ(one.reachable_pairs.value, 2);
  EXPECT_TRUE(std::isnan(one.reachable_pairs.standard_error));
}

}  // namespace
}  // namespace crivello::graph
