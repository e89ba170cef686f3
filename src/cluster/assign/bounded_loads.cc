// SPDX-License-Identifier: Apache-2.0
#include "cluster/assign/bounded_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "cluster/assign/assignment.h"
#include "cluster/assign/min_hashing.h"

namespace crivello::cluster {

uint64_t LoadLimit(uint64_t tablets, uint64_t agents, double epsilon) {
  // Doubles may be a little above the product, so that 1.1 * 100 / 10 would give 12.
  const double mean = static_cast<double>(tablets) / static_cast<double>(agents);
  const double limit = std::ceil((1 + epsilon) * mean * (1 - 1e-12));
  return limit >= static_cast<double>(tablets) ? tablets : static_cast<uint64_t>(limit);
}

Result<TabletAssignment> AssignTablets(std::span<const std::string> tablets,
                                       std::span<const std::string> agents, double epsilon) {
  if (!(epsilon >= 0)) return Status::InvalidArgument(fmt::format("epsilon {}: expected 0 or more", epsilon));
  CRV_ASSIGN(const auto checked, MakeAssignment("min-hash", MembersNamed(agents)));
  const MinHashing hashing(checked->agents());
  TabletAssignment made;
  made.agents = checked->agents();
  made.limit = LoadLimit(tablets.size(), made.agents.size(), epsilon);

  // Both sides order pairs by the same hash.  So the pair with the smallest hash is in every stable
  // assignment; take it, and of the rest again the smallest whose tablet is free and whose agent has room.
  struct Pair {
    uint64_t score;
    uint32_t tablet;
    uint32_t agent;
  };
  std::vector<Pair> pairs;
  pairs.reserve(tablets.size() * made.agents.size());
  for (uint32_t tablet = 0; tablet < tablets.size(); tablet++) {
    const uint64_t key = AssignmentKey(tablets[tablet]);
    for (uint32_t agent = 0; agent < made.agents.size(); agent++) {
      pairs.push_back({.score = hashing.Score(key, agent), .tablet = tablet, .agent = agent});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [&tablets](const Pair& a, const Pair& b) {
    return std::tie(a.score, a.agent, tablets[a.tablet]) < std::tie(b.score, b.agent, tablets[b.tablet]);
  });
  constexpr uint32_t kNobody = UINT32_MAX;
  made.owners.assign(tablets.size(), kNobody);
  std::vector<uint64_t> loads(made.agents.size(), 0);
  for (const Pair& pair : pairs) {
    if (made.owners[pair.tablet] != kNobody || loads[pair.agent] == made.limit) continue;
    made.owners[pair.tablet] = pair.agent;
    loads[pair.agent]++;
  }
  return made;
}

}  // namespace crivello::cluster
