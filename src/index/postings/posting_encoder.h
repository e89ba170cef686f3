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

// A list of one block contains its positions if they take at most this many bytes.
constexpr size_t kInlinePositions = 64;

struct PostingOptions {
  const PostingFormat* format = &PackedFormat();
  PostingContents contents = PostingContents::kPositions;
  // The length of each document; positions are below it.  Must outlive the users of these options.  May be
  // empty if only documents are kept; short lists then take some bytes more.
  std::span<const uint32_t> lengths = {};
};

// Encoded lists without a place in the streams yet: all of their bytes except the heads, which contain the
// places.  PostingListWriter::Place() places them, at the cost of a copy.
struct EncodedLists {
  struct List {
    ListShape shape;
    // The sizes of its parts.
    uint64_t documents_bytes = 0;
    uint64_t counts_bytes = 0;
    uint64_t positions_bytes = 0;
    uint64_t inline_positions = 0;  // bytes of positions among the documents
  };
  std::vector<List> lists;
  // The parts, concatenated over all lists.
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

// Encodes postings, added in order, as posting lists (docs/formats/postings.md).  This is nearly all the work
// of writing them, and many threads can do it, each with its own encoder.
//
// The same lists give the same bytes, on any machine.  Memory: the documents and counts of a list, 8 bytes
// per posting (16 if the format cuts blocks freely), and its positions, compressed.  One thread at a time.
class PostingEncoder {
 public:
  explicit PostingEncoder(const PostingOptions& options);

  // Adds a posting to the list.  `count` is ignored if only documents are kept, and `positions` unless they
  // are kept; otherwise there are `count` of them, strictly increasing, below the length of the document.
  void Add(DocId doc, uint32_t count = 1, std::span<const uint32_t> positions = {});
  // Ends the list, which may be empty, and appends it.  If a posting was invalid, returns InvalidArgument and
  // appends nothing; the next list is not affected.
  Status FinishList(EncodedLists* out);

 private:
  // The memory of a longer list is freed, because few are as long.
  static constexpr size_t kKeptPostings = 256 << 10;
  void BeginList();
  bool IsGood(DocId doc, uint32_t count, std::span<const uint32_t> positions) const;
  // Returns the number of position bytes stored among the documents.
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

  // The current list.
  bool good_ = true;
  std::vector<DocId> docs_;
  std::vector<uint32_t> counts_;
  uint64_t occurrences_ = 0;
  bits::BitWriter positions_;
  std::vector<uint64_t> position_starts_;  // of every posting that may begin a block or a step
  // Of the finished list; kept to reuse the memory.
  std::vector<BlockShape> blocks_;
  std::vector<uint64_t> steps_;
  std::vector<ImpactBlock> impacts_;
  std::vector<uint8_t> documents_;
};

}  // namespace crivello::index
