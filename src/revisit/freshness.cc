// SPDX-License-Identifier: Apache-2.0
#include "revisit/freshness.h"

#include <cmath>
#include <limits>

namespace crivello::revisit {
namespace {

// 1 - (1 + x) e^-x, without the cancellation at small x.
double UnseenShare(double x) {
  if (x < 0.02) return x * x * (0.5 + x * (-1.0 / 3 + x * (0.125 + x * (-1.0 / 30 + x / 144))));
  return -std::expm1(-x) - x * std::exp(-x);
}

}  // namespace

double Freshness(double visits, double changes) {
  if (changes <= 0) return 1;
  if (visits <= 0) return 0;
  const double x = changes / visits;
  return -std::expm1(-x) / x;
}

double MeanAge(double visits, double changes) {
  if (changes <= 0) return 0;
  if (visits <= 0) return std::numeric_limits<double>::infinity();
  const double x = changes / visits;
  // 1/2 - 1/x + (1 - e^-x)/x^2, which is x/6 - x^2/24 + ... near 0.
  const double share =
      x < 0.02 ? x * (1.0 / 6 + x * (-1.0 / 24 + x / 120)) : 0.5 - 1 / x - std::expm1(-x) / (x * x);
  return share / visits;
}

double VisitValue(double changes, double since) {
  if (changes <= 0 || since <= 0) return 0;
  return UnseenShare(changes * since) / changes;
}

double IntervalAtPrice(double changes, double price) {
  const double share = price * changes;
  if (changes <= 0 || share >= 1) return std::numeric_limits<double>::infinity();
  // UnseenShare(x) = share; Newton's steps, kept inside a bracket.
  double low = 0;
  double high = 2;
  while (UnseenShare(high) < share) {
    if (high > 700) return std::numeric_limits<double>::infinity();
    low = high;
    high *= 2;
  }
  double x = std::min(std::sqrt(2 * share) * (1 + share), (low + high) / 2);
  for (int i = 0; i < 60; i++) {
    const double error = UnseenShare(x) - share;
    (error < 0 ? low : high) = x;
    const double slope = x * std::exp(-x);
    double next = slope > 0 ? x - error / slope : low;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - x) <= 1e-13 * x) {
      x = next;
      break;
    }
    x = next;
  }
  return x / changes;
}

}  // namespace crivello::revisit
