// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/file_system.h"
#include "base/mapped_file.h"
#include "base/status.h"
#include "graph/bv/bv_format.h"
#include "graph/bv/bv_offsets.h"
#include "graph/bv/bv_record.h"
#include "graph/graph.h"

namespace crivello::graph {

// Where BvGraph gets the offsets of its lists; without them it can only be scanned.
enum class BvOffsetsFrom {
  kFileIfAny,   // the .offsets file; none if there is no such file
  kFileOrScan,  // the .offsets file or, without one, a scan of the graph
  kNowhere,
};

struct BvGraphOptions {
  BvOffsetsFrom offsets = BvOffsetsFrom::kFileIfAny;
  // Keep the offset of every jump-th node (1 to 2^20): less memory, but slower random access.
  uint64_t jump = 1;
};

// A graph in the files of WebGraph: BASENAME.graph (a bit stream with one record per node), .properties
// (text) and .offsets (where the records begin).  Read in place, mapped; supports all parameters and codes of
// WebGraph, in Java and in Rust.  docs/formats/bvgraph.md.  (Boldi, Vigna: The WebGraph framework I:
// Compression techniques, 2004.)
//
// A scan decodes each list once, using the lists of the `window` nodes before it, which it keeps in memory.
// Random access decodes the chain of references of a node, so it costs 1 + its length times as much.  A scan
// from the middle begins with random access to one window; without offsets it begins at node 0.
//
// Safe on untrusted bytes: damage is Corruption with the file and the node; nothing outside the file is read;
// a list has at most as many nodes as the file has bits.
//
// Immutable; any number of threads may read.
class BvGraph final : public Graph {
 public:
  // NotFound if there is no such graph.
  static Result<std::unique_ptr<BvGraph>> Open(const std::string& basename, BvGraphOptions options = {});
  // A graph in bytes that must outlive it; `offsets`: the bytes of an .offsets file.  `name` is for errors.
  static Result<std::unique_ptr<BvGraph>> FromBytes(const BvProperties& properties, Bytes graph,
                                                    std::optional<Bytes> offsets, std::string name,
                                                    BvGraphOptions options = {});
  BvGraph(const BvGraph&) = delete;
  BvGraph& operator=(const BvGraph&) = delete;

  uint64_t nodes() const override { return properties_.nodes; }
  uint64_t arcs() const override { return properties_.arcs; }
  using Graph::Scan;
  std::unique_ptr<NodeCursor> Scan(uint64_t begin, uint64_t end) const override;
  Result<std::unique_ptr<SuccessorReader>> Reader() const override;

  const BvParameters& parameters() const { return properties_.parameters; }
  bool has_offsets() const { return offsets_.has_value(); }
  // The size of the .graph file; bits per link are 8 times this divided by arcs().
  uint64_t graph_bytes() const { return graph_.size(); }
  // Calls node_begins(bit) for the record of each node and finally for their end, in one scan.  Corruption if
  // the graph is damaged.
  template <typename F>
  Status ForEachOffset(F&& node_begins) const;

 private:
  template <typename Source>
  friend class BvCursor;
  template <typename Source>
  friend class BvReader;

  BvGraph(BvProperties properties, std::string name)
      : properties_(std::move(properties)), name_(std::move(name)) {}

  Status Start(Bytes graph, std::optional<Bytes> offsets, BvGraphOptions options);
  Status ReadOffsets(Bytes offsets, uint64_t jump);
  Status ScanOffsets(uint64_t jump);
  BvShape shape() const { return {nodes(), parameters().window, parameters().min_interval}; }
  Status Damaged(uint64_t node, BvDamage damage) const;
  // A cursor that also knows where the next record begins.
  class PositionedCursor : public NodeCursor {
   public:
    virtual uint64_t position() const = 0;
  };
  std::unique_ptr<PositionedCursor> NewCursor(uint64_t begin, uint64_t end) const;

  BvProperties properties_;
  std::string name_;
  std::optional<MappedFile> file_;
  Bytes graph_;
  std::optional<BvOffsets> offsets_;
};

template <typename F>
Status BvGraph::ForEachOffset(F&& node_begins) const {
  const auto cursor = NewCursor(0, nodes());
  node_begins(cursor->position());
  while (cursor->Next()) node_begins(cursor->position());
  return cursor->status();
}

}  // namespace crivello::graph
