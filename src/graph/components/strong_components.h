// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/progress.h"
#include "graph/components/components.h"

namespace crivello::graph {

struct StrongComponents : Components {
  // All components, in an order where each comes after all components that it reaches, so no arc leads to a
  // later one.
  std::vector<Node> sinks_first;
};

// The strongly connected components: x and y are in the same one if each can reach the other.
//
// One depth-first visit (Tarjan, 1972) without recursion: the unvisited successors of a path are on a
// stack of nodes, so each list is read once.  Nodes on Tarjan's stack and nodes of finished
// components share one number per node (Pearce, 2016).  Memory: 16 bytes per node, and 4 per arc on
// the stack.
Result<StrongComponents> FindStrongComponents(const Graph& graph, const ComponentsOptions& options,
                                              Progress& progress);

}  // namespace crivello::graph
