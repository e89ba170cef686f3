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

// What becomes of the rank of nodes without successors.
enum class DanglingNodes : uint8_t {
  kNone,        // it is lost: ranks sum to less than 1 ("pseudorank")
  kUniform,     // all nodes get the same share of it
  kPreference,  // it follows the preference vector
};

// What a pass did, to watch the convergence.
struct PageRankPass {
  uint64_t pass = 0;  // from 1
  double step = 0;    // the l1 norm of the change
};

struct PageRankOptions {
  double alpha = 0.85;  // the probability to follow a link; at least 0 and less than 1
  // Where a surfer goes who follows none, by node: any numbers that are not negative, not all zero; they are
  // divided by their sum.  Empty: each node alike.  It stays valid during the call.
  std::span<const double> preference = {};
  DanglingNodes dangling = DanglingNodes::kUniform;
  double tolerance = 1e-9;     // of the l1 norm of the error
  uint64_t max_passes = 1000;  // Gauss-Seidel takes at least 2
  unsigned threads = 1;
  // For a copy of the graph: see ResidentGraph.  Besides, 16 to 28 bytes are used for each node.
  uint64_t memory_bytes = uint64_t{1} << 30;
  std::function<void(const PageRankPass&)> watch = {};  // called in the caller's thread
  std::stop_token stop = {};                            // then it ends as Unavailable
};

// PageRank is the x with x = alpha x P + (1 - alpha) v, where v is the preference vector and P has 1/d in the
// row of each node for its d successors, and rows of its own for dangling nodes.
//
// Results certify themselves: the last pass computes r = x - alpha x P - (1 - alpha) v for the x that is
// returned, and ||x - x*||_1 <= ||r||_1 / (1 - alpha), which is Rank::error.  If that does not come below
// the tolerance in max_passes passes, converged is false.
//
// Sums are taken over a fixed number of blocks of nodes, so results have the same bits with any number of
// threads.  InvalidArgument for a preference of another length or with a negative number, and for an alpha
// out of range.

// The power method, with two vectors, on the transposed graph: each node adds up what its predecessors give.
// An error shrinks at least by alpha in each pass.
Result<Rank> PageRankByPowerMethod(const Graph& transpose, const PageRankOptions& options,
                                   Progress& progress);

// The same on the graph itself, where each node gives to its successors.  One thread, since two would write
// to the same nodes.
Result<Rank> PageRankByPowerMethodForward(const Graph& graph, const PageRankOptions& options,
                                          Progress& progress);

// The method of Gauss and Seidel, with one vector, on the transposed graph: a node adds up what its
// predecessors give now, the new values of those that this pass has already seen included.  It divides by
// 1 - alpha p_ii, which is not 1 for nodes with a self-loop.  About half the passes of the power method.
//
// The nodes are cut into 16 lanes, which advance together in steps; within a step a lane does not see what
// the others have computed in it.  So threads may share the lanes.
Result<Rank> PageRankByGaussSeidel(const Graph& transpose, const PageRankOptions& options,
                                   Progress& progress);

}  // namespace crivello::graph
