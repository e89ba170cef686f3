// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "revisit/belief.h"
#include "revisit/hints.h"

namespace crivello::revisit {

// A policy says how many days after its last visit a page is due.  Each has one price for all pages: the
// higher it is, the longer all intervals are, so one feedback (price.h) keeps any policy within its budget.
//
//   fixed         the interval is the price, in days, for every page
//   proportional  a page is visited once in `price` of its expected changes
//   optimal       a page is due when a visit is worth the price: the index policy that maximises
//                 freshness (Azar et al. 2018; Kolobov et al. 2019), in expectation over what is not known
//
// Pure; any number of threads.
struct PageBelief {
  RateBelief changes = {};  // except those that hints announce
  HintBelief hints = {};
  double weight = 1;
};

class RevisitPolicy {
 public:
  struct Limits {
    double shortest = 1.0 / 24;  // days
    double longest = 365;
  };
  virtual ~RevisitPolicy() = default;
  virtual std::string_view name() const = 0;
  // Within the limits, and not decreasing in `price`.  REQUIRES: price > 0.
  virtual double Interval(const PageBelief& page, double price) const = 0;
  // A shorter interval that shows better than Interval() whether the page is worth its visits; nothing if
  // that is known, or if Interval() shows it just as well.  After a long interval, a page that changes daily
  // and one that changes monthly have both changed.  So without probes, a page that was once taken for too
  // fast would never be visited again.
  virtual std::optional<double> Probe(const PageBelief&, double /*price*/) const { return std::nullopt; }
};

// Limits of probes, which are part of the budget: their share of the visits, and their number for each page
// until its history is halved.
inline constexpr double kProbeShare = 0.4;
inline constexpr uint32_t kMostProbes = 8;

// The names above.  InvalidArgument for another name, or limits that are not 0 < shortest <= longest.
std::vector<std::string_view> RevisitPolicyNames();
Result<std::unique_ptr<RevisitPolicy>> MakeRevisitPolicy(std::string_view name,
                                                         const RevisitPolicy::Limits& limits);

}  // namespace crivello::revisit
