// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "graph/bv/bv_format.h"
#include "succinct/compact_array.h"
#include "succinct/elias_fano.h"

namespace crivello::graph {

// The start of a BVGraph's records, for random access: the bit positions of the nodes 0, J, 2J, ..., in an
// Elias-Fano sequence.  J = 1 covers every node, in about 2 + log2(bits per node) bits each.  A larger J
// takes a J-th of that, but a reader must skip up to J - 1 records.  Skipping a record requires the length
// of the list it copies, so the outdegrees of the `window` nodes before each of these nodes are stored
// too.
//
// Owns its memory; immutable.
class BvOffsets {
 public:
  BvOffsets() = default;
  uint64_t jump() const { return jump_; }
  // REQUIRES: node is a multiple of jump() and a node of the graph.
  uint64_t Position(uint64_t node) const { return positions_.Access(node / jump_); }
  // The outdegree of the node `back` nodes before `node`.  REQUIRES: as Position(), jump() > 1,
  // 1 <= back <= window, back <= node.
  uint64_t OutdegreeBefore(uint64_t node, uint64_t back) const {
    return outdegrees_[node / jump_ * window_ + back - 1];
  }
  uint64_t memory_bytes() const { return 8 * (position_words_.size() + outdegree_words_.size()); }

 private:
  friend class BvOffsetsBuilder;

  uint64_t jump_ = 1;
  uint64_t window_ = 0;
  std::vector<uint64_t> position_words_;
  std::vector<uint64_t> outdegree_words_;
  succinct::EliasFano positions_;      // views position_words_
  succinct::CompactArray outdegrees_;  // views outdegree_words_
};

// Collects offsets in the order of the nodes.  One thread at a time.
class BvOffsetsBuilder {
 public:
  // REQUIRES: jump >= 1.
  BvOffsetsBuilder(uint64_t nodes, uint64_t graph_bits, uint32_t window, uint64_t jump);

  // Whether Add() uses the outdegree.
  bool wants_outdegrees() const { return jump_ > 1 && window_ > 0; }
  // Adds the next node.
  void Add(uint64_t position, uint64_t outdegree);
  // Corruption unless all nodes were added, at non-decreasing positions inside the graph.
  Result<BvOffsets> Finish() &&;

 private:
  uint64_t nodes_;
  uint64_t jump_;
  uint64_t window_;
  uint64_t next_ = 0;
  succinct::EliasFanoBuilder positions_;
  std::vector<uint64_t> recent_;  // outdegrees of the last nodes, a ring buffer
  succinct::CompactArrayBuilder outdegrees_{32};
};

}  // namespace crivello::graph
