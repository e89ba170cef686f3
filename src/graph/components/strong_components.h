// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/progress.h"
#include "graph/components/components.h"

namespace crivello::graph {

struct StrongComponents : Components {
  // All components so that no arc leads from a component to one after it: a component comes after all that it
  // reaches.
  std::vector<Node> sinks_first;
};

// The strongly connected components: x and y are in the same one if each reaches the other.
//
// One depth-first visit (Tarjan, 1972) without recursion: what a path has still to look at is on a stack of
// nodes, so each list is read once.  Nodes on Tarjan's stack and nodes of finished components share one
// number for each node (Pearce, 2016).  Memory: 16 bytes for each node, and 4 for each arc that waits on the
// stack.
Result<StrongComponents> FindStrongComponents(const Graph& graph, const ComponentsOptions& options,
                                              Progress& progress);

}  // namespace crivello::graph
