// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/status.h"
#include "graph/bv/bv_writer.h"
#include "graph/components/components.h"
#include "jobs/graph/graph_store.h"
#include "jobs/graph/graph_target.h"

namespace crivello::jobs {

// Commands that make new graph files from existing ones, together with the names of the nodes.  All files
// that a graph with the same basename has are replaced; if a command fails or is stopped, they stay, and
// nothing else is left.

struct GraphFilesOptions {
  std::string to = {};  // basename
  GraphFormat format = GraphFormat::kBv;
  graph::BvParameters parameters = {};  // for kBv
  unsigned threads = 1;
  uint64_t memory_bytes = uint64_t{1} << 30;
  std::stop_token stop = {};  // stops with Unavailable
};
struct GraphFilesSummary {
  uint64_t nodes = 0;
  uint64_t arcs = 0;
  uint64_t bytes = 0;
  double bits_per_link() const {
    return arcs == 0 ? 0 : 8 * static_cast<double>(bytes) / static_cast<double>(arcs);
  }
};

// The same graph, compressed with other parameters.
Result<GraphFilesSummary> CompressGraph(const OpenedGraph& graph, const GraphFilesOptions& options,
                                        Progress& progress);
Result<GraphFilesSummary> TransposeGraph(const OpenedGraph& graph, const GraphFilesOptions& options,
                                         Progress& progress);

// The graph with every arc in both directions.
Result<GraphFilesSummary> SymmetriseGraph(const OpenedGraph& graph, const GraphFilesOptions& options,
                                          Progress& progress);
// All arcs of both graphs.  InvalidArgument unless both have the same nodes: the same number and names.
Result<GraphFilesSummary> UniteGraphs(const OpenedGraph& a, const OpenedGraph& b,
                                      const GraphFilesOptions& options, Progress& progress);

// The nodes that a subgraph keeps: those of these hosts and of hosts below them, or all others.
struct HostFilter {
  std::vector<std::string> hosts = {};
  bool except = false;
};
// The nodes that the filter keeps, and the arcs between them.  InvalidArgument if nodes are not named by
// hosts or pages, NotFound if none is kept.
Result<GraphFilesSummary> SubgraphOfHosts(const OpenedGraph& graph, const HostFilter& filter,
                                          const GraphFilesOptions& options, Progress& progress);

// Orders of nodes: breadth-first, random, or by name.
enum class NodeOrder : uint8_t { kBreadthFirst, kRandom, kName };
// InvalidArgument for kName if the nodes have no names.
Result<GraphFilesSummary> PermuteGraph(const OpenedGraph& graph, NodeOrder order, uint64_t seed,
                                       const GraphFilesOptions& options, Progress& progress);

// Text: WebGraph's ASCII format, or a list of arcs in any order.
enum class GraphText : uint8_t { kAscii, kArcs };
// For a list of arcs, `nodes` is the minimum number of nodes.
Result<GraphFilesSummary> ImportGraphText(GraphText kind, const std::string& path, uint64_t nodes,
                                          const GraphFilesOptions& options, Progress& progress);

// The arcs of a node in both directions.  One scan of the graph.
struct Neighbours {
  std::vector<graph::Node> successors;
  std::vector<graph::Node> predecessors;
};
Result<Neighbours> NeighboursOf(const OpenedGraph& graph, graph::Node node, std::stop_token stop);

}  // namespace crivello::jobs
