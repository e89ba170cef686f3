// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "collection/collection.h"
#include "collection/page_schedule.h"
#include "web/url/url.h"

namespace crivello::collection {

// When a page is visited again, and why.
struct NextVisit {
  // Seconds since 1970; in the past: as soon as the budget allows.  0: never, because the page asks not to be
  // shown any more (unavailable_after).
  int64_t next = 0;
  int64_t last = 0;
  uint64_t interval = 0;    // seconds, as the policy wants it
  uint64_t visits = 0;      // that brought the page; older ones count half after 128
  uint64_t changes = 0;     // found by these
  uint32_t failures = 0;    // visits in a row that brought no page
  std::string reason = {};  // a sentence
};
// Nothing if the URL (canonical) is not scheduled.
Result<std::optional<NextVisit>> NextVisitOf(Collection& store, const web::Url& url);

// How current the pages of a collection are.
struct Freshness {
  ScheduleStats schedule = {};
  std::optional<int64_t> next = {};  // seconds since 1970: when something is due
  // Means over pages that did not fail.  Estimates, from what is believed about each page.
  uint64_t sampled = 0;   // pages that were looked at
  double fresh = 0;       // the probability that a copy is still current
  double age_days = 0;    // since the last visit
  double every_days = 0;  // between two visits, as planned: the harmonic mean
};
// Reads all blocks of the schedule or, in each tablet, `most_blocks` of them from a random place on.
struct FreshnessOptions {
  uint64_t most_blocks = UINT64_MAX;
  uint64_t place = 0;  // of 2^64
};
Result<Freshness> MeasureFreshness(Collection& store, WallTime now, const FreshnessOptions& options = {});

}  // namespace crivello::collection
