// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"
#include "index/postings/block_table.h"
#include "index/postings/impact.h"
#include "index/postings/posting_format.h"

namespace crivello::index {

class PostingCursor;

// Where the positions of a posting are, to read them later.
struct PositionsPlace {
  uint64_t bit = 0;
  uint32_t count = 0;
  uint32_t length = 0;  // of the document
};

// The posting lists of an index: the three streams that PostingListWriter wrote, and their format.  A view of
// bytes that must outlive it and its cursors; immutable; any number of threads may open cursors.
struct PostingLists {
  const PostingFormat* format = &PackedFormat();
  PostingContents contents = PostingContents::kPositions;
  Bytes documents = {};
  Bytes counts = {};                       // empty if all lists have one block
  Bytes positions = {};                    // likewise
  std::span<const uint32_t> lengths = {};  // as passed to the writer

  // Opens a cursor at the first posting of the list that starts at a byte of `documents`.  Reads only its
  // head.  Corruption if no list can start there.
  Result<PostingCursor> Open(uint64_t start) const;
};

// A position in a posting list that moves forward, document by document, with count and positions on request.
//
// A block of up to 128 documents is decoded at once, and its counts when the first of them is requested.  So
// Next() is an increment, a load and a compare.  SeekTo() finds the block in the table (block_table.h) and
// then searches the block.  Positions are read document by document.  For dynamic pruning (block-max WAND,
// MaxScore) there is a second, shallow position that moves ahead in the table without decoding.
//
// Whatever the bytes are: documents strictly increase, each has a length where there are any, nothing outside
// the streams is read, and every call ends.  At an invalid block the cursor moves to the end, invalid counts
// become 1, and invalid positions none; then ok() is false.  1.5 KB; one thread at a time.
class PostingCursor {
 public:
  // A cursor at the end of the empty list.
  PostingCursor() { docs_.fill(kEndDoc); }

  // The number of postings of the list, and the sum of their counts (0 without counts).
  uint64_t frequency() const { return list_.frequency; }
  uint64_t occurrences() const { return list_.occurrences; }
  bool ok() const { return ok_; }

  // kEndDoc at the end.
  DocId doc() const { return doc_; }
  // Moves to the next posting.  REQUIRES: not at the end.
  void Next() {
    doc_ = docs_[++at_];
    if (doc_ == kEndDoc) [[unlikely]]
      LoadBlock(block_ + 1);
  }
  // Moves to the first posting whose document is at least d, unless already there.
  void SeekTo(DocId d) {
    if (d <= doc_) return;
    if (d > last_) [[unlikely]]
      return SeekFar(d);
    SeekInBlock(d);
  }

  // For loops over all postings, where a call for each would be most of the cost: the documents from doc() to
  // the end of its block, empty at the end.  NextBlock() moves to the first posting of the next block.
  std::span<const DocId> block_rest() const { return std::span(docs_).subspan(at_, size_ - at_); }
  void NextBlock() { LoadBlock(block_ + 1); }
  // The counts of block_rest().
  std::span<const uint32_t> block_rest_counts() {
    if (!counts_read_ && size_ > at_) [[unlikely]]
      ReadCounts();
    return std::span(counts_).subspan(at_, size_ - at_);
  }
  // Skips the next n postings.  REQUIRES: n <= block_rest().size().
  void SkipInBlock(uint32_t n) {
    at_ += n;
    doc_ = docs_[at_];
    if (doc_ == kEndDoc) LoadBlock(block_ + 1);
  }

  // How often the term occurs in doc(); 1 if the index has no counts.  REQUIRES: not at the end.
  uint32_t count() {
    if (!counts_read_) [[unlikely]]
      ReadCounts();
    return counts_[at_];
  }
  // The positions, increasing; valid until the cursor moves.  As many as count(), or none if the bytes are
  // damaged. REQUIRES: not at the end, the index has positions.
  std::span<const uint32_t> positions();
  // Finds the place of the positions without reading them, and prefetches it.  REQUIRES: as positions().
  PositionsPlace positions_place();
  // Reads the place.count positions at a place that this cursor returned earlier, wherever it was then.  If
  // the bytes are damaged, returns false, and `out` is undefined.
  bool ReadPositions(const PositionsPlace& place, uint32_t* out) const {
    return lists_.format->positions().read(positions_part_, place.bit, place.length,
                                           std::span(out, place.count)) != kDamaged;
  }

  // The shallow position: moves it forward to the first block, not before that of doc(), whose last document
  // is at least d.  Decodes nothing.
  void SeekBlock(DocId d) {
    if (shallow_ < block_) shallow_ = block_;
    shallow_ = is_short() ? shallow_ | (d > block_shape_.last) : table_.Find(d, shallow_);
  }
  // The last document of the block at the shallow position; kEndDoc after the last block.  block_max()
  // dominates the impacts of all postings from the end of the block before up to here.
  DocId block_last() const { return shallow_ < table_.blocks() ? table_.Last(shallow_) : ShortLast(); }
  // The maxima of that block, all zero after the last.  Without counts each posting has the impact (1, 0).
  ImpactBlock block_max() {
    if (shallow_ < table_.blocks()) return has_counts() ? table_.Impacts(shallow_) : OneEach();
    return is_short() && shallow_ == 0 ? ShortMax() : ImpactBlock();
  }
  // The maxima of the whole list.
  ImpactBlock list_max() {
    if (is_short()) return ShortMax();
    return has_counts() ? table_.ListImpacts() : OneEach();
  }

 private:
  friend struct PostingLists;

  void LoadBlock(uint64_t block);
  void SeekFar(DocId d);
  void SeekInBlock(DocId d);
  void ReadCounts();
  void End();
  bool is_short() const { return table_.blocks() == 0; }
  bool has_counts() const { return lists_.contents != PostingContents::kDocuments; }
  static ImpactBlock OneEach() { return {Impact{1, 0}, Impact{1, 0}, Impact{1, 0}}; }
  DocId ShortLast() const { return is_short() && shallow_ == 0 ? block_shape_.last : kEndDoc; }
  ImpactBlock ShortMax();
  uint32_t LengthOf(DocId doc) const { return doc < lists_.lengths.size() ? lists_.lengths[doc] : 0; }

  DocId doc_ = kEndDoc;
  DocId last_ = kEndDoc;  // last document of the block, or the end
  uint32_t at_ = 0;       // index of doc_ in the block
  uint32_t size_ = 0;     // of the block
  bool counts_read_ = false;
  bool ok_ = true;
  uint64_t block_ = 0;
  uint64_t shallow_ = 1;

  PostingLists lists_;
  ListShape list_;
  BlockTable table_;  // empty for a list of one block
  BlockShape block_shape_;
  // The parts of the list, extending to the ends of their streams.
  Bytes documents_;
  Bytes counts_part_;
  Bytes positions_part_;

  // positions_ has the positions of posting `positions_of_` of the block; those of posting `places_to_`,
  // which is not behind, start at positions_bit_.
  static constexpr uint32_t kNoPosting = ~uint32_t{0};
  uint32_t positions_of_ = kNoPosting;
  uint32_t places_to_ = 0;
  uint64_t positions_bit_ = 0;
  std::vector<uint32_t> positions_;

  alignas(64) std::array<uint32_t, kBlockPostings> counts_ = {};
  // The rest of the array, at least one element, is kEndDoc, so Next() needs no other check.
  alignas(64) std::array<DocId, kBlockPostings + 1> docs_ = {};
};

}  // namespace crivello::index
