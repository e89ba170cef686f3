// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "base/line_reader.h"
#include "base/status.h"
#include "graph/graph.h"

namespace crivello::graph {

// Graphs as text, read and written as streams, using the memory of one list.

// WebGraph's ASCII format (.graph-txt): the number of nodes in the first line, then one line per node with
// its successors, increasing, separated by blanks.  One thread at a time.
class AsciiGraphReader {
 public:
  // "-" is standard input.
  static Result<AsciiGraphReader> Open(const std::string& path);

  uint64_t nodes() const { return nodes_; }
  // Moves to the next node; false after the last, or on an error, which status() then returns: a line missing
  // or too many, or a list that does not increase or has a number that is not a node.
  bool Next();
  // REQUIRES: Next() returned true.  Valid until the next call of Next().
  std::span<const Node> successors() const { return successors_; }
  const Status& status() const { return status_; }

 private:
  AsciiGraphReader(LineReader lines, uint64_t nodes) : lines_(std::move(lines)), nodes_(nodes) {}
  Status ParseLine();

  LineReader lines_;
  uint64_t nodes_;
  uint64_t read_ = 0;
  std::vector<Node> successors_;
  Status status_;
};
Status WriteAsciiGraph(const Graph& graph, const std::string& path, FileSystem& fs = PosixFileSystem());

// A list of arcs: source and target in each line, separated by blanks or a tab, in any order.  The rest
// of a line is ignored, and so are empty lines and lines that begin with '#' or '%'.  One thread at a
// time.
class ArcListReader {
 public:
  // "-" is standard input.
  static Result<ArcListReader> Open(const std::string& path);

  // Moves to the next arc; false at the end, or on an error, which status() then returns.
  bool Next();
  // REQUIRES: Next() returned true.
  std::pair<Node, Node> arc() const { return arc_; }
  const Status& status() const { return status_; }

 private:
  explicit ArcListReader(LineReader lines) : lines_(std::move(lines)) {}

  LineReader lines_;
  std::pair<Node, Node> arc_;
  Status status_;
};
// Writes a tab between source and target, and the arcs in order.
Status WriteArcList(const Graph& graph, const std::string& path, FileSystem& fs = PosixFileSystem());

}  // namespace crivello::graph
