// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>

#include "base/progress.h"
#include "graph/array_graph.h"
#include "graph/node_sink.h"

namespace crivello::graph {

struct TransposeOptions {
  // For the arcs in memory, 4 bytes each, in addition to 4 bytes per node.  The graph is read once, and once
  // more for each part of its arcs that fits.
  uint64_t memory_bytes = uint64_t{1} << 30;
  std::stop_token stop = {};  // stops with Unavailable
};

// The graph with every arc reversed: the list of y has all x with an arc to y.
//
// Makes passes over ranges of targets, without a disk: each pass scans the whole graph and keeps the arcs
// whose target is in its range.  Sources arrive in order, so lists are sorted when they are filled.
Status Transpose(const Graph& graph, const TransposeOptions& options, const NodeSink& sink,
                 Progress& progress);

// The graph with every arc in both directions; self-loops are kept.  Uses passes as above.
Status Symmetrise(const Graph& graph, const TransposeOptions& options, const NodeSink& sink,
                  Progress& progress);

// The transposed graph in memory, by counting.  Uses the memory of the result.
Result<ArrayGraph> TransposeInMemory(const Graph& graph);

}  // namespace crivello::graph
