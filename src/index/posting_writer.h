// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "bits/bit_stream.h"
#include "index/block_table.h"
#include "index/impact.h"
#include "index/posting_format.h"

namespace crivello::index {

// Bytes at the end of the stream of documents that no list uses, so that readers may load whole words.
constexpr size_t kStreamSlack = 8;
// Up to as many bytes of positions lie inside a list of one block.
constexpr size_t kInlinePositions = 64;

// One of the three streams of an index.  What was written may go to a file in pieces.
class PostingStream {
 public:
  // The number of bytes written, drained ones included.
  uint64_t size() const { return drained_ + bytes_.size(); }
  // What is in memory.
  Bytes bytes() const { return std::as_bytes(std::span(bytes_)); }
  // Hands the bytes in memory to sink.Append(Bytes) and forgets them, even if that fails.
  template <typename Sink>
  Status DrainTo(Sink& sink) {
    const Status status = sink.Append(bytes());
    drained_ = size();
    bytes_.clear();
    return status;
  }

 private:
  friend class PostingListWriter;
  std::vector<uint8_t> bytes_;
  uint64_t drained_ = 0;
};

// Writes posting lists, one after the other, into three streams: documents, counts, positions.  A list is
// known by where it starts among the documents.  A list of one block lies there whole (a term that occurs
// once costs five bytes or so with count and position); of a longer one counts and positions are apart, so
// that a query that does not need them does not touch them.
//
// The same lists give the same bytes, on any machine.  Memory: the documents and counts of a list, 8 bytes a
// posting (16 where the format cuts blocks freely), and its positions, compressed.  Cost: some 0.2 µs a
// posting with its positions.  One thread at a time.  Format: docs/formats/postings.md.
class PostingListWriter {
 public:
  struct Options {
    const PostingFormat* format = &PackedFormat();
    PostingContents contents = PostingContents::kPositions;
    // The length of each document; positions lie below it.  Outlives the writer.  May be empty if contents
    // are documents only, and short lists are then some bytes longer.
    std::span<const uint32_t> lengths = {};
  };
  explicit PostingListWriter(const Options& options);

  // The next posting of the list.  `count` is ignored for documents only, and `positions` unless they are
  // kept; else there are `count` of them, strictly increasing below the length of the document.
  void Add(DocId doc, uint32_t count = 1, std::span<const uint32_t> positions = {});
  // Ends the list, which may be empty, and returns where it starts.  InvalidArgument, and nothing is written,
  // if a posting was not as it must be; the next list is not affected.
  Result<uint64_t> FinishList();
  // Ends the streams.  No list may follow.
  void Finish();

  PostingStream& documents() { return documents_; }
  PostingStream& counts() { return counts_; }
  PostingStream& positions() { return positions_; }

 private:
  bool IsGood(DocId doc, uint32_t count, std::span<const uint32_t> positions) const;
  std::vector<BlockShape> Blocks() const;
  void WriteShort();
  void WriteLong();
  std::vector<ImpactBlock> Impacts(std::span<const BlockShape> blocks);
  bool with_counts() const { return options_.contents != PostingContents::kDocuments; }
  bool with_positions() const { return options_.contents == PostingContents::kPositions; }

  const Options options_;
  PostingStream documents_;
  PostingStream counts_;
  PostingStream positions_;
  ImpactCollector collector_;

  // The list under way.
  bool good_ = true;
  std::vector<DocId> docs_;
  std::vector<uint32_t> list_counts_;
  uint64_t occurrences_ = 0;
  std::optional<bits::BitWriter> list_positions_;
  std::vector<uint64_t> position_starts_;  // of every posting that may begin a block
};

}  // namespace crivello::index
