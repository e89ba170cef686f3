// SPDX-License-Identifier: Apache-2.0
#include "graph/distances/neighbourhood_function.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>

namespace crivello::graph {
namespace {

// The jackknife estimate of a statistic, from its values for the mean of all runs and of all but one.
Estimate Jackknife(double of_all, std::span<const double> without_one) {
  const auto runs = static_cast<double>(without_one.size());
  Estimate estimate = {.value = of_all, .standard_error = std::numeric_limits<double>::quiet_NaN()};
  if (without_one.size() < 2) return estimate;
  double mean = 0, squares = 0;
  for (const double value : without_one) mean += value / runs;
  for (const double value : without_one) squares += (value - mean) * (value - mean);
  estimate.value = runs * of_all - (runs - 1) * mean;
  estimate.standard_error = std::sqrt((runs - 1) / runs * squares);
  return estimate;
}

}  // namespace

double ReachablePairs(std::span<const double> function) { return function.empty() ? 0 : function.back(); }

std::vector<double> DistanceDistribution(std::span<const double> function) {
  std::vector<double> distribution;
  double before = 0;
  for (const double pairs : function) {
    distribution.push_back((pairs - before) / function.back());
    before = pairs;
  }
  return distribution;
}

double AverageDistance(std::span<const double> function) {
  double average = 0, distance = 0;
  for (const double share : DistanceDistribution(function)) average += share * distance++;
  return average;
}

double DistanceDispersion(std::span<const double> function) {
  const double average = AverageDistance(function);
  double variance = 0, distance = 0;
  for (const double share : DistanceDistribution(function)) {
    variance += share * (distance - average) * (distance - average);
    distance++;
  }
  return average == 0 ? 0 : variance / average;
}

double EffectiveDistance(std::span<const double> function, double share) {
  if (function.empty()) return 0;
  const double wanted = share * function.back();
  if (function.front() >= wanted) return 0;
  size_t distance = 1;
  while (distance + 1 < function.size() && function[distance] < wanted) distance++;
  if (distance >= function.size()) return 0;
  const double before = function[distance - 1], after = function[distance];
  return static_cast<double>(distance - 1) + (wanted - before) / (after - before);
}

DistanceSummary Summarise(std::span<const NeighbourhoodFunction> runs) {
  assert(!runs.empty());
  size_t length = 0;
  for (const NeighbourhoodFunction& run : runs) length = std::max(length, run.size());
  const auto value_at = [](const NeighbourhoodFunction& run, size_t distance) {
    return run[std::min(distance, run.size() - 1)];
  };
  DistanceSummary summary;
  NeighbourhoodFunction sum(length);
  for (size_t distance = 0; distance < length; distance++) {
    for (const NeighbourhoodFunction& run : runs) sum[distance] += value_at(run, distance);
    summary.mean.push_back(sum[distance] / static_cast<double>(runs.size()));
  }
  std::vector<NeighbourhoodFunction> without_one;
  for (size_t left_out = 0; runs.size() > 1 && left_out < runs.size(); left_out++) {
    NeighbourhoodFunction& mean = without_one.emplace_back();
    for (size_t distance = 0; distance < length; distance++) {
      mean.push_back((sum[distance] - value_at(runs[left_out], distance)) /
                     static_cast<double>(runs.size() - 1));
    }
  }
  const auto estimate = [&](const std::function<double(std::span<const double>)>& statistic) {
    std::vector<double> values;
    for (const NeighbourhoodFunction& function : without_one) values.push_back(statistic(function));
    return Jackknife(statistic(summary.mean), values);
  };
  for (size_t distance = 0; distance < length; distance++) {
    summary.function.push_back(estimate([&](std::span<const double> f) { return f[distance]; }));
    summary.distribution.push_back(estimate([&](std::span<const double> f) {
      return (f[distance] - (distance == 0 ? 0 : f[distance - 1])) / f.back();
    }));
  }
  summary.reachable_pairs = estimate(ReachablePairs);
  summary.average_distance = estimate(AverageDistance);
  summary.distance_dispersion = estimate(DistanceDispersion);
  summary.effective_distance = estimate([](std::span<const double> f) { return EffectiveDistance(f); });
  return summary;
}

}  // namespace crivello::graph
