// SPDX-License-Identifier: Apache-2.0
#include "graph/resident_graph.h"

#include <utility>

namespace crivello::graph {

Result<ResidentGraph> ResidentGraph::Prepare(const Graph& graph, uint64_t memory_bytes) {
  ResidentGraph resident;
  if (dynamic_cast<const ArrayGraph*>(&graph) != nullptr ||
      ArrayGraphBytes(graph.nodes(), graph.arcs()) > memory_bytes) {
    resident.original_ = &graph;
  } else {
    CRV_ASSIGN(resident.copy_, ArrayGraph::Copy(graph));
  }
  return resident;
}

}  // namespace crivello::graph
