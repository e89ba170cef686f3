// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"
#include "index/postings/impact.h"
#include "index/postings/posting_format.h"

namespace crivello::index {

// The table of the blocks of a list, the same in all formats: the skip table of the lecture notes, with
// quantum 128, and the block maxima.  For each block it has the last document, the place in each stream, the
// size if the format cuts freely, the places of the positions of every kPositionStep postings if the format
// has them, and the impacts.  It also has the impacts of the list.  Every field has one width for the whole
// list, so any row can be read without the others.  Only lists of more than one block have a table.
// Format: docs/formats/postings.md.

struct BlockTableOptions {
  PostingContents contents = PostingContents::kPositions;
  bool sizes = false;  // sizes are written, instead of kBlockPostings each
  bool steps = false;  // of positions; ignored without positions
};
// The input for writing a table.
struct BlockTableRows {
  std::span<const BlockShape> blocks;
  std::span<const uint64_t> steps;       // kBlockSteps per block, relative to its positions_place; if used
  std::span<const ImpactBlock> impacts;  // one for each block, and one for the list; empty without counts
};
void AppendBlockTable(const BlockTableOptions& options, const BlockTableRows& rows,
                      std::vector<uint8_t>* out);

// A view of a table, which must outlive it.  All accesses except Find() are O(1), and stay inside the bytes
// that Open() has seen, whatever they are.  A value type; immutable.
class BlockTable {
 public:
  BlockTable() = default;
  // Opens the table that `in` starts with.  Corruption if it does not fit; sets `*end` to its size.
  static Result<BlockTable> Open(const BlockTableOptions& options, uint64_t frequency, Bytes in, size_t* end);

  uint64_t blocks() const { return blocks_; }
  // REQUIRES: block < blocks(), in all.
  DocId Last(uint64_t block) const {
    uint32_t word;  // the bytes after the last documents can be read, and are masked
    __builtin_memcpy(&word, lasts_ + block * last_bytes_, sizeof(word));
    return word & last_mask_;
  }
  BlockShape Shape(uint64_t block) const;
  // Where the positions of posting `step` * kPositionStep of the block are, relative to its positions_place.
  // REQUIRES: has_steps(); 1 <= step <= kBlockSteps.
  bool has_steps() const { return step_bits_ != kNoSteps; }
  uint64_t Step(uint64_t block, uint32_t step) const {
    return Field(block * row_bits_ + row_bits_ - (kBlockSteps + 1 - step) * step_bits_, step_bits_);
  }
  ImpactBlock Impacts(uint64_t block) const { return ReadImpacts(impacts_ + block * kImpactBytes); }
  ImpactBlock ListImpacts() const { return Impacts(blocks_); }
  // The first block from `from` on whose last document is at least d, or blocks().  Cost: a doubling search,
  // logarithmic in the distance.
  uint64_t Find(DocId d, uint64_t from) const {
    if (from >= blocks_ || Last(from) >= d) return from;
    return FindFar(d, from);
  }

 private:
  uint64_t FindFar(DocId d, uint64_t from) const;
  uint64_t Field(uint64_t bit, unsigned width) const;

  uint64_t blocks_ = 0;
  uint64_t frequency_ = 0;
  const std::byte* lasts_ = nullptr;
  const std::byte* sizes_ = nullptr;
  const std::byte* places_ = nullptr;
  const std::byte* impacts_ = nullptr;
  uint32_t last_mask_ = 0;
  unsigned last_bytes_ = 0;
  std::array<unsigned, 3> widths_ = {};  // of the places in each stream
  static constexpr unsigned kNoSteps = ~0u;
  unsigned step_bits_ = kNoSteps;
  uint64_t row_bits_ = 0;  // of all places of a block
};

}  // namespace crivello::index
