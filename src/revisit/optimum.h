// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"

namespace crivello::revisit {

// The best rates of visits if all rates of change are known: the maximum of the sum of weight *
// Freshness(visits, changes), with at most `budget` visits a day in all and at most host_limits[host] to each
// host.  The sum is concave, so at the maximum every page has the same price, plus that of its host if the
// host's limit binds.  Bisection finds both.  Schedules are compared with this optimum.
struct RatedPage {
  double changes = 0;
  double weight = 1;
  uint32_t host = 0;
};
struct Optimum {
  double freshness = 0;  // weighted mean
  double age = 0;        // weighted mean, in days; infinite if a page is never visited
  double price = 0;
  std::vector<double> host_prices;  // empty without limits
  std::vector<double> visits;       // per day, by page
};
// InvalidArgument if the budget or a limit is not positive, or a page's host has no limit.  Without limits
// `host_limits` is empty.
Result<Optimum> SolveOptimum(std::span<const RatedPage> pages, double budget,
                             std::span<const double> host_limits = {});

}  // namespace crivello::revisit
