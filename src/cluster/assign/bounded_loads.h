// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace crivello::cluster {

// The most tablets that an agent may have: ceil((1 + epsilon) tablets / agents).
uint64_t LoadLimit(uint64_t tablets, uint64_t agents, double epsilon);

// Who owns which tablet, and who is next.
struct TabletAssignment {
  std::vector<std::string> agents;  // sorted by name; below, an agent is its place here
  std::vector<uint32_t> owners;     // of each tablet, in the order in which they were given
  uint64_t limit = 0;               // that no agent exceeds
};

// Min-hashing with bounded loads.  T tablets on A agents balance badly without a bound: the relative standard
// deviation of the load is sqrt((A-1) / T), 19% at T = 256 and A = 10.
//
// The assignment is the stable one: no tablet prefers an agent (by its hash of tablet and agent) that has
// room, or that has a tablet with a larger hash.  It is unique, does not depend on the order of the tablets,
// and every agent computes it alone.  Without the bound it would be min-hashing.  With it, an agent that
// joins or leaves also moves some tablets between other agents; `crivello cluster assign --simulate` counts
// them.  (Mirrokni, Thorup, Zadimoghaddam, "Consistent hashing with bounded loads", 2018, bound consistent
// hashing and place keys one after the other.)
//
// Time O(T A log(T A)).  InvalidArgument if there are no agents, for a name that is empty or occurs twice,
// and if epsilon is negative or not a number.
Result<TabletAssignment> AssignTablets(std::span<const std::string> tablets,
                                       std::span<const std::string> agents, double epsilon);

// The default of epsilon.
constexpr double kDefaultEpsilon = 0.1;

}  // namespace crivello::cluster
