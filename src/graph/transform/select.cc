// SPDX-License-Identifier: Apache-2.0
#include "graph/transform/select.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/transform/merge_lists.h"

namespace crivello::graph {
namespace {

// Not a node, because there are at most kMaxNodes.
constexpr Node kNone = ~Node{0};

}  // namespace

Status FilterArcs(const Graph& graph, const std::function<bool(Node source, Node target)>& keep,
                  const NodeSink& sink) {
  std::vector<Node> list;
  const auto cursor = graph.Scan();
  while (cursor->Next()) {
    list.clear();
    for (const Node successor : cursor->successors()) {
      if (keep(cursor->node(), successor)) list.push_back(successor);
    }
    CRV_TRY(sink(list));
  }
  return cursor->status();
}

Status Subgraph(const Graph& graph, std::span<const Node> kept, const NodeSink& sink) {
  std::vector<Node> new_number(graph.nodes(), kNone);
  for (size_t i = 0; i < kept.size(); i++) {
    if (kept[i] >= graph.nodes() || (i > 0 && kept[i] <= kept[i - 1])) {
      return Status::InvalidArgument(
          fmt::format("node {} of a subgraph: expected increasing numbers below {}", kept[i], graph.nodes()));
    }
    new_number[kept[i]] = static_cast<Node>(i);
  }
  std::vector<Node> list;
  const auto cursor = graph.Scan();
  while (cursor->Next()) {
    if (new_number[cursor->node()] == kNone) continue;
    list.clear();
    for (const Node successor : cursor->successors()) {
      if (new_number[successor] != kNone) list.push_back(new_number[successor]);
    }
    CRV_TRY(sink(list));
  }
  return cursor->status();
}

Result<std::vector<Node>> InversePermutation(std::span<const Node> new_number) {
  std::vector<Node> inverse(new_number.size(), kNone);
  for (size_t node = 0; node < new_number.size(); node++) {
    const Node to = new_number[node];
    if (to >= new_number.size() || inverse[to] != kNone) {
      return Status::InvalidArgument(fmt::format(
          "node {} has the new number {}: expected each number below {} once", node, to, new_number.size()));
    }
    inverse[to] = static_cast<Node>(node);
  }
  return inverse;
}

Status Permute(const Graph& graph, std::span<const Node> new_number, const NodeSink& sink) {
  if (new_number.size() != graph.nodes()) {
    return Status::InvalidArgument(
        fmt::format("an order of {} nodes for a graph of {} nodes", new_number.size(), graph.nodes()));
  }
  CRV_ASSIGN(const auto old_number, InversePermutation(new_number));
  CRV_ASSIGN(const auto reader, graph.Reader());
  std::vector<Node> list;
  for (const Node node : old_number) {
    CRV_ASSIGN(const auto successors, reader->Successors(node));
    list.clear();
    for (const Node successor : successors) list.push_back(new_number[successor]);
    std::sort(list.begin(), list.end());
    CRV_TRY(sink(list));
  }
  return Status::Ok();
}

Status Unite(const Graph& a, const Graph& b, const NodeSink& sink) {
  const auto of_a = a.Scan();
  const auto of_b = b.Scan();
  std::vector<Node> both;
  for (uint64_t node = 0; node < std::max(a.nodes(), b.nodes()); node++) {
    const bool has_a = of_a->Next(), has_b = of_b->Next();
    CRV_TRY(of_a->status());
    CRV_TRY(of_b->status());
    MergeLists(has_a ? of_a->successors() : std::span<const Node>(),
               has_b ? of_b->successors() : std::span<const Node>(), both);
    CRV_TRY(sink(both));
  }
  return Status::Ok();
}

}  // namespace crivello::graph
