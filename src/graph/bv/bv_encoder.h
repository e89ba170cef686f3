// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bits/bit_stream.h"
#include "graph/bv/bv_code_writer.h"
#include "graph/bv/bv_format.h"
#include "graph/bv/bv_stats.h"
#include "graph/graph.h"

namespace crivello::graph {

// Compresses one successor list relative to its reference list.  The output is WebGraph's, to the bit.
//
// A reference divides its list alternately into blocks that are copied and blocks that are skipped; the last
// block is written only if it is copied and ends before the list does.  The successors that are not copied
// are the extras: long enough runs of consecutive nodes become intervals, and the others are residuals.
//
// One thread at a time, because it keeps working memory.
class BvEncoder {
 public:
  static constexpr uint64_t kNoLimit = ~uint64_t{0};

  // REQUIRES: CheckWritable() accepted them.
  explicit BvEncoder(const BvParameters& parameters);

  // The bits of a record without its outdegree; once they reach `limit`, it may return any number of that
  // size. `reference` is the list of the node `distance` before, empty if that is 0. REQUIRES: list is not
  // empty; distance <= window.
  uint64_t Cost(uint64_t node, std::span<const Node> list, uint64_t distance, std::span<const Node> reference,
                uint64_t limit);

  // Writes the record, and adds its parts to `stats` (except chain lengths).  Returns its length in bits.
  uint64_t Write(uint64_t node, std::span<const Node> list, uint64_t distance,
                 std::span<const Node> reference, bits::BitWriter& writer, BvStats& stats);

 private:
  // Divides a list by its reference: stores the lengths of the blocks in blocks_, the extras in extras_.
  void Split(std::span<const Node> list, std::span<const Node> reference);
  uint64_t CostOfExtras(uint64_t node, std::span<const Node> extras, uint64_t cost, uint64_t limit) const;
  void WriteExtras(uint64_t node, std::span<const Node> extras, bits::BitWriter& writer, BvStats& stats);

  const BvParameters parameters_;
  const BvCodeWriter outdegrees_;
  const BvCodeWriter references_;
  const BvCodeWriter block_counts_;
  const BvCodeWriter blocks_code_;
  const BvCodeWriter intervals_;
  const BvCodeWriter residuals_;
  std::vector<uint32_t> blocks_;
  size_t block_count_ = 0;
  std::vector<Node> extras_;
  size_t extra_count_ = 0;

  struct Interval {
    Node begin;
    uint32_t length;
  };
  std::vector<Interval> found_intervals_;
  std::vector<Node> found_residuals_;
};

}  // namespace crivello::graph
