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

// Turns the terms of one field of consecutive documents into a run: from documents with their terms to terms
// with their documents.
//
// Terms are numbered as they come, and a document is no more than the sequence of its numbers, 4 bytes a
// term.  At the end occurrences are ordered by term, in two passes over that sequence (counting sort), and
// terms by their bytes.  12 bytes an occurrence, and 80 a term and its bytes.  One thread at a time.
class Inverter {
 public:
  explicit Inverter(PostingContents contents) : contents_(contents) {}

  // Terms of the document under way; positions do not decrease.  A term that comes twice at a position
  // counts once.
  void Add(std::span<const text::Term> terms);
  // A term of the document, for fields that keep documents only.
  void AddKeyword(std::string_view term);
  // Ends the document.  All its positions are less than `length`.
  void EndDocument(uint32_t length);

  uint32_t documents() const { return static_cast<uint32_t>(lengths_.size()); }
  // Appends the run of all documents (posting_run.h) and forgets them.
  void WriteRun(std::vector<uint8_t>* out);

 private:
  // An entry is a number shifted by one, with a bit that says "at the next position"; else it is at that of
  // the entry before.  A jump is kJump and how far.
  static constexpr uint32_t kNextPosition = 1;
  static constexpr uint32_t kJump = ~uint32_t{0};

  void Append(uint32_t number, uint32_t position);
  std::vector<uint32_t> SortedTerms() const;
  // Of the occurrences of a term.
  struct Place {
    uint64_t next = 0;
    uint64_t last = ~uint64_t{0};  // the one that came last
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
