// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace crivello::graph {

// Orders of nodes, in the form that Permute() takes: the new number of each node.

// Breadth first along the arcs: first from `roots`, then from the lowest unreached node, and so on. 8 bytes
// per node.  InvalidArgument if a root is not a node.
Result<std::vector<Node>> BreadthFirstOrder(const Graph& graph, std::span<const Node> roots = {});

// Uniform among all orders (Fisher-Yates); the same seed gives the same order on any machine.
// REQUIRES: nodes <= kMaxNodes.
std::vector<Node> RandomOrder(uint64_t nodes, uint64_t seed);

// By an external order, such as that of URLs: less(x, y) tells whether x comes before y.  Equal nodes are
// ordered by number.  REQUIRES: nodes <= kMaxNodes.
std::vector<Node> OrderBy(uint64_t nodes, const std::function<bool(Node, Node)>& less);

}  // namespace crivello::graph
