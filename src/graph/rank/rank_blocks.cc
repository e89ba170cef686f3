// SPDX-License-Identifier: Apache-2.0
#include "graph/rank/rank_blocks.h"

#include <fmt/format.h>

#include <cmath>

namespace crivello::graph {

Result<PassSums> RunRankBlocks(ParallelBlocks& parallel, uint64_t nodes,
                               const std::function<Status(NodeRange range, PassSums& sums)>& work) {
  std::array<PassSums, kRankBlocks> sums;
  CRV_TRY(parallel.Run(kRankBlocks, [&](unsigned block) {
    PassSums own;  // on the thread's stack: adjacent array elements would share cache lines
    const Status status = work(PartOf(nodes, block, kRankBlocks), own);
    sums[block] = own;
    return status;
  }));
  PassSums all;
  for (const PassSums& of_block : sums) all += of_block;
  return all;
}

Result<std::vector<Node>> CountOccurrences(const Graph& graph) {
  std::vector<Node> count(graph.nodes());
  const auto cursor = graph.Scan();
  while (cursor->Next()) {
    for (const Node node : cursor->successors()) count[node]++;
  }
  CRV_TRY(cursor->status());
  return count;
}

Result<PreferenceVector> PreferenceVector::From(std::span<const double> given, uint64_t nodes) {
  PreferenceVector preference;
  if (given.empty()) {
    preference.uniform_ = nodes == 0 ? 0 : 1 / static_cast<double>(nodes);
    return preference;
  }
  if (given.size() != nodes) {
    return Status::InvalidArgument(
        fmt::format("a preference vector of {} numbers for a graph of {} nodes", given.size(), nodes));
  }
  double sum = 0;
  for (size_t node = 0; node < given.size(); node++) {
    if (!(given[node] >= 0) || !std::isfinite(given[node])) {
      return Status::InvalidArgument(
          fmt::format("the preference of node {} is {}: expected a number of at least 0", node, given[node]));
    }
    sum += given[node];
  }
  if (!(sum > 0) || !std::isfinite(sum)) {
    return Status::InvalidArgument(
        fmt::format("the preferences sum to {}: expected a finite sum above 0", sum));
  }
  preference.given_ = given;
  preference.scale_ = 1 / sum;
  return preference;
}

}  // namespace crivello::graph
