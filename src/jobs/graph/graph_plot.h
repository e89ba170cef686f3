// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/components/bow_tie.h"
#include "graph/graph.h"
#include "jobs/graph/graph_files.h"
#include "jobs/graph/graph_store.h"

namespace crivello::jobs {

// Pictures of graphs, as SVG documents without scripts.  Text is escaped; the same numbers give the same
// bytes.

// A distribution on logarithmic axes: counts[i] is the number of things with value i.  Several series share
// the axes.
struct PlotSeries {
  std::string name;
  std::vector<uint64_t> counts;  // by value, from 0; zeros and the value 0 are not drawn
};
struct PlotLabels {
  std::string title;
  std::string x;
  std::string y;
};
std::string PlotLogLog(std::span<const PlotSeries> series, const PlotLabels& labels);

// A bar chart of shares by value, such as reachable pairs by distance.  A bar shows its standard error,
// unless that is 0.
struct PlotBar {
  double share = 0;
  double error = 0;
};
std::string PlotBars(std::span<const PlotBar> bars, const PlotLabels& labels);

// The bow tie of a graph, each part sized by its share of the nodes.
std::string PlotBowTie(const graph::BowTie& bow_tie, std::string_view title);

// A node between its predecessors and its successors, up to `limit` of each.
std::string PlotNeighbourhood(const OpenedGraph& graph, graph::Node node, const Neighbours& neighbours,
                              uint64_t limit);

// The number of nodes with each degree.  One scan.
struct DegreeCounts {
  std::vector<uint64_t> out;
  std::vector<uint64_t> in;
};
Result<DegreeCounts> CountDegrees(const graph::Graph& graph);

}  // namespace crivello::jobs
