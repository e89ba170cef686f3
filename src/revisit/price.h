// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crivello::revisit {

// Adjusts the price of a visit until the planned visits fit the budget: dual ascent, with the load of the
// schedule as its gradient.  One for the whole collection (lambda), and one for each host that has a limit of
// its own (lambda + mu of the host).
//
// Each visit moves the price a little: an error of 100% over as many visits as there are pages changes
// it by the factor e^kGain.  So it needs no clock, and converges alike for any number of pages.
// (Azar et al. 2018; Kolobov et al. 2019 adjust by the bandwidth used, too.)
class PriceFeedback {
 public:
  static constexpr double kGain = 2;
  explicit PriceFeedback(double price) : price_(price) {}

  struct Load {
    double budget = 0;   // visits per day
    double planned = 0;  // visits per day: the sum of 1 / interval over the pages
    double pages = 0;
    double late_days = 0;  // by how much the schedule lags behind; negative: it is ahead
  };
  // After a visit.  `least` is the lowest price: a host's is never below that of the collection.
  // REQUIRES: budget > 0, pages > 0.
  void OnVisit(const Load& load, double least = 1e-12);

  double price() const { return price_; }

 private:
  double price_;
};

}  // namespace crivello::revisit
