// SPDX-License-Identifier: Apache-2.0
#include "graph/stats/graph_stats.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace crivello::graph {
namespace {

void CountInBin(uint64_t number, PowerBins& bins) { bins[static_cast<size_t>(std::bit_width(number))]++; }

double ShareOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The number of elements adjacent to another element of the list.
uint64_t CountConsecutive(std::span<const Node> list) {
  uint64_t count = 0;
  for (size_t i = 0; i < list.size(); i++) {
    const bool after = i > 0 && list[i] == list[i - 1] + 1;
    const bool before = i + 1 < list.size() && list[i] + 1 == list[i + 1];
    count += after || before ? 1 : 0;
  }
  return count;
}

}  // namespace

Result<GraphStats> MeasureGraph(const Graph& graph, BvWriterOptions options, BvWork work) {
  GraphStats stats;
  stats.nodes = graph.nodes();
  uint64_t consecutive = 0;
  std::vector<uint32_t> indegrees(graph.nodes());  // below the number of nodes, which has 32 bits
  const auto cursor = graph.Scan();
  while (cursor->Next()) {
    const uint64_t node = cursor->node();
    const auto successors = cursor->successors();
    stats.arcs += successors.size();
    stats.dangling += successors.empty() ? 1 : 0;
    stats.max_outdegree = std::max<uint64_t>(stats.max_outdegree, successors.size());
    CountInBin(successors.size(), stats.outdegrees);
    consecutive += CountConsecutive(successors);
    for (const Node target : successors) {
      indegrees[target]++;
      const uint64_t distance = target > node ? target - node : node - target;
      stats.self_loops += distance == 0 ? 1 : 0;
      CountInBin(distance, stats.distances);
    }
  }
  CRV_TRY(cursor->status());
  for (const uint32_t indegree : indegrees) {
    stats.unlinked += indegree == 0 ? 1 : 0;
    stats.max_indegree = std::max<uint64_t>(stats.max_indegree, indegree);
    CountInBin(indegree, stats.indegrees);
  }
  indegrees = {};
  CRV_ASSIGN(stats.bv, MeasureBvGraph(graph, options, work));
  uint64_t near = 0;
  for (size_t bin = 0; bin <= GraphStats::kLogNear; bin++) near += stats.distances[bin];
  stats.locality = ShareOf(near, stats.arcs);
  stats.similarity = ShareOf(stats.bv.copied_arcs, stats.arcs);
  stats.consecutivity = ShareOf(consecutive, stats.arcs);
  stats.mean_log_gap = MeanLogGap(stats.bv.successor_gaps);
  return stats;
}

}  // namespace crivello::graph
