// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>

#include "base/progress.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/rank/rank.h"

namespace crivello::graph {

struct DominantEigenvectorOptions {
  double tolerance = 1e-9;  // of Rank::error
  uint64_t max_passes = 1000;
  // Added to the diagonal of the matrix, in units of the current eigenvalue.  It does not change the vector,
  // and lets graphs converge whose cycles all have even length.
  double shift = 0.5;
  unsigned threads = 1;
  uint64_t memory_bytes = uint64_t{1} << 30;  // for a copy of the graph: see ResidentGraph
  std::stop_token stop = {};                  // stops with Unavailable
};

struct DominantEigenvector : Rank {
  double eigenvalue = 0;
};

// The left eigenvector of the adjacency matrix A for its largest eigenvalue, with sum 1: the score of a node
// is proportional to the sum of its predecessors' scores (Bonacich, 1972).  Uses the power method on the
// transposed graph, from the uniform vector.  Rank::error is ||xA - lambda x||_1 / lambda.  A graph without
// cycles has no eigenvalue except 0 and does not converge.  Results are identical, to the bit, for any number
// of threads.
Result<DominantEigenvector> FindDominantEigenvector(const Graph& transpose,
                                                    const DominantEigenvectorOptions& options,
                                                    Progress& progress);

}  // namespace crivello::graph
