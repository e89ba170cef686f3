// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "graph/components/strong_components.h"

namespace crivello::graph {

// The position of a node relative to the largest strongly connected component (Broder et al.: Graph structure
// in the web, 2000).
enum class BowTiePart : uint8_t {
  kCore,          // in it
  kIn,            // reaches it
  kOut,           // is reached from it
  kTendrils,      // neither, but weakly connected to it
  kDisconnected,  // not connected to it
};
constexpr unsigned kBowTieParts = 5;
std::string_view BowTiePartName(BowTiePart part);

struct BowTie {
  std::vector<BowTiePart> part;                   // of each node
  std::array<uint64_t, kBowTieParts> nodes = {};  // by part
  double Share(BowTiePart p) const {
    return part.empty()
               ? 0
               : static_cast<double>(nodes[static_cast<size_t>(p)]) / static_cast<double>(part.size());
  }
};

// Visits components instead of nodes, in the order of `strong` and in reverse, so it needs no transposed
// graph.  Memory: up to 20 bytes per node besides `strong`.
Result<BowTie> FindBowTie(const Graph& graph, const StrongComponents& strong,
                          const ComponentsOptions& options, Progress& progress);

}  // namespace crivello::graph
