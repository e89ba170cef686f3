// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "graph/graph.h"

namespace crivello::graph {

// A division of the nodes into components.  They are numbered by decreasing size; components of the same size
// by their lowest node.  So the numbers depend on the graph only.
struct Components {
  std::vector<Node> component;  // of each node
  std::vector<Node> sizes;      // in nodes; they do not increase

  uint64_t largest() const { return sizes.empty() ? 0 : sizes.front(); }
};

// Numbers the components of nodes by size.  label[x] is any number below the number of nodes, the same for
// two nodes exactly if they are in the same component.  If `renamed` is given, (*renamed)[label] becomes the
// number of the component.
Components NumberBySize(std::vector<Node> label, std::vector<Node>* renamed = nullptr);

struct ComponentsOptions {
  // For a copy of the graph: see ResidentGraph.  Without one, strong components read lists at random.
  uint64_t memory_bytes = uint64_t{1} << 30;
  std::stop_token stop = {};  // then it ends as Unavailable
};

}  // namespace crivello::graph
