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

// A run: the inverted index of one field of consecutive documents, sorted by term, in numbers of a few bytes.
// It is what lies between inverting and merging, in memory or in a file that goes when the build is done.
// Format: docs/formats/posting-run.md.

// An occurrence as inverters sort them: the document, counted from the first of the run, and the position.
constexpr uint64_t MakeOccurrence(uint32_t doc, uint32_t position) { return uint64_t{doc} << 32 | position; }

// Writes a run into memory.  One thread at a time.
class RunWriter {
 public:
  // Appends to `out`, which outlives the writer.  Lengths are those of the run's documents; of a field that
  // keeps documents only their number counts.
  RunWriter(PostingContents contents, std::span<const uint32_t> lengths, std::vector<uint8_t>* out);
  // The next term, greater than the one before, and its occurrences, which strictly increase.
  void Add(std::string_view term, std::span<const uint64_t> occurrences);
  void Finish();

 private:
  PostingContents contents_;
  std::vector<uint8_t>* out_;
  size_t start_;
  std::string last_;
  std::vector<uint8_t> postings_;
};

// Where a run lies.  What it views outlives it.
struct RunPlace {
  Bytes memory = {};                // unless there is a file
  const InputFile* file = nullptr;  // and in it
  uint64_t offset = 0;
  uint64_t size = 0;
};

// Reads a run from its start to its end, through a buffer if it is in a file.  Whatever the bytes are,
// nothing outside them is read and the end is reached; Corruption if they are no run, and damage that is
// still one shows in the checksum, at the end.  One thread at a time.
class RunReader {
 public:
  RunReader(PostingContents contents, const RunPlace& place);

  // To be called first: how many documents there are.  Appends their lengths, unless documents only are kept.
  Result<DocId> ReadLengths(std::vector<uint32_t>* lengths);
  // To the next term; false at the end.
  Result<bool> Next();
  std::string_view term() const { return term_; }
  // Its postings, for DecodePostings(); good until the next call.
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

// Gives the postings of a term in one run to an encoder; documents count from `first` on, and are fewer than
// `documents`.  `positions` is room to work in.  Corruption if the bytes are no postings.
Status DecodePostings(PostingContents contents, Bytes postings, DocId first, DocId documents,
                      std::vector<uint32_t>* positions, PostingEncoder* encoder);

}  // namespace crivello::index
