// SPDX-License-Identifier: Apache-2.0
#include "graph/array_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace crivello::graph {
namespace {

class ArrayCursor final : public NodeCursor {
 public:
  ArrayCursor(const ArrayGraph& graph, uint64_t begin, uint64_t end)
      : graph_(graph), next_(begin), end_(end) {}
  bool Next() override {
    if (next_ == end_) return false;
    successors_ = graph_.Successors(static_cast<Node>(next_));
    next_++;
    return true;
  }
  Node node() const override { return static_cast<Node>(next_ - 1); }
  std::span<const Node> successors() const override { return successors_; }
  const Status& status() const override { return status_; }

 private:
  const ArrayGraph& graph_;
  uint64_t next_;
  uint64_t end_;
  std::span<const Node> successors_;
  Status status_;
};

class ArrayReader final : public SuccessorReader {
 public:
  explicit ArrayReader(const ArrayGraph& graph) : graph_(graph) {}
  Result<std::span<const Node>> Successors(Node node) override { return graph_.Successors(node); }

 private:
  const ArrayGraph& graph_;
};

}  // namespace

Result<ArrayGraph> ArrayGraph::FromArrays(std::vector<uint64_t> begins, std::vector<Node> targets) {
  if (begins.empty() || begins.size() - 1 > kMaxNodes) {
    return Status::InvalidArgument(
        fmt::format("a graph of {} list positions: expected 1 to {}", begins.size(), kMaxNodes + 1));
  }
  const uint64_t nodes = begins.size() - 1;
  if (begins.front() != 0 || begins.back() != targets.size()) {
    return Status::InvalidArgument(fmt::format("lists from {} to {}: expected from 0 to {}", begins.front(),
                                               begins.back(), targets.size()));
  }
  for (uint64_t node = 0; node < nodes; node++) {
    if (begins[node] > begins[node + 1] || begins[node + 1] > targets.size()) {
      return Status::InvalidArgument(fmt::format("the list of node {} ends at {}, before it begins at {}",
                                                 node, begins[node + 1], begins[node]));
    }
    for (uint64_t i = begins[node]; i < begins[node + 1]; i++) {
      if (targets[i] >= nodes || (i > begins[node] && targets[i] <= targets[i - 1])) {
        return Status::InvalidArgument(fmt::format(
            "successor {} of node {}: expected increasing numbers below {}", targets[i], node, nodes));
      }
    }
  }
  ArrayGraph graph;
  graph.begins_ = std::move(begins);
  graph.targets_ = std::move(targets);
  return graph;
}

ArrayGraph ArrayGraph::FromArcs(uint64_t nodes, std::vector<std::pair<Node, Node>> arcs) {
  assert(nodes <= kMaxNodes);
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  ArrayGraph graph;
  graph.begins_.assign(nodes + 1, 0);
  graph.targets_.reserve(arcs.size());
  for (const auto& [source, target] : arcs) {
    assert(source < nodes && target < nodes);
    graph.begins_[source + 1]++;
    graph.targets_.push_back(target);
  }
  for (uint64_t node = 0; node < nodes; node++) graph.begins_[node + 1] += graph.begins_[node];
  return graph;
}

Result<ArrayGraph> ArrayGraph::Copy(const Graph& graph) {
  ArrayGraphBuilder builder;
  const auto cursor = graph.Scan();
  while (cursor->Next()) builder.AddNode(cursor->successors());
  CRV_TRY(cursor->status());
  return std::move(builder).Finish();
}

std::unique_ptr<NodeCursor> ArrayGraph::Scan(uint64_t begin, uint64_t end) const {
  assert(begin <= end && end <= nodes());
  return std::make_unique<ArrayCursor>(*this, begin, end);
}

Result<std::unique_ptr<SuccessorReader>> ArrayGraph::Reader() const {
  return std::unique_ptr<SuccessorReader>(std::make_unique<ArrayReader>(*this));
}

}  // namespace crivello::graph
