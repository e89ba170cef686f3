// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/status.h"

namespace crivello::graph {

// A node of a graph: a number below nodes().
using Node = uint32_t;
inline constexpr uint64_t kMaxNodes = (uint64_t{1} << 32) - 1;

// Iterates over the nodes of a graph in increasing order.  One thread at a time; the graph must outlive it.
class NodeCursor {
 public:
  virtual ~NodeCursor() = default;
  // Moves to the next node (at first to the first one); false at the end, or on an error, which status() then
  // returns.
  virtual bool Next() = 0;
  // REQUIRES for both: the last Next() returned true.  The list increases strictly and is valid until the
  // next call of Next().
  virtual Node node() const = 0;
  virtual std::span<const Node> successors() const = 0;
  virtual const Status& status() const = 0;
};

// Reads the successors of any node.  One thread at a time; the graph must outlive it.
class SuccessorReader {
 public:
  virtual ~SuccessorReader() = default;
  // The list increases strictly and is valid until the next call.  Corruption if it is damaged.
  // REQUIRES: node < nodes().
  virtual Result<std::span<const Node>> Successors(Node node) = 0;
};

// A directed graph with nodes 0, 1, ..., nodes() - 1.  There is at most one arc from a node to another;
// self-loops are allowed.  Immutable, so any number of threads may read it, each through its own cursors and
// readers.  Algorithms use this interface; implementations are in memory (array_graph.h) or compressed.
// There is one virtual call per node, not per arc.
class Graph {
 public:
  virtual ~Graph() = default;
  virtual uint64_t nodes() const = 0;
  virtual uint64_t arcs() const = 0;
  // A cursor over the nodes from `begin` to `end` - 1.  REQUIRES: begin <= end <= nodes().
  virtual std::unique_ptr<NodeCursor> Scan(uint64_t begin, uint64_t end) const = 0;
  std::unique_ptr<NodeCursor> Scan() const { return Scan(0, nodes()); }
  // Unavailable if this graph can only be scanned, because the offsets of its lists are missing.
  virtual Result<std::unique_ptr<SuccessorReader>> Reader() const = 0;
};

}  // namespace crivello::graph
