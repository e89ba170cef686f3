// SPDX-License-Identifier: Apache-2.0
#include "revisit/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace crivello::revisit {
namespace {

constexpr double kSure = 0.05;

class FixedPolicy final : public RevisitPolicy {
 public:
  explicit FixedPolicy(const Limits& limits) : limits_(limits) {}
  std::string_view name() const override { return "fixed"; }
  double Interval(const PageBelief&, double price) const override {
    return std::clamp(price, limits_.shortest, limits_.longest);
  }

 private:
  const Limits limits_;
};

class ProportionalPolicy final : public RevisitPolicy {
 public:
  explicit ProportionalPolicy(const Limits& limits) : limits_(limits) {}
  std::string_view name() const override { return "proportional"; }
  double Interval(const PageBelief& page, double price) const override {
    // A waiting hint that is right with probability p is p changes of which the page's own rate knows
    // nothing.
    const double hinted = page.hints.precision * page.hints.per_day;
    return std::clamp(price / (page.changes.Mean() + hinted), limits_.shortest, limits_.longest);
  }

 private:
  const Limits limits_;
};

class OptimalPolicy final : public RevisitPolicy {
 public:
  explicit OptimalPolicy(const Limits& limits) : limits_(limits) {}
  std::string_view name() const override { return "optimal"; }
  double Interval(const PageBelief& page, double price) const override {
    if (page.weight <= 0) return limits_.longest;
    return std::max(limits_.shortest,
                    IntervalAtPrice(page.changes, page.hints, price / page.weight, limits_.longest));
  }

  std::optional<double> Probe(const PageBelief& page, double price) const override {
    if (page.weight <= 0) return std::nullopt;
    // A page that changes more often than this is not worth a visit.  Intervals in which it changes about
    // once distinguish it best from slower pages.
    const double limit = page.weight / price;
    const double worth = page.changes.Below(limit);
    if (worth < kSure || worth > 1 - kSure) return std::nullopt;
    const double probe = std::max(limits_.shortest, 1.2 / limit);
    if (probe * 1.5 > Interval(page, price)) return std::nullopt;
    return probe;
  }

 private:
  const Limits limits_;
};

}  // namespace

std::vector<std::string_view> RevisitPolicyNames() { return {"fixed", "proportional", "optimal"}; }

Result<std::unique_ptr<RevisitPolicy>> MakeRevisitPolicy(std::string_view name,
                                                         const RevisitPolicy::Limits& limits) {
  if (!(limits.shortest > 0 && limits.shortest <= limits.longest && std::isfinite(limits.longest))) {
    return Status::InvalidArgument(
        fmt::format("the shortest interval between visits of a page is {} days and the longest {}; it must "
                    "be above 0 and at "
                    "most as long as the longest",
                    limits.shortest, limits.longest));
  }
  std::unique_ptr<RevisitPolicy> policy;
  if (name == "fixed") policy = std::make_unique<FixedPolicy>(limits);
  if (name == "proportional") policy = std::make_unique<ProportionalPolicy>(limits);
  if (name == "optimal") policy = std::make_unique<OptimalPolicy>(limits);
  if (policy == nullptr) {
    return Status::InvalidArgument(
        fmt::format("unknown revisit policy '{}': expected fixed, proportional or optimal", name));
  }
  return policy;
}

}  // namespace crivello::revisit
