// SPDX-License-Identifier: Apache-2.0
// Code shared by the tests of this module; included by _test.cc and _bench.cc files only.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"
#include "graph/array_graph.h"
#include "graph/node_sink.h"

namespace crivello::graph {

// A graph with about `arcs` arcs, some of them self-loops.
inline ArrayGraph RandomGraph(Random& random, uint64_t nodes, uint64_t arcs) {
  std::vector<std::pair<Node, Node>> pairs;
  for (uint64_t i = 0; nodes > 0 && i < arcs; i++) {
    pairs.emplace_back(static_cast<Node>(random.Below(nodes)), static_cast<Node>(random.Below(nodes)));
  }
  return ArrayGraph::FromArcs(nodes, std::move(pairs));
}

// A graph with a random shape: up to `most` nodes, from no arcs to many.
inline ArrayGraph AnyRandomGraph(Random& random, uint64_t most) {
  const uint64_t nodes = random.Below(most + 1);
  return RandomGraph(random, nodes, random.Below(nodes * 4 + 1));
}

inline std::vector<std::pair<Node, Node>> ArcsOf(const ArrayGraph& graph) {
  std::vector<std::pair<Node, Node>> arcs;
  for (Node node = 0; node < graph.nodes(); node++) {
    for (const Node successor : graph.Successors(node)) arcs.emplace_back(node, successor);
  }
  return arcs;
}

// A sink that appends to a builder.  The builder must outlive it.
inline NodeSink SinkTo(ArrayGraphBuilder& builder) {
  return [&builder](std::span<const Node> successors) {
    builder.AddNode(successors);
    return Status::Ok();
  };
}

// The distances by the Floyd-Warshall algorithm; kUnreachable if there is no path.
constexpr uint32_t kUnreachable = 1u << 30;
inline std::vector<std::vector<uint32_t>> AllDistances(const ArrayGraph& graph) {
  const uint64_t n = graph.nodes();
  std::vector<std::vector<uint32_t>> distance(n, std::vector<uint32_t>(n, kUnreachable));
  for (const auto& [source, target] : ArcsOf(graph)) distance[source][target] = 1;
  for (uint64_t x = 0; x < n; x++) distance[x][x] = 0;
  for (uint64_t via = 0; via < n; via++) {
    for (uint64_t x = 0; x < n; x++) {
      for (uint64_t y = 0; y < n; y++) {
        distance[x][y] = std::min(distance[x][y], distance[x][via] + distance[via][y]);
      }
    }
  }
  return distance;
}

// A graph that can only be scanned, like a compressed one without its offsets.
class ScanOnlyGraph final : public Graph {
 public:
  explicit ScanOnlyGraph(const Graph& graph) : graph_(graph) {}
  uint64_t nodes() const override { return graph_.nodes(); }
  uint64_t arcs() const override { return graph_.arcs(); }
  std::unique_ptr<NodeCursor> Scan(uint64_t begin, uint64_t end) const override {
    scans_++;
    return graph_.Scan(begin, end);
  }
  Result<std::unique_ptr<SuccessorReader>> Reader() const override {
    return Status::Unavailable("this graph can only be scanned");
  }
  uint64_t scans() const { return scans_; }

 private:
  const Graph& graph_;
  mutable std::atomic<uint64_t> scans_ = 0;
};

}  // namespace crivello::graph
