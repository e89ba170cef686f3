// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/postings/posting_format.h"
#include "index/terms/term_table.h"
#include "text/terms/analyser.h"

namespace crivello::index {

// Inverts one field of consecutive documents into a run: from documents with their terms to terms with their
// documents.
//
// Terms are numbered in order of first occurrence, and a document is the sequence of its numbers, 4 bytes per
// term.  At the end, occurrences are sorted by term in two passes over that sequence (counting sort), and
// terms by their bytes.  12 bytes per occurrence, and 80 per term plus its bytes.  One thread at a time.
class Inverter {
 public:
  explicit Inverter(PostingContents contents) : contents_(contents) {}

  // Adds terms of the current document; positions must not decrease.  A term that occurs twice at a position
  // counts once.
  void Add(std::span<const text::Term> terms);
  // A term of the document, for fields that keep documents only.
  void AddKeyword(std::string_view term);
  // Ends the document.  All its positions are below `length`.
  void EndDocument(uint32_t length);

  uint32_t documents() const { return static_cast<uint32_t>(lengths_.size()); }
  // Appends the run of all documents (posting_run.h) and clears the inverter.
  void WriteRun(std::vector<uint8_t>* out);

 private:
  // An entry is a term number shifted by one, with a bit that means "at the next position"; otherwise it is
  // at the position of the previous entry.  A jump is kJump followed by its distance.
  static constexpr uint32_t kNextPosition = 1;
  static constexpr uint32_t kJump = ~uint32_t{0};

  void Append(uint32_t number, uint32_t position);
  std::vector<uint32_t> SortedTerms() const;
  // Where the occurrences of a term go.
  struct Place {
    uint64_t next = 0;
    uint64_t last = ~uint64_t{0};  // the most recent one
  };
  void Distribute(std::span<Place> places);

  const PostingContents contents_;
  TermTable terms_;
  std::vector<uint32_t> entries_;
  std::vector<uint64_t> document_ends_;  // in entries_
  std::vector<uint32_t> lengths_;
  uint32_t position_ = ~uint32_t{0};  // of the last entry; before the first one
  std::vector<uint64_t> occurrences_;
};

}  // namespace crivello::index
