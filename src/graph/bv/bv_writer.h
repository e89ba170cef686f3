// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "base/file_system.h"
#include "base/progress.h"
#include "base/status.h"
#include "graph/bv/bv_format.h"
#include "graph/bv/bv_stats.h"
#include "graph/graph.h"

namespace crivello::graph {

struct BvWriterOptions {
  BvParameters parameters = {};
  unsigned threads = 1;  // 0: one per processor
};

// Progress of a long operation, and a way to stop it.
struct BvWork {
  Progress* progress = nullptr;
  std::stop_token stop = {};  // stops with Unavailable; no file is written
};

// Writes a graph as BASENAME.graph, .offsets and .properties, from its lists in the order of the nodes.  The
// bytes are identical to those of WebGraph's own compressor with one thread, for any number of threads here.
//
// References are chosen as in WebGraph: among 0 (none) to the window, the first with the fewest bits,
// considering only non-empty lists whose own chain of references is shorter than max_ref_count.  The bits of
// a list depend only on its reference's successors.  So threads compute them for all candidates of a block of
// nodes, one thread chooses, and threads write.
//
// Memory: a block of some 2^18 arcs per thread, and the lists of the window; a longer list takes what it
// needs.  Costs some tens of nanoseconds per arc with a window of 7.
//
// Finish() makes the three files appear, .properties last.  An old .properties file is removed first, so that
// a crash leaves no graph rather than a mixture of two.  One thread at a time.
class BvWriter {
 public:
  // InvalidArgument if version 0 of the format does not support these parameters.
  static Result<BvWriter> Create(const std::string& basename, BvWriterOptions options = {},
                                 FileSystem& fs = PosixFileSystem());
  BvWriter(BvWriter&&) noexcept;
  BvWriter& operator=(BvWriter&&) = delete;
  ~BvWriter();

  // Appends the next node.  InvalidArgument unless its successors increase strictly.
  Status Add(std::span<const Node> successors);
  // Completes the files.  InvalidArgument if a successor is not a node.  Returns the statistics of the arcs.
  Result<BvStats> Finish();

 private:
  friend Result<BvStats> MeasureBvGraph(const Graph& graph, BvWriterOptions options, BvWork work);

  struct State;
  explicit BvWriter(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Writes a whole graph.
Result<BvStats> WriteBvGraph(const Graph& graph, const std::string& basename, BvWriterOptions options = {},
                             BvWork work = {}, FileSystem& fs = PosixFileSystem());

// What WriteBvGraph() would return, without writing anything.
Result<BvStats> MeasureBvGraph(const Graph& graph, BvWriterOptions options = {}, BvWork work = {});

class BvGraph;
// Writes only the .offsets of a graph that has none, by one scan.
Status WriteBvOffsets(const BvGraph& graph, const std::string& path, FileSystem& fs = PosixFileSystem());

}  // namespace crivello::graph
