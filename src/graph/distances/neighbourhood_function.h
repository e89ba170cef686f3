// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crivello::graph {

// The neighbourhood function of a graph: N(t) is the number of pairs (x, y), including x = y, where y is at
// distance at most t from x.  N(0) is the number of nodes; the last value is the number of reachable pairs.
using NeighbourhoodFunction = std::vector<double>;

// Statistics derived from it.  All of them include the pairs (x, x), at distance 0, as WebGraph does.

double ReachablePairs(std::span<const double> function);
// The share of reachable pairs at distance exactly t, for each t.
std::vector<double> DistanceDistribution(std::span<const double> function);
double AverageDistance(std::span<const double> function);
// The variance of the distance divided by its mean: above 1 for the web, below 1 for social networks (Boldi,
// Rosa, Vigna: HyperANF, 2011).
double DistanceDispersion(std::span<const double> function);
// The distance within which `share` of the reachable pairs are, with linear interpolation.
double EffectiveDistance(std::span<const double> function, double share = 0.9);

// An estimate from several runs and its standard error.
struct Estimate {
  double value = 0;
  double standard_error = 0;  // NaN if there was only one run
};

// The combination of several runs of a probabilistic algorithm.  A statistic of the mean of the runs is
// estimated by the jackknife, which leaves out one run at a time: it removes most of the bias of the
// statistic as a function of the mean, and gives the standard error (Efron, 1979).
struct DistanceSummary {
  NeighbourhoodFunction mean;      // of the runs
  std::vector<Estimate> function;  // N(t)
  std::vector<Estimate> distribution;
  Estimate reachable_pairs;
  Estimate average_distance;
  Estimate distance_dispersion;
  Estimate effective_distance;  // for 0.9
};
// REQUIRES: there is at least one run, and none is empty.  Shorter runs keep their last value.
DistanceSummary Summarise(std::span<const NeighbourhoodFunction> runs);

}  // namespace crivello::graph
