// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace crivello::graph {

// A score for each node, and what is known about its error.
struct Rank {
  std::vector<double> values;
  uint64_t passes = 0;  // over the graph, including the one that measured the error
  // The proven bound on the error: see the algorithm.
  double error = 0;
  bool converged = false;  // whether the error is within the tolerance
};

}  // namespace crivello::graph
