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

// How counters are kept.  Results are the same bits in each way.
enum class CounterStorage : uint8_t {
  kAutomatic,  // the first of the following that fits in memory_bytes
  kBytes,      // a register is a byte: the maximum of two counters is one instruction for each vector
  kPacked,     // a register has 5 bits, and words of registers are compared at once by borrows
  kDisk,       // packed, in a scratch file that the system maps
};

struct HyperBallOptions {
  unsigned log_registers = 8;  // 4 to 16; the error of a count is about 1.04 / sqrt(2^log_registers)
  uint64_t seed = 0;           // run i uses seed + i
  unsigned runs = 1;
  bool harmonic = false;   // the harmonic centralities
  bool reachable = false;  // how many nodes each node reaches
  uint64_t max_distance = ~uint64_t{0};
  unsigned threads = 1;
  CounterStorage storage = CounterStorage::kAutomatic;
  // The graph transposed, if it is at hand; it outlives the call.  Without it, one is made in memory if there
  // is room.
  const Graph* transpose = nullptr;
  // For everything: counters, a copy of the graph (see ResidentGraph), the transposed graph.  With disk
  // counters it can be any; results of the size of the nodes are in memory always.
  uint64_t memory_bytes = uint64_t{2} << 30;
  std::string scratch_folder = {};  // of scratch files; empty: a new one in TMPDIR or /tmp
  std::stop_token stop = {};        // then it ends as Unavailable
};

struct HyperBallResult {
  std::vector<NeighbourhoodFunction> runs;  // up to the distance at which nothing changed any more
  std::vector<double> harmonic;             // of each node, if asked for: mean of the runs
  std::vector<double> reachable;            // likewise; itself included
  uint64_t passes = 0;                      // over the graph, in all runs
  CounterStorage storage = CounterStorage::kAutomatic;  // what was chosen
};

// HyperBall (Boldi, Vigna: In-Core Computation of Geometric Centralities with HyperBall, 2013): for each node
// x a HyperLogLog counter of the ball B_t(x), the nodes at distance at most t from x.  The ball of radius t +
// 1 is the union of those of radius t of the successors and of x itself, so a pass over the graph increases t
// by one.  Only nodes with a successor whose counter was modified in the last pass are computed again.  It
// ends when no counter changes.
//
// In the web a few long paths need many passes in which few counters change.  Then a pass does not read the
// whole graph: the transposed graph tells which nodes have a modified successor, and only their lists are
// read.  That needs a transposed graph, and a Reader of the graph.
//
// The harmonic sum of x is over distances from x: give the transposed graph to have the harmonic centrality,
// which is the sum of 1/d(y, x) over all y that reach x and are not x.
//
// New counters of a pass are written to a log, in memory as long as there is room and then in a scratch file,
// and take effect after the pass: there is one array of counters, not two.  Results have the same bits for
// any storage, memory and number of threads.  InvalidArgument for log_registers out of range.
Result<HyperBallResult> RunHyperBall(const Graph& graph, const HyperBallOptions& options, Progress& progress);

}  // namespace crivello::graph
