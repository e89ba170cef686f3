// SPDX-License-Identifier: Apache-2.0
#include "revisit/hints.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace crivello::revisit {
namespace {

// If the hints of a host are right less often, they are ignored.
constexpr double kLeastPrecision = 0.05;
constexpr double kMostPrecision = 0.999;
constexpr uint32_t kMostHints = 16;

constexpr size_t kTimes = 48;
constexpr double kFirstMoment = 0.01;  // days

double UsedPrecision(const HintBelief& hints) {
  return hints.precision < kLeastPrecision ? 0 : std::min(hints.precision, kMostPrecision);
}

}  // namespace

std::string_view HintSourceName(HintSource source) {
  constexpr std::array<std::string_view, kHintSources> kNames = {"feed", "sitemap", "websub", "indexnow"};
  return kNames[static_cast<size_t>(source)];
}

double HintTrust::precision() const {
  const double most = *std::max_element(sums_.logs.begin(), sums_.logs.end());
  double sum = 0;
  double weighted = 0;
  for (size_t i = 0; i < kValues; i++) {
    const double likely = std::exp(sums_.logs[i] - most);
    sum += likely;
    // The middle of the value's range.
    weighted += likely * (Value(i) + 0.5 / kValues);
  }
  // The lowest value counts as 0: such hints are never right.
  return weighted / sum <= 0.5 / kValues * 1.5 ? 0 : weighted / sum;
}

double HintTrust::OnVisit(double days, uint32_t hints, bool changed, const RateBelief& changes) {
  // With probability 0 or 1, a single visit could rule a value out for ever.
  const double unchanged = std::clamp(changes.StillFresh(days), 0.001, 0.999);
  const auto count = static_cast<double>(hints);
  sums_.hints += count;
  for (size_t i = 0; i < kValues && hints > 0; i++) {
    const double all_wrong = std::pow(1 - Value(i), count);
    sums_.logs[i] += changed ? std::log(1 - all_wrong * unchanged) : std::log(all_wrong);
  }
  if (!changed) return 0;
  sums_.changed += 1;
  const double all_wrong = std::pow(1 - precision(), count);
  const double any = 1 - all_wrong * unchanged;
  sums_.announced += std::min(1.0, (1 - all_wrong) / any);
  return hints == 0 ? 1 : std::clamp((1 - unchanged) / any, 0.0, 1.0);
}

double IntervalAtPrice(const RateBelief& unhinted, const HintBelief& hints, double price, double longest) {
  const double precision = UsedPrecision(hints);
  if (precision == 0) return unhinted.IntervalAtPrice(price, longest);
  // P at times that grow geometrically, by number of hints, and how likely each number is.
  struct Moment {
    double days;   // since the moment before
    double fresh;  // StillFresh()
    std::array<double, kMostHints + 1> likely;
  };
  std::array<Moment, kTimes> moments;
  const double growth = std::pow(longest / kFirstMoment, 1.0 / (kTimes - 1));
  double at = kFirstMoment;
  double before = 0;
  for (Moment& moment : moments) {
    const double middle = (before + at) / 2;
    moment.days = at - before;
    moment.fresh = unhinted.StillFresh(middle);
    const double expected = hints.per_day * middle;
    double likely = std::exp(-expected);
    for (size_t count = 0; count <= kMostHints; count++) {
      moment.likely[count] = likely;
      likely *= expected / static_cast<double>(count + 1);
    }
    before = at;
    at *= growth;
  }
  const auto worth = [&](double stop) {
    double sum = 0;
    for (const Moment& moment : moments) {
      double fresh = moment.fresh;
      if (fresh <= stop) break;
      double here = 0;
      for (size_t count = 0; count <= kMostHints && fresh > stop; count++) {
        here += moment.likely[count] * (fresh - stop);
        fresh *= 1 - precision;
      }
      sum += moment.days * here;
    }
    return sum;
  };
  double low = 0;
  double high = 1;
  for (int i = 0; i < 24; i++) {
    const double middle = (low + high) / 2;
    (worth(middle) > price ? low : high) = middle;
  }
  // The time at which P falls to that value, given the hints that wait.
  const double fresh = low / std::pow(1 - precision, static_cast<double>(hints.waiting));
  if (fresh >= 1) return 0;
  if (unhinted.StillFresh(longest) >= fresh) return longest;
  double early = 0;
  double late = longest;
  for (int i = 0; i < 30; i++) {
    const double middle = early > 0 ? std::sqrt(early * late) : late * 1e-6;
    (unhinted.StillFresh(middle) > fresh ? early : late) = middle;
    if (early == 0) break;
  }
  return late;
}

}  // namespace crivello::revisit
