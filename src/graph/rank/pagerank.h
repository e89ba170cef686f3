// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string_view>

#include "base/progress.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/rank/rank.h"

namespace crivello::graph {

// What happens to the rank of nodes without successors.
enum class DanglingNodes : uint8_t {
  kNone,        // it is lost: ranks sum to less than 1 ("pseudorank")
  kUniform,     // all nodes get equal shares of it
  kPreference,  // it follows the preference vector
};

// The result of a pass, to watch the convergence.
struct PageRankPass {
  uint64_t pass = 0;  // from 1
  double step = 0;    // the l1 norm of the change
};

struct PageRankOptions {
  double alpha = 0.85;  // the probability of following a link; at least 0 and less than 1
  // Where a surfer goes who does not follow a link, by node: non-negative numbers, not all zero, which are
  // divided by their sum.  Empty: all nodes equally.  Must stay valid during the call.
  std::span<const double> preference = {};
  DanglingNodes dangling = DanglingNodes::kUniform;
  double tolerance = 1e-9;     // of the l1 norm of the error
  uint64_t max_passes = 1000;  // Gauss-Seidel takes at least 2
  unsigned threads = 1;
  // For a copy of the graph: see ResidentGraph.  In addition, 16 to 28 bytes are used per node.
  uint64_t memory_bytes = uint64_t{1} << 30;
  std::function<void(const PageRankPass&)> watch = {};  // called in the caller's thread
  std::stop_token stop = {};                            // stops with Unavailable
};

// PageRank is the x with x = alpha x P + (1 - alpha) v, where v is the preference vector and the row of a
// node in P has 1/d for each of its d successors; dangling nodes have special rows.
//
// Results include a proof of their error: the last pass computes r = x - alpha x P - (1 - alpha) v for the x
// that is returned, and ||x - x*||_1 <= ||r||_1 / (1 - alpha), which is Rank::error.  If that is not within
// the tolerance after max_passes passes, converged is false.
//
// Sums are computed over a fixed number of blocks of nodes, so results are identical, to the bit, for any
// number of threads.  InvalidArgument for a preference of the wrong length or with a negative number, and for
// an alpha out of range.

// The power method, with two vectors, on the transposed graph: each node adds up the contributions of its
// predecessors.  Each pass reduces the error at least by the factor alpha.
Result<Rank> PageRankByPowerMethod(const Graph& transpose, const PageRankOptions& options,
                                   Progress& progress);

// The same on the graph itself, where each node contributes to its successors.  One thread, because two would
// write to the same nodes.
Result<Rank> PageRankByPowerMethodForward(const Graph& graph, const PageRankOptions& options,
                                          Progress& progress);

// The Gauss-Seidel method, with one vector, on the transposed graph: a node adds up the current contributions
// of its predecessors, including values already updated in this pass.  It divides by 1 - alpha p_ii, which is
// not 1 for nodes with a self-loop.  Takes about half as many passes as the power method.
//
// The nodes are divided into 16 lanes, which advance together in steps; within a step, a lane does not see
// the new values of other lanes.  So threads can share the lanes.
Result<Rank> PageRankByGaussSeidel(const Graph& transpose, const PageRankOptions& options,
                                   Progress& progress);

}  // namespace crivello::graph
