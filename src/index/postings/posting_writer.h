// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "index/postings/posting_encoder.h"

namespace crivello::index {

// Unused bytes at the end of the stream of documents, so that readers may load whole words.
constexpr size_t kStreamSlack = 8;

// One of the three streams of an index.  Written bytes may be moved to a file in pieces.
class PostingStream {
 public:
  // The number of bytes written, drained ones included.
  uint64_t size() const { return drained_ + bytes_.size(); }
  // The bytes in memory.
  Bytes bytes() const { return std::as_bytes(std::span(bytes_)); }
  // Passes the bytes in memory to sink.Append(Bytes) and drops them, even if that fails.
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

// Writes posting lists into three streams: documents, counts, positions.  A list is identified by where it
// starts among the documents.  A list of one block is stored there as a whole (a term that occurs once costs
// about five bytes with count and position).  For a longer list, counts and positions are separate, so
// queries that do not need them do not touch them.
//
// Lists come posting by posting, or from encoders (posting_encoder.h) that run elsewhere; the bytes are the
// same. One thread at a time.  Format: docs/formats/postings.md.
class PostingListWriter {
 public:
  using Options = PostingOptions;
  explicit PostingListWriter(const Options& options);

  // Adds a posting to the current list, like PostingEncoder::Add().
  void Add(DocId doc, uint32_t count = 1, std::span<const uint32_t> positions = {}) {
    encoder_.Add(doc, count, positions);
  }
  // Ends the list and returns where it starts.
  Result<uint64_t> FinishList();
  // Writes lists encoded with the same options, and appends their starts to `starts`.
  void Place(const EncodedLists& encoded, std::vector<uint64_t>* starts);
  // Ends the streams.  No list may be added afterwards.
  void Finish();

  PostingStream& documents() { return documents_; }
  PostingStream& counts() { return counts_; }
  PostingStream& positions() { return positions_; }

 private:
  void WriteHead(const EncodedLists::List& list);

  const Options options_;
  PostingStream documents_;
  PostingStream counts_;
  PostingStream positions_;
  bits::BitWriter head_;

  // The list that comes posting by posting.
  PostingEncoder encoder_;
  EncodedLists encoded_;
  std::vector<uint64_t> starts_;
};

}  // namespace crivello::index
