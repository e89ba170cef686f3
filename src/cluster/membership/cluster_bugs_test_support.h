// SPDX-License-Identifier: Apache-2.0
// What can be wrong in the simulated cluster on purpose, and what a history met.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "cluster/membership/simulated_bus_test_support.h"

namespace crivello::cluster {

enum class ClusterBug {
  kNone,
  kNoFence,             // nobody looks whether a higher epoch was claimed
  kAcknowledgedFirst,   // a page is counted before it is synced
  kLogIsLinked,         // a new owner shares the log with the old one
  kNeverStops,          // an owner that cannot renew continues to fetch
  kSentAfterPause,      // requests that were ready before a pause are sent after it
  kExpiresEarly,        // others do not wait for the whole lease
  kNoWaitForNewBucket,  // tablets are taken at once after the bucket was lost
  kIdleNeverLooks,      // an owner with nothing to acknowledge never looks for a higher epoch
  kRevisionsIgnored,    // a lease is written whatever its revision is
  kConflictIsSuccess,   // a conflict is taken for a success
  kOutboxForgotten,     // what was found for other tablets is not stored with the page
  kSentBeforeSync,      // batches leave before they are durable
  kSieveNotSynced,      // batches are confirmed before the sieve is synced
};
constexpr ClusterBug kClusterBugs[] = {ClusterBug::kNoFence,
                                       ClusterBug::kAcknowledgedFirst,
                                       ClusterBug::kLogIsLinked,
                                       ClusterBug::kNeverStops,
                                       ClusterBug::kSentAfterPause,
                                       ClusterBug::kExpiresEarly,
                                       ClusterBug::kNoWaitForNewBucket,
                                       ClusterBug::kIdleNeverLooks,
                                       ClusterBug::kRevisionsIgnored,
                                       ClusterBug::kConflictIsSuccess,
                                       ClusterBug::kOutboxForgotten,
                                       ClusterBug::kSentBeforeSync,
                                       ClusterBug::kSieveNotSynced};
inline std::string_view ClusterBugName(ClusterBug bug) {
  switch (bug) {
    case ClusterBug::kNone:
      return "none";
    case ClusterBug::kNoFence:
      return "no look for a higher epoch";
    case ClusterBug::kAcknowledgedFirst:
      return "page counted before it is synced";
    case ClusterBug::kLogIsLinked:
      return "log linked instead of copied";
    case ClusterBug::kNeverStops:
      return "owner without a lease continues to fetch";
    case ClusterBug::kSentAfterPause:
      return "requests prepared before a pause are sent";
    case ClusterBug::kExpiresEarly:
      return "lease taken before it ran out";
    case ClusterBug::kNoWaitForNewBucket:
      return "no wait after the bucket was lost";
    case ClusterBug::kIdleNeverLooks:
      return "idle owner never looks at its epoch";
    case ClusterBug::kRevisionsIgnored:
      return "compare-and-set does not compare";
    case ClusterBug::kConflictIsSuccess:
      return "conflict taken for success";
    case ClusterBug::kOutboxForgotten:
      return "outbox not stored with the page";
    case ClusterBug::kSentBeforeSync:
      return "batch sent before it is synced";
    case ClusterBug::kSieveNotSynced:
      return "batch confirmed before the sieve is synced";
  }
  return "";
}

struct ClusterSimulationStats {
  uint64_t pages = 0, takeovers = 0, crashes = 0, power_cuts = 0, pauses = 0, cuts = 0, outages = 0,
           stalls = 0, fenced = 0, stale_requests = 0, fetched_again = 0, closed = 0, leaves = 0, gaps = 0,
           exits = 0, claims = 0, calm_claims = 0;
  double claims_per_fault = 0;  // of one tablet, the most
  SimulatedBus::Stats bus = {};

  void Add(const ClusterSimulationStats& o) {
    pages += o.pages, takeovers += o.takeovers, crashes += o.crashes, power_cuts += o.power_cuts;
    pauses += o.pauses, cuts += o.cuts, outages += o.outages, stalls += o.stalls, fenced += o.fenced;
    stale_requests += o.stale_requests, fetched_again += o.fetched_again, closed += o.closed;
    leaves += o.leaves, gaps += o.gaps, exits += o.exits, claims += o.claims;
    calm_claims = std::max(calm_claims, o.calm_claims);
    claims_per_fault = std::max(claims_per_fault, o.claims_per_fault);
    bus.messages += o.bus.messages, bus.lost += o.bus.lost, bus.repeated += o.bus.repeated;
    bus.stale += o.bus.stale, bus.forgotten += o.bus.forgotten, bus.rolled_back += o.bus.rolled_back;
    bus.conflicts += o.bus.conflicts;
  }
};

}  // namespace crivello::cluster
