// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace crivello::engine {

// Decides when the ranks of a collection are computed again while it is crawled.  No other file decides this.
// A pure function of counts.
//
// Ranks depend on all links at once: the graphs are built from all rows, and PageRank takes some dozens of
// passes over them.  So they are computed when the graph has changed enough, with rests in between.

// The state of the thread that maintains the ranks.
struct LiveRankStats {
  uint64_t pages = 0;    // rows when the graphs were built; 0: there are no graphs
  uint64_t changes = 0;  // of rows, since that build began
  Duration quiet{};      // since the last change
  Duration rested{};     // since the last ranks were complete
  Duration took{};       // time to compute them; 0: not yet
  bool wanted = false;   // someone is waiting for them
};

// They are due at once when this share of the rows has changed (the first ones, when this share of kFewPages
// rows has arrived) ...
inline constexpr uint64_t kRankShare = 5;
inline constexpr uint64_t kFewPages = 5000;
// ... and, in an idle collection, when this share has changed.
inline constexpr uint64_t kQuietRankShare = 100;
// The next computation starts after a rest of this many times the last one's duration, so that ranks take a
// small share of a core.
inline constexpr int kRankRestTimes = 20;

// After `quiet_limit` without a change, the collection counts as idle.
constexpr bool RanksAreDue(const LiveRankStats& counts, Duration quiet_limit) {
  if (counts.changes == 0) return false;
  if (counts.wanted) return true;
  if (counts.rested < kRankRestTimes * counts.took) return false;
  if (counts.changes > (counts.pages > kFewPages ? counts.pages : kFewPages) / kRankShare) return true;
  return counts.quiet >= quiet_limit && counts.changes >= counts.pages / kQuietRankShare;
}

}  // namespace crivello::engine
