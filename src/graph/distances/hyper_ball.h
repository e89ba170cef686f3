// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/status.h"
#include "graph/distances/neighbourhood_function.h"
#include "graph/graph.h"

namespace crivello::graph {

// How counters are stored.  Results are identical for all.
enum class CounterStorage : uint8_t {
  kAutomatic,  // the first of the following that fits in memory_bytes
  kBytes,      // one byte per register: the maximum of two counters takes one instruction per vector
  kPacked,     // 5 bits per register; whole words of registers are compared by borrows
  kDisk,       // packed, in a scratch file that the system maps
};

struct HyperBallOptions {
  unsigned log_registers = 8;  // 4 to 16; the error of a count is about 1.04 / sqrt(2^log_registers)
  uint64_t seed = 0;           // run i uses seed + i
  unsigned runs = 1;
  bool harmonic = false;   // the harmonic centralities
  bool reachable = false;  // the number of nodes that each node reaches
  uint64_t max_distance = ~uint64_t{0};
  unsigned threads = 1;
  CounterStorage storage = CounterStorage::kAutomatic;
  // The transposed graph, if available; must outlive the call.  Without it, one is made in memory if there is
  // room.
  const Graph* transpose = nullptr;
  // For everything: counters, a copy of the graph (see ResidentGraph), the transposed graph.  With counters
  // on disk it can be small; results with one value per node are always in memory.
  uint64_t memory_bytes = uint64_t{2} << 30;
  std::string scratch_folder = {};  // for scratch files; empty: a new one in TMPDIR or /tmp
  std::stop_token stop = {};        // stops with Unavailable
};

struct HyperBallResult {
  std::vector<NeighbourhoodFunction> runs;  // up to the distance at which nothing changed any more
  std::vector<double> harmonic;             // of each node, if requested: mean of the runs
  std::vector<double> reachable;            // likewise; including itself
  uint64_t passes = 0;                      // over the graph, in all runs
  CounterStorage storage = CounterStorage::kAutomatic;  // the one that was chosen
};

// HyperBall (Boldi, Vigna: In-Core Computation of Geometric Centralities with HyperBall, 2013): for each node
// x, a HyperLogLog counter of the ball B_t(x), the nodes at distance at most t from x.  The ball of radius t
// + 1 is the union of the balls of radius t of x and its successors, so each pass over the graph increases t
// by one.  Only nodes with a successor whose counter changed in the last pass are computed again.  It ends
// when no counter changes.
//
// In the web, a few long paths require many passes in which few counters change.  Such a pass does not read
// the whole graph: the transposed graph tells which nodes have a modified successor, and only their lists are
// read.  This needs a transposed graph, and a Reader of the graph.
//
// The harmonic sum of x is over distances from x.  Pass the transposed graph to get the harmonic centrality,
// which is the sum of 1/d(y, x) over all y other than x that reach x.
//
// The new counters of a pass are written to a log, in memory as far as there is room and then in a scratch
// file, and take effect after the pass, so there is one array of counters, not two.  Results are identical,
// to the bit, for any storage, memory and number of threads.  InvalidArgument for log_registers out of range.
Result<HyperBallResult> RunHyperBall(const Graph& graph, const HyperBallOptions& options, Progress& progress);

}  // namespace crivello::graph
