// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>

#include "base/progress.h"
#include "graph/array_graph.h"
#include "graph/node_sink.h"

namespace crivello::graph {

struct TransposeOptions {
  // For the arcs that are in memory at a time, 4 bytes each, besides 4 bytes for each node.  A graph is read
  // once, and once more for each part of its arcs that fits.
  uint64_t memory_bytes = uint64_t{1} << 30;
  std::stop_token stop = {};  // then it ends as Unavailable
};

// The graph with each arc turned around: of node y come the x that have an arc to y.
//
// Works by passes over ranges of targets, without a disk: a pass scans the whole graph and keeps the arcs
// whose target is in its range.  Because sources come in order, lists are sorted as they are filled.
Status Transpose(const Graph& graph, const TransposeOptions& options, const NodeSink& sink,
                 Progress& progress);

// The graph with each arc in both directions; self-loops stay.  Passes as above.
Status Symmetrise(const Graph& graph, const TransposeOptions& options, const NodeSink& sink,
                  Progress& progress);

// The transposed graph in memory, by counting.  The memory is that of the result.
Result<ArrayGraph> TransposeInMemory(const Graph& graph);

}  // namespace crivello::graph
