// SPDX-License-Identifier: Apache-2.0
#include "revisit/belief.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "revisit/freshness.h"

namespace crivello::revisit {
namespace {

constexpr double kSlowest = 1e-5;  // changes per day
constexpr double kStep = 0.5;      // of the logarithm
constexpr double kNegligible = 1e-7;

const std::array<double, RateBelief::kRates>& GridRates() {
  static const auto rates = [] {
    std::array<double, RateBelief::kRates> all = {};
    for (size_t i = 0; i < all.size(); i++) all[i] = kSlowest * std::exp(kStep * static_cast<double>(i));
    return all;
  }();
  return rates;
}

// log(1 - e^-(rate days)), by rate and class of lengths.
using LogTable = std::array<std::array<double, RateBelief::kRates>, History::kClasses>;
const LogTable& LogChanged() {
  static const auto table = [] {
    LogTable logs = {};
    for (size_t c = 0; c < logs.size(); c++) {
      for (size_t i = 0; i < logs[c].size(); i++) {
        logs[c][i] = std::log(-std::expm1(-GridRates()[i] * History::ClassDays(c)));
      }
    }
    return logs;
  }();
  return table;
}

}  // namespace

double History::ClassDays(size_t length_class) {
  return std::exp2(static_cast<double>(length_class) + 0.5) / 24;
}

double History::changes() const {
  double sum = sums_.dated;
  for (const float one : sums_.changed) sum += one;
  return sum;
}

void History::Count() {
  if (sums_.visits >= kMemory) {
    sums_.visits /= 2;
    sums_.unchanged_days /= 2;
    sums_.dated /= 2;
    for (float& one : sums_.changed) one /= 2;
  }
  sums_.visits += 1;
}

void History::AddUnchanged(double days) {
  Count();
  sums_.unchanged_days += static_cast<float>(days);
}

void History::AddChanged(double days) { AddPartlyChanged(days, 1); }

void History::AddPartlyChanged(double days, double share) {
  Count();
  const double hours = std::max(1.0, days * 24);
  const auto length = std::min(static_cast<size_t>(std::log2(hours)), kClasses - 1);
  sums_.changed[length] += static_cast<float>(share);
  sums_.unchanged_days += static_cast<float>((1 - share) * days);
}

void History::AddDated(double days, double ago) {
  Count();
  sums_.dated += 1;
  sums_.unchanged_days += static_cast<float>(std::clamp(ago, 0.0, days));
}

RateBelief RateBelief::Wide() {
  RateBelief belief;
  double sum = 0;
  for (size_t i = 0; i < kRates; i++) {
    const double distance = std::log(GridRates()[i] * 30) / 2.5;
    sum += belief.probabilities_[i] = static_cast<float>(std::exp(-distance * distance / 2));
  }
  for (float& one : belief.probabilities_) one = static_cast<float>(one / sum);
  return belief;
}

RateBelief RateBelief::Known(double rate) {
  RateBelief belief;
  belief.scale_ = rate / GridRates()[0];
  belief.probabilities_[0] = 1;
  return belief;
}

RateBelief RateBelief::Of(const std::array<double, kRates>& weights) {
  RateBelief belief;
  double sum = 0;
  for (const double one : weights) sum += one;
  for (size_t i = 0; i < kRates; i++) belief.probabilities_[i] = static_cast<float>(weights[i] / sum);
  return belief;
}

double RateBelief::rate(size_t i) const { return scale_ * GridRates()[i]; }

double RateBelief::Mean() const {
  double sum = 0;
  for (size_t i = 0; i < kRates; i++) sum += probabilities_[i] * rate(i);
  return sum;
}

double RateBelief::Below(double limit) const {
  double sum = 0;
  for (size_t i = 0; i < kRates && rate(i) < limit; i++) sum += probabilities_[i];
  return sum;
}

double RateBelief::Median() const {
  double sum = 0;
  for (size_t i = 0; i < kRates; i++) {
    sum += probabilities_[i];
    if (sum >= 0.5) return rate(i);
  }
  return rate(kRates - 1);  // the sum is rounded
}

RateBelief RateBelief::After(const History& history) const {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  std::array<double, kRates> logs = {};
  double most = kNever;
  for (size_t i = 0; i < kRates; i++) {
    if (probabilities_[i] <= 0) {
      logs[i] = kNever;
      continue;
    }
    logs[i] = std::log(probabilities_[i]) - rate(i) * history.unchanged_days();
    if (history.dated() > 0) logs[i] += history.dated() * std::log(rate(i));
  }
  for (size_t c = 0; c < History::kClasses; c++) {
    if (history.changed(c) <= 0) continue;
    for (size_t i = 0; i < kRates; i++) logs[i] += history.changed(c) * LogChanged()[c][i];
  }
  for (const double one : logs) most = std::max(most, one);
  double sum = 0;
  for (double& one : logs) sum += one = std::exp(one - most);
  RateBelief after = *this;
  for (size_t i = 0; i < kRates; i++) after.probabilities_[i] = static_cast<float>(logs[i] / sum);
  return after;
}

double RateBelief::StillFresh(double since) const {
  double sum = 0;
  for (size_t i = 0; i < kRates; i++) {
    if (probabilities_[i] > kNegligible) sum += probabilities_[i] * std::exp(-rate(i) * since);
  }
  return sum;
}

double RateBelief::Value(double since) const {
  double sum = 0;
  for (size_t i = 0; i < kRates; i++) {
    if (probabilities_[i] > kNegligible) sum += probabilities_[i] * VisitValue(rate(i), since);
  }
  return sum;
}

double RateBelief::IntervalAtPrice(double price, double longest) const {
  if (Value(longest) <= price) return longest;
  double low = 0;
  double high = longest;
  // The value of a page that changes seldom is about mean since^2 / 2.
  double since = std::min(std::sqrt(2 * price / Mean()), longest / 2);
  for (int i = 0; i < 60; i++) {
    double value = 0;
    double slope = 0;
    for (size_t j = 0; j < kRates; j++) {
      if (probabilities_[j] <= kNegligible) continue;
      value += probabilities_[j] * VisitValue(rate(j), since);
      slope += probabilities_[j] * rate(j) * std::exp(-rate(j) * since);
    }
    const double error = value - price;
    (error < 0 ? low : high) = since;
    double next = slope > 0 ? since - error / (slope * since) : low;
    if (!(next > low && next < high)) next = low > 0 ? std::sqrt(low * high) : high / 2;
    const bool done = std::abs(next - since) <= 1e-6 * since;
    since = next;
    if (done) break;
  }
  return since;
}

void RateBelief::Mixture::Add(const RateBelief& belief, double weight) {
  for (size_t i = 0; i < kRates; i++) sums_[i] += weight * belief.probabilities_[i];
}

RateBelief RateBelief::Mixture::Finish() const {
  RateBelief belief;
  double sum = 0;
  for (const double one : sums_) sum += one;
  for (size_t i = 0; i < kRates; i++) belief.probabilities_[i] = static_cast<float>(sums_[i] / sum);
  return belief;
}

RateBelief FitSite(std::span<const History> histories, const SiteFit& fit) {
  RateBelief prior = fit.start;
  for (int pass = 0; pass < fit.passes; pass++) {
    RateBelief::Mixture mixture;
    mixture.Add(fit.web, fit.weight);
    for (const History& history : histories) {
      if (history.visits() > 0) mixture.Add(prior.After(history), 1);
    }
    prior = mixture.Finish();
  }
  return prior;
}

}  // namespace crivello::revisit
