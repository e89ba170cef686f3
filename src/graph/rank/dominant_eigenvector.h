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
  // Added to the diagonal of the matrix, in units of the current eigenvalue.  The vector stays the same, and
  // a graph whose cycles all have even length converges too.
  double shift = 0.5;
  unsigned threads = 1;
  uint64_t memory_bytes = uint64_t{1} << 30;  // for a copy of the graph: see ResidentGraph
  std::stop_token stop = {};                  // then it ends as Unavailable
};

struct DominantEigenvector : Rank {
  double eigenvalue = 0;
};

// The left eigenvector of the adjacency matrix A that belongs to its largest eigenvalue, with sum 1: the
// score of a node is proportional to the sum of those of its predecessors (Bonacich, 1972).  The power method
// on the transposed graph, from the uniform vector.  Rank::error is ||xA - lambda x||_1 / lambda.  A graph
// without cycles has no eigenvalue but 0 and does not converge.  Results have the same bits with any number
// of threads.
Result<DominantEigenvector> FindDominantEigenvector(const Graph& transpose,
                                                    const DominantEigenvectorOptions& options,
                                                    Progress& progress);

}  // namespace crivello::graph
