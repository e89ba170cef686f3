// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"

namespace crivello::graph {

// A graph in memory: all successor lists in one array, and the start of each.  4 bytes per arc and 8 per
// node.
class ArrayGraph final : public Graph {
 public:
  ArrayGraph() : begins_{0} {}
  // `begins` has nodes + 1 non-decreasing numbers, from 0 to targets.size().  InvalidArgument if not, or if a
  // list does not increase strictly or contains a number that is not a node.
  static Result<ArrayGraph> FromArrays(std::vector<uint64_t> begins, std::vector<Node> targets);
  // Sorts the arcs (source, target) and drops duplicates.  REQUIRES: all numbers are below `nodes`, which is
  // at most kMaxNodes.
  static ArrayGraph FromArcs(uint64_t nodes, std::vector<std::pair<Node, Node>> arcs);
  // Reads the whole graph.
  static Result<ArrayGraph> Copy(const Graph& graph);

  uint64_t nodes() const override { return begins_.size() - 1; }
  uint64_t arcs() const override { return targets_.size(); }
  using Graph::Scan;
  std::unique_ptr<NodeCursor> Scan(uint64_t begin, uint64_t end) const override;
  Result<std::unique_ptr<SuccessorReader>> Reader() const override;

  // REQUIRES: node < nodes().
  std::span<const Node> Successors(Node node) const {
    return std::span(targets_).subspan(begins_[node], begins_[node + 1] - begins_[node]);
  }
  // The start of each node's list in targets(), and finally targets().size().
  std::span<const uint64_t> begins() const { return begins_; }
  std::span<const Node> targets() const { return targets_; }

  friend bool operator==(const ArrayGraph& a, const ArrayGraph& b) {
    return a.begins_ == b.begins_ && a.targets_ == b.targets_;
  }

 private:
  std::vector<uint64_t> begins_;
  std::vector<Node> targets_;
};

// Builds an ArrayGraph from lists in the order of their nodes.
class ArrayGraphBuilder {
 public:
  // Appends the next node with its successors.  REQUIRES: they increase strictly.
  void AddNode(std::span<const Node> successors) {
    targets_.insert(targets_.end(), successors.begin(), successors.end());
    begins_.push_back(targets_.size());
  }
  uint64_t nodes() const { return begins_.size() - 1; }
  // InvalidArgument as for ArrayGraph::FromArrays().
  Result<ArrayGraph> Finish() && { return ArrayGraph::FromArrays(std::move(begins_), std::move(targets_)); }

 private:
  std::vector<uint64_t> begins_{0};
  std::vector<Node> targets_;
};

}  // namespace crivello::graph
