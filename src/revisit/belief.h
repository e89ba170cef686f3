// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace crivello::revisit {

// What the visits of a page have shown, as sums; the order of visits does not matter.  After every kMemory
// visits, the older ones count half, so that a page that changes its habits is learnt again.
//
// An interval without a change has the likelihood e^(-rate days); one with at least one change, 1 -
// e^(-rate days); one whose last change is known to be `ago` days before the visit (Last-Modified), rate
// e^(-rate ago).  (Cho, Garcia-Molina: Estimating frequency of change, TOIT 3(3), 2003.)
//
// Intervals with a change at an unknown time are counted by length, in classes a factor of 2 apart.  Their
// mean length alone is not enough: one change within an hour says more about a fast page than ten within a
// month.
class History {
 public:
  static constexpr double kMemory = 128;
  static constexpr size_t kClasses =
      16;  // from an hour to 7 years; longer and shorter ones are in the outer ones

  // The complete state of a history, for storing it.
  struct Sums {
    float visits = 0;
    float unchanged_days = 0;                  // days without a change, including those after a dated change
    float dated = 0;                           // intervals whose last change has a known time
    std::array<float, kClasses> changed = {};  // intervals with a change at an unknown time
  };
  History() = default;
  explicit History(const Sums& sums) : sums_(sums) {}
  const Sums& sums() const { return sums_; }

  // `days` since the visit before.
  void AddUnchanged(double days);
  void AddChanged(double days);
  // REQUIRES: ago <= days.
  void AddDated(double days, double ago);
  // The page has changed, but with probability 1 - share something else (a hint) explains the change.
  void AddPartlyChanged(double days, double share);

  double visits() const { return sums_.visits; }
  double changes() const;
  double unchanged_days() const { return sums_.unchanged_days; }
  double dated() const { return sums_.dated; }
  double changed(size_t length_class) const { return sums_.changed[length_class]; }
  static double ClassDays(size_t length_class);

 private:
  void Count();

  Sums sums_;
};

// A belief about a rate of change: probabilities of 32 rates, from one change in 300 years to 50 a day, a
// factor of 1.65 apart.  Rates of pages spread over so many orders of magnitude that no family with two
// parameters fits them (docs/freshness.md compares it with Gamma distributions).
class RateBelief {
 public:
  static constexpr size_t kRates = 32;

  // The belief before anything is known: about one change a month, give or take a factor of 12.
  static RateBelief Wide();
  static RateBelief Known(double rate);
  // The belief with these weights, one for each rate.  REQUIRES: their sum is positive.
  static RateBelief Of(const std::array<double, kRates>& weights);

  double rate(size_t i) const;
  double probability(size_t i) const { return probabilities_[i]; }
  double Mean() const;
  // The probability that the rate is below `rate`.
  double Below(double rate) const;
  // The rate that the page is as likely to exceed as not to reach.
  double Median() const;
  RateBelief After(const History& history) const;

  // The probability that nothing has changed for `since` days.
  double StillFresh(double since) const;
  // The expectation of VisitValue().  It does not decrease with `since`.
  double Value(double since) const;
  // The `since` at which a visit is worth `price`, at most `longest`.
  double IntervalAtPrice(double price, double longest) const;

  // The sum of beliefs, each with its weight, as a belief.
  class Mixture {
   public:
    void Add(const RateBelief& belief, double weight);
    RateBelief Finish() const;

   private:
    std::array<double, kRates> sums_ = {};
  };

 private:
  double scale_ = 1;
  std::array<float, kRates> probabilities_ = {};
};

// The prior of a site from the histories of its pages, by expectation maximisation over the probabilities,
// starting from `start`.  `web`, the belief about pages of any site, counts as `weight` pages.
struct SiteFit {
  RateBelief start;
  RateBelief web;
  double weight = 8;
  int passes = 4;
};
RateBelief FitSite(std::span<const History> histories, const SiteFit& fit);

}  // namespace crivello::revisit
