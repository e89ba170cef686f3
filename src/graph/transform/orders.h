// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace crivello::graph {

// Orders of nodes, as Permute() takes them: the new number of each node.

// Breadth first along the arcs: first `roots`, then the lowest node that was not reached, and so on.
// 8 bytes for each node.  InvalidArgument if a root is not a node.
Result<std::vector<Node>> BreadthFirstOrder(const Graph& graph, std::span<const Node> roots = {});

// Uniform among all orders (Fisher and Yates); the same seed gives the same order everywhere.
// REQUIRES: nodes <= kMaxNodes.
std::vector<Node> RandomOrder(uint64_t nodes, uint64_t seed);

// By an order from outside, such as that of URLs: less(x, y) is whether x comes before y.  Nodes that are
// equal stay in the order of their numbers.  REQUIRES: nodes <= kMaxNodes.
std::vector<Node> OrderBy(uint64_t nodes, const std::function<bool(Node, Node)>& less);

}  // namespace crivello::graph
