// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/input_file.h"
#include "base/status.h"
#include "index/postings/posting_encoder.h"
#include "index/postings/posting_format.h"

namespace crivello::index {

// A run is the inverted index of one field of consecutive documents, sorted by term, in variable-length
// numbers. It is the intermediate result between inverting and merging, in memory or in a temporary file.
// Format: docs/formats/posting-run.md.

// An occurrence as inverters sort it: the document, counted from the first of the run, and the position.
constexpr uint64_t MakeOccurrence(uint32_t doc, uint32_t position) { return uint64_t{doc} << 32 | position; }

// Writes a run into memory.  One thread at a time.
class RunWriter {
 public:
  // Appends to `out`, which must outlive the writer.  `lengths` are those of the run's documents; if the
  // field keeps only documents, only their number matters.
  RunWriter(PostingContents contents, std::span<const uint32_t> lengths, std::vector<uint8_t>* out);
  // Adds the next term, greater than the previous one, and its occurrences, which strictly increase.
  void Add(std::string_view term, std::span<const uint64_t> occurrences);
  void Finish();

 private:
  PostingContents contents_;
  std::vector<uint8_t>* out_;
  size_t start_;
  std::string last_;
  std::vector<uint8_t> postings_;
};

// Where a run is.  The memory or file must outlive it.
struct RunPlace {
  Bytes memory = {};                // unless there is a file
  const InputFile* file = nullptr;  // the file that contains it
  uint64_t offset = 0;
  uint64_t size = 0;
};

// Reads a run from start to end, through a buffer if it is in a file.  Whatever the bytes are, it reads
// nothing outside them and reaches an end.  Corruption if they are not a run; damage that still is a run is
// found by the checksum, at the end.  One thread at a time.
class RunReader {
 public:
  RunReader(PostingContents contents, const RunPlace& place);

  // Call this first: returns the number of documents.  Appends their lengths, unless only documents are kept.
  Result<DocId> ReadLengths(std::vector<uint32_t>* lengths);
  // Moves to the next term; false at the end.
  Result<bool> Next();
  std::string_view term() const { return term_; }
  // The postings of the term, for DecodePostings(); valid until the next call.
  Bytes postings() const { return {buffered_.data() + at_, postings_bytes_}; }

 private:
  Status Damaged(std::string_view why) const;
  Status NeedBytes(size_t bytes);
  Result<uint64_t> Number(uint64_t limit);
  size_t left() const { return buffered_.size() - at_; }

  PostingContents contents_;
  RunPlace place_;
  uint64_t read_ = 0;  // bytes of the run that were buffered
  std::vector<std::byte> buffer_;
  Bytes buffered_;
  size_t at_ = 0;  // in buffered_
  Hasher64 hasher_;
  std::string term_;
  size_t postings_bytes_ = 0;
  bool started_ = false;
};

// Passes the postings of a term in one run to an encoder.  Documents are numbered from `first` on, and there
// are fewer than `documents`.  `positions` is scratch space.  Corruption if the bytes are not postings.
Status DecodePostings(PostingContents contents, Bytes postings, DocId first, DocId documents,
                      std::vector<uint32_t>* positions, PostingEncoder* encoder);

}  // namespace crivello::index
