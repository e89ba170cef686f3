// SPDX-License-Identifier: Apache-2.0
#include "revisit/optimum.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "revisit/freshness.h"

namespace crivello::revisit {
namespace {

constexpr int kSteps = 60;

double RateAtPrice(const RatedPage& page, double price) {
  if (page.weight <= 0) return 0;
  return 1 / IntervalAtPrice(page.changes, price / page.weight);  // 1 / infinity is 0
}

// The pages, grouped by host.
class PagesByHost {
 public:
  PagesByHost(std::span<const RatedPage> pages, std::span<const double> limits)
      : pages_(pages), limits_(limits), starts_(limits.size() + 1), order_(pages.size()) {
    for (const RatedPage& page : pages) starts_[page.host + 1]++;
    for (size_t host = 0; host < limits.size(); host++) starts_[host + 1] += starts_[host];
    std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
    for (size_t i = 0; i < pages.size(); i++) order_[next[pages[i].host]++] = i;
  }
  size_t hosts() const { return limits_.size(); }
  double VisitsOf(size_t host, double price) const {
    double sum = 0;
    for (size_t i = starts_[host]; i < starts_[host + 1]; i++) sum += RateAtPrice(pages_[order_[i]], price);
    return sum;
  }
  // Sets the visits of the host's pages at `price`, or at the price at which they keep its limit; returns
  // what that adds to `price`.
  double Allocate(size_t host, double price, std::vector<double>* visits) const {
    const double limit = limits_[host];
    double low = price;
    double high = price;
    while (VisitsOf(host, high) > limit) high *= 2;
    for (int i = 0; i < kSteps && high > low; i++) {
      const double middle = (low + high) / 2;
      (VisitsOf(host, middle) > limit ? low : high) = middle;
    }
    const double more = VisitsOf(host, low);
    const double less = VisitsOf(host, high);
    const double share = more > limit ? (limit - less) / (more - less) : 1;
    for (size_t i = starts_[host]; i < starts_[host + 1]; i++) {
      const RatedPage& page = pages_[order_[i]];
      (*visits)[order_[i]] = share * RateAtPrice(page, low) + (1 - share) * RateAtPrice(page, high);
    }
    return high - price;
  }

 private:
  std::span<const RatedPage> pages_;
  std::span<const double> limits_;
  std::vector<size_t> starts_;
  std::vector<size_t> order_;
};

}  // namespace

Result<Optimum> SolveOptimum(std::span<const RatedPage> pages, double budget,
                             std::span<const double> host_limits) {
  if (!(budget > 0)) return Status::InvalidArgument("a budget of visits must be positive");
  for (const double limit : host_limits) {
    if (!(limit > 0)) return Status::InvalidArgument("a host's limit of visits must be positive");
  }
  if (!host_limits.empty()) {
    for (const RatedPage& page : pages) {
      if (page.host >= host_limits.size()) return Status::InvalidArgument("a page's host has no limit");
    }
  }
  const PagesByHost by_host(host_limits.empty() ? std::span<const RatedPage>() : pages, host_limits);
  const auto total = [&](double price) {
    double sum = 0;
    if (host_limits.empty()) {
      for (const RatedPage& page : pages) sum += RateAtPrice(page, price);
    }
    for (size_t host = 0; host < by_host.hosts(); host++) {
      sum += std::min(by_host.VisitsOf(host, price), host_limits[host]);
    }
    return sum;
  };
  // Bisection over the logarithm, because prices span many decades.  If the limits keep the budget from being
  // used up, the price is 1e-12, which stands for 0.
  double low = 1e-12;
  double high = 1;
  while (total(high) > budget) high *= 2;
  for (int i = 0; i < kSteps && total(low) > budget; i++) {
    const double middle = std::sqrt(low * high);
    (total(middle) > budget ? low : high) = middle;
    if (high / low < 1 + 1e-12) break;
  }
  Optimum optimum;
  optimum.price = total(low) > budget ? high : low;
  // A page whose changes are worth just the price may take any rate up to some 1/30 of them: numbers cannot
  // tell their prices apart.  So between the two ends of the bracket, visits are divided in proportion.
  std::vector<double> more(pages.size());
  optimum.visits.resize(pages.size());
  for (size_t host = 0; host < by_host.hosts(); host++) {
    by_host.Allocate(host, low, &more);
    optimum.host_prices.push_back(by_host.Allocate(host, high, &optimum.visits));
  }
  if (host_limits.empty()) {
    for (size_t i = 0; i < pages.size(); i++) {
      more[i] = RateAtPrice(pages[i], low);
      optimum.visits[i] = RateAtPrice(pages[i], high);
    }
  }
  const double upper = std::accumulate(more.begin(), more.end(), 0.0);
  const double lower = std::accumulate(optimum.visits.begin(), optimum.visits.end(), 0.0);
  const double share = upper > budget ? (budget - lower) / (upper - lower) : 1;
  double weights = 0;
  for (size_t i = 0; i < pages.size(); i++) {
    const RatedPage& page = pages[i];
    optimum.visits[i] += share * (more[i] - optimum.visits[i]);
    optimum.freshness += page.weight * Freshness(optimum.visits[i], page.changes);
    if (page.weight > 0) optimum.age += page.weight * MeanAge(optimum.visits[i], page.changes);
    weights += page.weight;
  }
  if (weights > 0) {
    optimum.freshness /= weights;
    optimum.age /= weights;
  }
  return optimum;
}

}  // namespace crivello::revisit
