// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "revisit/belief.h"

namespace crivello::revisit {

// Hints say that a page has changed: an item of a feed, a `lastmod` of a sitemap, a ping.  Some hints are
// wrong, and some changes have no hint.  (Azar et al.: Tractable near-optimal policies for crawling, PNAS
// 115(32), 2018; for noisy hints arXiv 2502.02430: n hints count as time that has passed.)

// Where a hint comes from.  The numbers are stored on disk (docs/formats/host-schedule.md): never renumber or
// reuse one.
enum class HintSource : uint8_t { kFeed = 0, kSitemap = 1, kWebSub = 2, kIndexNow = 3 };
inline constexpr size_t kHintSources = 4;
// "feed", "sitemap", "websub", "indexnow".
std::string_view HintSourceName(HintSource source);

// What is believed of the hints about one page.
struct HintBelief {
  double precision = 0;  // the probability that a hint is right
  double per_day = 0;    // hints a day
  uint32_t waiting = 0;  // hints since the last visit
};

// How often the hints about the pages of one host are right, learnt from its visits.  One thread at a time.
class HintTrust {
 public:
  static constexpr size_t kValues = 20;
  // Its complete state, for storing it.
  struct Sums {
    std::array<double, kValues> logs = {};  // likelihoods
    double hints = 0;
    double changed = 0;    // visits that found a change
    double announced = 0;  // of these, the ones that a hint had announced
  };
  HintTrust() = default;
  explicit HintTrust(const Sums& sums) : sums_(sums) {}
  const Sums& sums() const { return sums_; }

  // A visit `days` after the one before, with `hints` hints in between.  `unhinted` is the belief about
  // changes that have no hint.  Returns the probability that such a change is among those that the visit
  // found: the share for History::AddPartlyChanged(); 0 if nothing changed.
  double OnVisit(double days, uint32_t hints, bool changed, const RateBelief& changes);

  // The share of right hints: the mean of a belief over 20 values, 1/2 before the first hint.
  double precision() const;
  // The share of the visits with a change that a hint had announced.
  double recall() const { return (sums_.announced + 1) / (sums_.changed + 2); }
  double hints() const { return sums_.hints; }

 private:
  static double Value(size_t i) { return static_cast<double>(i) / kValues; }

  Sums sums_;
};

// The `since` at which a visit is worth `price`, at most `longest`, if no further hint comes.
//
// Let P be the probability that the page is unchanged: StillFresh(since) (1 - precision)^hints.  It only
// falls, so the best rule for one page is to visit when P has fallen to some p, and at the price of a visit
// that p satisfies E[integral of max(0, P - p) over time] = price, in expectation over the hints to come,
// which are a Poisson process.  Without hints this is RateBelief::IntervalAtPrice().  The integral is a sum
// over 48 times and at most 16 hints, and takes about 20 microseconds.
double IntervalAtPrice(const RateBelief& unhinted, const HintBelief& hints, double price, double longest);

}  // namespace crivello::revisit
