// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace crivello::revisit {

// What visits are worth if a page changes as a Poisson process.  Times are days, rates are per day.  Pure
// functions, exact to about 1e-12 relative to the largest value they can take.
// (Cho, Garcia-Molina: Effective page refresh policies for web crawlers, TODS 28(4), 2003.)

// The share of the time in which our copy equals the page, if it is visited at regular intervals:
// (visits / changes) (1 - e^(-changes / visits)).  A page that never changes is always fresh.  A page that
// changes and is never visited is never fresh.
double Freshness(double visits, double changes);

// The mean time since the first change that our copy lacks; 0 while it is fresh.  Infinite without visits.
double MeanAge(double visits, double changes);

// The value of a visit when the last one was `since` days ago: 1/changes - (since + 1/changes)
// e^(-changes since), the derivative of Freshness() by the rate of visits at that interval.  It grows with
// `since` from 0 to 1/changes.
double VisitValue(double changes, double since);

// The `since` at which a visit is worth `price`; infinite if it never is.  REQUIRES: price > 0.
double IntervalAtPrice(double changes, double price);

}  // namespace crivello::revisit
