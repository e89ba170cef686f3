// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "graph/array_graph.h"

namespace crivello::graph {

// A graph that an algorithm reads many times: a copy in memory if there is room for one, so that a compressed
// graph is decoded only once; otherwise the graph itself.  Immutable; the graph must outlive it.
class ResidentGraph {
 public:
  // A copy takes 4 bytes per arc and 8 per node.  An ArrayGraph is not copied.
  static Result<ResidentGraph> Prepare(const Graph& graph, uint64_t memory_bytes);

  const Graph& graph() const { return original_ != nullptr ? *original_ : copy_; }
  bool is_copy() const { return original_ == nullptr; }

 private:
  ArrayGraph copy_;
  const Graph* original_ = nullptr;
};

// The size of a graph in memory.
constexpr uint64_t ArrayGraphBytes(uint64_t nodes, uint64_t arcs) { return 8 * (nodes + 1) + 4 * arcs; }

}  // namespace crivello::graph
