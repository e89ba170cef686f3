// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "bits/bit_stream.h"
#include "index/postings/block_table.h"
#include "index/postings/impact.h"
#include "index/postings/posting_format.h"

namespace crivello::index {

// Up to as many bytes of positions lie inside a list of one block.
constexpr size_t kInlinePositions = 64;

struct PostingOptions {
  const PostingFormat* format = &PackedFormat();
  PostingContents contents = PostingContents::kPositions;
  // The length of each document; positions lie below it.  Outlives whoever has these options.  May be empty
  // if contents are documents only, and short lists are then some bytes longer.
  std::span<const uint32_t> lengths = {};
};

// Lists that were encoded and have no place in the streams yet: all of their bytes but the heads, which tell
// the places.  PostingListWriter::Place() gives them one, at the cost of copying them.
struct EncodedLists {
  struct List {
    ListShape shape;
    // Of its parts.
    uint64_t documents_bytes = 0;
    uint64_t counts_bytes = 0;
    uint64_t positions_bytes = 0;
    uint64_t inline_positions = 0;  // bytes of positions among the documents
  };
  std::vector<List> lists;
  // The parts, one list after the other.
  std::vector<uint8_t> documents;
  std::vector<uint8_t> counts;
  std::vector<uint8_t> positions;

  void Clear() {
    lists.clear();
    documents.clear();
    counts.clear();
    positions.clear();
  }
};

// Makes of postings, added in order, the bytes of posting lists (docs/formats/postings.md): nearly all the
// work of writing them, and it can be done by many threads, each with an encoder of its own.
//
// The same lists give the same bytes, on any machine.  Memory: the documents and counts of a list, 8 bytes a
// posting (16 where the format cuts blocks freely), and its positions, compressed.  One thread at a time.
class PostingEncoder {
 public:
  explicit PostingEncoder(const PostingOptions& options);

  // The next posting of the list.  `count` is ignored for documents only, and `positions` unless they are
  // kept; else there are `count` of them, strictly increasing below the length of the document.
  void Add(DocId doc, uint32_t count = 1, std::span<const uint32_t> positions = {});
  // Ends the list, which may be empty, and appends it.  InvalidArgument, and nothing is appended, if a
  // posting was not as it must be; the next list is not affected.
  Status FinishList(EncodedLists* out);

 private:
  // Of a longer list the memory is not kept for the next one: few are as long.
  static constexpr size_t kKeptPostings = 256 << 10;
  void BeginList();
  bool IsGood(DocId doc, uint32_t count, std::span<const uint32_t> positions) const;
  // Returns how many bytes of positions lie among the documents.
  uint64_t EncodeShort(const ListShape& list, EncodedLists* out);
  void EncodeLong(const ListShape& list, EncodedLists* out);
  void MakeBlocks();
  void MakeSteps();
  void MakeImpacts();
  bool with_counts() const { return options_.contents != PostingContents::kDocuments; }
  bool with_positions() const { return options_.contents == PostingContents::kPositions; }
  uint32_t start_step() const { return options_.format->cuts() ? 1 : kPositionStep; }

  const PostingOptions options_;
  ImpactCollector collector_;

  // The list under way.
  bool good_ = true;
  std::vector<DocId> docs_;
  std::vector<uint32_t> counts_;
  uint64_t occurrences_ = 0;
  bits::BitWriter positions_;
  std::vector<uint64_t> position_starts_;  // of every posting that may begin a block, or have a place in one
  // Of the list that ends, kept for the memory.
  std::vector<BlockShape> blocks_;
  std::vector<uint64_t> steps_;
  std::vector<ImpactBlock> impacts_;
  std::vector<uint8_t> documents_;
};

}  // namespace crivello::index
