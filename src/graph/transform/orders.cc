// SPDX-License-Identifier: Apache-2.0
#include "graph/transform/orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "base/random.h"

namespace crivello::graph {
namespace {

// Converts the nodes in a new order to the new number of each.
std::vector<Node> NumbersOf(const std::vector<Node>& in_order) {
  std::vector<Node> new_number(in_order.size());
  for (size_t i = 0; i < in_order.size(); i++) new_number[in_order[i]] = static_cast<Node>(i);
  return new_number;
}

std::vector<Node> AllNodes(uint64_t nodes) {
  assert(nodes <= kMaxNodes);
  std::vector<Node> all(nodes);
  std::iota(all.begin(), all.end(), Node{0});
  return all;
}

}  // namespace

Result<std::vector<Node>> BreadthFirstOrder(const Graph& graph, std::span<const Node> roots) {
  constexpr Node kUnseen = ~Node{0};
  CRV_ASSIGN(const auto reader, graph.Reader());
  std::vector<Node> new_number(graph.nodes(), kUnseen);
  std::vector<Node> queue;
  queue.reserve(graph.nodes());
  const auto see = [&](Node node) {
    if (new_number[node] != kUnseen) return;
    new_number[node] = static_cast<Node>(queue.size());
    queue.push_back(node);
  };
  for (const Node root : roots) {
    if (root >= graph.nodes()) {
      return Status::InvalidArgument(
          fmt::format("root {} of a breadth-first visit: the graph has {} nodes", root, graph.nodes()));
    }
    see(root);
  }
  size_t head = 0;
  for (uint64_t start = 0; start < graph.nodes() || head < queue.size();) {
    if (head == queue.size()) {
      see(static_cast<Node>(start++));
      continue;
    }
    CRV_ASSIGN(const auto successors, reader->Successors(queue[head++]));
    for (const Node successor : successors) see(successor);
  }
  return new_number;
}

std::vector<Node> RandomOrder(uint64_t nodes, uint64_t seed) {
  std::vector<Node> order = AllNodes(nodes);
  SeededRandom random(seed);
  for (uint64_t i = nodes; i > 1; i--) std::swap(order[i - 1], order[random.Below(i)]);
  return order;
}

std::vector<Node> OrderBy(uint64_t nodes, const std::function<bool(Node, Node)>& less) {
  std::vector<Node> in_order = AllNodes(nodes);
  std::stable_sort(in_order.begin(), in_order.end(), less);
  return NumbersOf(in_order);
}

}  // namespace crivello::graph
