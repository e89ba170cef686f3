// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/status.h"
#include "graph/bv/bv_stats.h"
#include "graph/bv/bv_writer.h"
#include "graph/graph.h"

namespace crivello::graph {

// Numbers about a graph.  A distribution counts by powers of two: bin 0 counts zeros, bin i the numbers from
// 2^(i-1) to 2^i - 1.
using PowerBins = std::array<uint64_t, 40>;

struct GraphStats {
  uint64_t nodes = 0;
  uint64_t arcs = 0;
  uint64_t self_loops = 0;
  uint64_t dangling = 0;  // nodes of outdegree 0
  uint64_t unlinked = 0;  // nodes of indegree 0
  uint64_t max_outdegree = 0;
  uint64_t max_indegree = 0;
  PowerBins outdegrees = {};
  PowerBins indegrees = {};

  // The properties that make web graphs in URL order small (Boldi, Vigna 2004; ch. 10 of the lecture notes).
  // Locality: most links stay near.  Bins of |target - source| over all arcs.
  PowerBins distances = {};
  // The share of arcs with a distance below 2^kLogNear.
  static constexpr unsigned kLogNear = 10;
  double locality = 0;
  // Similarity: nearby pages have common successors.  The share of arcs that the best list of the window
  // already has, as chosen by the compressor.
  double similarity = 0;
  // Consecutivity: many links of a page are consecutive.  The share of arcs to a node adjacent to another
  // successor.
  double consecutivity = 0;
  // The mean of log2 of the gaps in the successor lists, as in WebGraph's properties.
  double mean_log_gap = 0;

  // The graph as a BVGraph: copies, intervals, residuals and bits.
  BvStats bv;
};

// Takes two scans and 4 bytes per node.  `options` are those of the compressor.
Result<GraphStats> MeasureGraph(const Graph& graph, BvWriterOptions options = {}, BvWork work = {});

}  // namespace crivello::graph
