// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace crivello::engine {

// When the ranks of a collection are computed again, while it is crawled: decided here and nowhere else, by a
// pure function of counts.
//
// Ranks come from all links at once: the graphs are built from all rows, and PageRank takes some dozens of
// passes over them.  So they are computed when the graph has changed enough, and rest in between.

// What the keeper of the ranks knows.
struct LiveRankStats {
  uint64_t pages = 0;    // rows, when the graphs were built; 0: there are none
  uint64_t changes = 0;  // of rows, since that build began
  Duration quiet{};      // since the last change
  Duration rested{};     // since the last ranks were complete
  Duration took{};       // to compute them; 0: not yet
  bool wanted = false;   // someone waits for them
};

// They are due at once when this share of the rows has changed; the first ones, when so many rows have come
// as are this share of kFewPages ...
inline constexpr uint64_t kRankShare = 5;
inline constexpr uint64_t kFewPages = 5000;
// ... and, in a collection that has come to rest, when this share has changed.
inline constexpr uint64_t kQuietRankShare = 100;
// The next ones wait this many times as long as the last ones took, so that they have a small share of a
// core.
inline constexpr int kRankRestTimes = 20;

// `quiet_limit`: after that long without a change, the collection has come to rest.
constexpr bool RanksAreDue(const LiveRankStats& counts, Duration quiet_limit) {
  if (counts.changes == 0) return false;
  if (counts.wanted) return true;
  if (counts.rested < kRankRestTimes * counts.took) return false;
  if (counts.changes > (counts.pages > kFewPages ? counts.pages : kFewPages) / kRankShare) return true;
  return counts.quiet >= quiet_limit && counts.changes >= counts.pages / kQuietRankShare;
}

}  // namespace crivello::engine
