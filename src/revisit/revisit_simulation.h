// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "revisit/changing_web.h"

namespace crivello::revisit {

// Tries a policy on a changing web, with a calendar of due pages, a budget of visits per day, and histories
// that the visits fill.  At first the policy knows nothing about the web.  Time is simulated in steps of an
// hour.
//
// The simulation measures the share of pages that are fresh and the mean age of the copies, as means over
// time, during `measured` visits per page after `learning` visits per page.
struct RevisitSimulationOptions {
  ChangingWebOptions web;
  std::string policy = "optimal";
  double budget = 0.05;  // visits a day, as a share of the pages
  double learning = 20;
  double measured = 5;
  // Visits a day to one host; 0: no limit.
  double host_limit = 0;
  // With a limit: visits to all hosts have one price, and those that a host cannot bear wait.
  bool one_price = false;
  // Ignore hints.
  bool ignore_hints = false;
  // The policy knows the true rates of changes.
  bool known_rates = false;
  // The share of pages whose server says when they last changed.
  double dated = 0;
};

struct RevisitReport {
  double freshness = 0;
  double age = 0;      // days
  double optimum = 0;  // freshness of the best schedule of Poisson pages without hints that knows all rates
  double optimum_age = 0;
  uint64_t visits = 0;        // in all
  double most_per_day = 0;    // the largest number of visits in one day, as a share of the budget
  double most_host_day = 0;   // the largest number of visits to a host in one day
  double precision = 0;       // believed of the hints, in the mean over hosts that sent some
  double recall = 0;          // likewise
  std::vector<double> curve;  // freshness during the 1st, 2nd, ... visit per page
};

// The policies of policy.h; InvalidArgument for others, and for quantities that make no sense.
Result<RevisitReport> SimulateRevisits(const RevisitSimulationOptions& options);

}  // namespace crivello::revisit
