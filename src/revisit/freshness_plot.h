// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace crivello::revisit {

// Freshness over time as an SVG document without scripts: a curve for each policy, by visits per page since
// the start, and the optimum as a dashed line.  The same numbers give the same bytes.
struct FreshnessCurve {
  std::string name;              // plain ASCII without <, > and &
  std::vector<double> by_cycle;  // during the 1st, 2nd, ... visit per page
};
struct FreshnessPlot {
  std::string title;  // with the same characters as a name
  std::vector<FreshnessCurve> curves;
  double optimum = 0;
};
std::string DrawFreshness(const FreshnessPlot& plot);

}  // namespace crivello::revisit
