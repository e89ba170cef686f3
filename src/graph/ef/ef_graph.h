// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/image.h"
#include "base/status.h"
#include "graph/graph.h"
#include "succinct/elias_fano.h"

namespace crivello::graph {

// A graph that can test for an arc in constant time.  In a graph with n nodes, the arc from x to y is the
// number x n + y.  All m arcs are one Elias-Fano sequence, with 2 + log2(n^2 / m) bits each.  SeekTo() looks
// up an arc, a list is the elements from x n on, and a scan reads them all.
//
// Larger than a BVGraph, because it does not exploit locality or similarity, but it reaches any list or arc
// directly, without decoding other lists.
//
// A view of its image, which must outlive it; immutable; any number of threads may read.  With damaged words,
// arcs are wrong or missing, but always nodes in increasing order.  Format: docs/formats/ef-graph.md.
class EfGraph final : public Graph {
 public:
  static constexpr FileKind kFileKind = {.name = "ef-graph", .version = 1};

  static Result<EfGraph> FromImage(Bytes image);

  uint64_t nodes() const override { return nodes_; }
  uint64_t arcs() const override { return arcs_.size(); }
  using Graph::Scan;
  std::unique_ptr<NodeCursor> Scan(uint64_t begin, uint64_t end) const override;
  Result<std::unique_ptr<SuccessorReader>> Reader() const override;

  // In constant time.  REQUIRES: both are nodes.
  bool HasArc(Node source, Node target) const {
    const uint64_t arc = source * nodes_ + target;
    return arcs_.SeekTo(arc).value == arc;
  }
  // In constant time.  REQUIRES: node < nodes().
  uint64_t Outdegree(Node node) const {
    const uint64_t begin = node * nodes_;
    const uint64_t from = arcs_.SeekTo(begin).index;
    const uint64_t to = arcs_.SeekTo(begin + nodes_).index;
    return to > from ? to - from : 0;
  }
  Description Describe() const;

 private:
  uint64_t nodes_ = 0;
  succinct::EliasFano arcs_;
};

// The image of a graph.  Corruption if the graph's number of arcs is wrong, or it cannot be read. Memory: the
// image.
Result<std::vector<uint64_t>> MakeEfGraphImage(const Graph& graph);
// Writes it to a file, which Mapped<EfGraph> opens.
Status WriteEfGraph(const Graph& graph, const std::string& path, FileSystem& fs = PosixFileSystem());

}  // namespace crivello::graph
