// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/rank/pagerank.h"
#include "jobs/graph/graph_store.h"

namespace crivello::jobs {

enum class RankMethod : uint8_t { kPageRankPower, kPageRankGaussSeidel, kEigenvector, kHarmonic };

struct ComputeRankOptions {
  RankMethod method = RankMethod::kPageRankPower;
  double alpha = 0.85;      // for PageRank
  double tolerance = 1e-9;  // of the proven error; not for harmonic centralities
  uint64_t max_passes = 1000;
  graph::DanglingNodes dangling = graph::DanglingNodes::kUniform;
  // Nodes where the surfer starts, as users write them (OpenedGraph::Find()); empty: all nodes.
  std::vector<std::string> trusted = {};
  // The weight of each node as a start of the surfer: non-negative numbers (node_values.h).  Empty: use
  // `trusted`.
  std::vector<double> preference = {};
  unsigned log_registers = 10;  // for harmonic centralities, which are the mean of this many runs
  unsigned runs = 1;
  uint64_t seed = 0;  // of the first run
  unsigned threads = 1;
  uint64_t memory_bytes = uint64_t{1} << 30;
  std::stop_token stop = {};  // stops with Unavailable
};
struct ComputedRank {
  std::vector<double> values;  // by node
  uint64_t iterations = 0;
  // A proven bound on the distance to the exact values, in the l1 norm; for harmonic centralities the
  // relative standard error of a value.
  double error = 0;
  bool converged = true;
  std::string how;  // for people: "pagerank alpha=0.85"
};
// Transposes the graph in memory if it fits in half of memory_bytes, otherwise in a scratch file.
Result<ComputedRank> ComputeRank(const OpenedGraph& graph, const ComputeRankOptions& options,
                                 Progress& progress);

// The nodes with the largest values, best first; ties by number.
std::vector<graph::Node> TopNodes(std::span<const double> values, uint64_t count);

// Vectors of little-endian doubles without a header, a format common to other programs.
Status SaveDoubles(const std::string& path, std::span<const double> values);
// InvalidArgument unless there are exactly `count`, all finite.
Result<std::vector<double>> ReadDoubles(const std::string& path, uint64_t count);

// Checks, at no cost and before it is computed, whether a rank of the graph can be stored under this name.
// InvalidArgument if the index would reject the name (index::IsRankName()), if the name means something else
// in searches ("none"), or if the graph's nodes have no names or other names than the collection's graphs.
Status CheckRankTarget(const std::string& collection, const std::string& name, const OpenedGraph& graph);

// Writes the file `ranks/NAME` of a collection, for its index (graph/rank_file.h).  InvalidArgument as above.
Status StoreRank(const std::string& collection, const std::string& name, const OpenedGraph& graph,
                 std::string_view how, std::span<const double> values);

}  // namespace crivello::jobs
