// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/status.h"
#include "graph/graph.h"
#include "graph/parallel_blocks.h"

namespace crivello::graph {

// Code shared by the algorithms for ranks.  Nodes are divided into a fixed number of blocks, and a sum over
// all nodes is the sum, in order, of the sums of blocks.  So its bits do not depend on the number of threads.
constexpr unsigned kRankBlocks = 64;

struct NodeRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};
// Part number `part` of `parts` parts of about the same size.
constexpr NodeRange PartOf(uint64_t nodes, uint64_t part, uint64_t parts) {
  const uint64_t size = nodes / parts, longer = nodes % parts;  // the first ones have one more
  const uint64_t begin = part * size + (part < longer ? part : longer);
  return {begin, begin + size + (part < longer ? 1 : 0)};
}

// Numbers that each block of a pass adds up.
struct PassSums {
  double step = 0;      // of absolute changes
  double dangling = 0;  // of the ranks of dangling nodes
  double total = 0;     // of all ranks

  PassSums& operator+=(const PassSums& other) {
    step += other.step;
    dangling += other.dangling;
    total += other.total;
    return *this;
  }
};

// Runs work(range, sums) for all blocks and returns the total of their sums.
Result<PassSums> RunRankBlocks(ParallelBlocks& parallel, uint64_t nodes,
                               const std::function<Status(NodeRange range, PassSums& sums)>& work);

// The number of lists that contain each node.  For a transposed graph, these are the outdegrees.
Result<std::vector<Node>> CountOccurrences(const Graph& graph);

// The sum of the values of some nodes.  Four partial sums, because each addition waits for the previous one.
inline double SumOf(const double* values, std::span<const Node> nodes) {
  double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  size_t i = 0;
  for (; i + 4 <= nodes.size(); i += 4) {
    sum0 += values[nodes[i]];
    sum1 += values[nodes[i + 1]];
    sum2 += values[nodes[i + 2]];
    sum3 += values[nodes[i + 3]];
  }
  for (; i < nodes.size(); i++) sum0 += values[nodes[i]];
  return (sum0 + sum1) + (sum2 + sum3);
}

// The preference of each node: that of the options divided by its sum, or uniform.
class PreferenceVector {
 public:
  // InvalidArgument if it is invalid, see PageRankOptions.
  static Result<PreferenceVector> From(std::span<const double> given, uint64_t nodes);
  double operator[](uint64_t node) const { return given_.empty() ? uniform_ : given_[node] * scale_; }

 private:
  std::span<const double> given_;
  double scale_ = 1;
  double uniform_ = 0;
};

}  // namespace crivello::graph
