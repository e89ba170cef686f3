// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "graph/graph.h"

namespace crivello::graph {

// A partition of the nodes into components, numbered by decreasing size, and by lowest node among components
// of the same size.  So the numbers depend only on the graph.
struct Components {
  std::vector<Node> component;  // of each node
  std::vector<Node> sizes;      // in nodes; non-increasing

  uint64_t largest() const { return sizes.empty() ? 0 : sizes.front(); }
};

// Numbers the components of nodes by size.  label[x] is any number below the number of nodes, equal for two
// nodes exactly if they are in the same component.  If `renamed` is given, (*renamed)[label] is set to the
// number of the component.
Components NumberBySize(std::vector<Node> label, std::vector<Node>* renamed = nullptr);

struct ComponentsOptions {
  // For a copy of the graph: see ResidentGraph.  Without it, strong components read lists in random order.
  uint64_t memory_bytes = uint64_t{1} << 30;
  std::stop_token stop = {};  // stops with Unavailable
};

}  // namespace crivello::graph
