// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/description.h"
#include "base/image.h"
#include "succinct/elias_fano.h"
#include "succinct/front_coded_list.h"
#include "succinct/term_map.h"

namespace crivello::index {

// A term of a dictionary: its rank in the order of the terms, and where its posting list starts.
struct TermEntry {
  uint64_t rank = 0;
  uint64_t start = 0;

  friend bool operator==(const TermEntry&, const TermEntry&) = default;
};

class TermCursor;

// The terms of a field, sorted by bytes, and where each posting list starts.
//
// A static function (succinct/term_map.h) maps a term to its rank, in time independent of the number of
// terms. The front-coded list then tells whether the term of that rank is this one, so the answer is exact.
// 8 bits of signature save this check for 255 of 256 terms that are not in the dictionary.  Prefixes, ranges
// and patterns (term_match.h) are read from the list.
//
// Costs: Find() 0.2 to 0.3 µs; a cursor some 10 ns per term.  Memory per term: about log2(n) + 8 bits for the
// function, 45 for the list, 10 for the starts; all in the image, which must outlive it.  Immutable; any
// number of threads may read.  FromImage() checks lengths: with damaged bytes terms are wrong or not found,
// but nothing outside the image is read and every call ends.  Format: docs/formats/term-dictionary.md.
class TermDictionary {
 public:
  static constexpr FileKind kFileKind = {.name = "term-dictionary", .version = 1};

  static Result<TermDictionary> FromImage(Bytes image);

  uint64_t size() const { return list_.size(); }
  std::optional<TermEntry> Find(std::string_view term) const;
  // REQUIRES: rank < size().
  std::string TermAt(uint64_t rank) const { return std::string(list_.At(rank).text()); }
  uint64_t StartOf(uint64_t rank) const { return starts_.Access(rank); }

  // Cursors at the first term; at the first that is not less than a term; at the term of a rank.
  TermCursor Begin() const;
  TermCursor Seek(std::string_view term) const;
  TermCursor At(uint64_t rank) const;

  Description Describe() const;

 private:
  explicit TermDictionary(succinct::TermMap map) : map_(std::move(map)) {}

  succinct::TermMap map_;
  succinct::FrontCodedList list_;
  succinct::EliasFano starts_;
  uint64_t map_bytes_ = 0;
  uint64_t image_bytes_ = 0;
};

// A position among the terms.  One thread at a time; the dictionary must outlive it.
class TermCursor {
 public:
  bool valid() const { return cursor_.valid(); }
  // Valid until the cursor moves; empty at the end.
  std::string_view term() const { return cursor_.text(); }
  // At the end, the size() of the dictionary.
  uint64_t rank() const { return cursor_.rank(); }
  // REQUIRES: valid(), as for all that follow.
  uint64_t start() const { return dictionary_->StartOf(rank()); }
  TermEntry entry() const { return {rank(), start()}; }
  void Next() { cursor_.Next(); }
  // Moves to the next term that does not begin with the first `bytes` bytes of this one.
  // REQUIRES: bytes <= term().size().
  void SkipPrefix(size_t bytes) { cursor_.SkipPrefix(bytes); }

 private:
  friend class TermDictionary;
  TermCursor(const TermDictionary& dictionary, succinct::FrontCodedList::Cursor cursor)
      : dictionary_(&dictionary), cursor_(std::move(cursor)) {}

  const TermDictionary* dictionary_;
  succinct::FrontCodedList::Cursor cursor_;
};

inline TermCursor TermDictionary::Begin() const { return At(0); }
inline TermCursor TermDictionary::Seek(std::string_view term) const { return {*this, list_.Seek(term)}; }
inline TermCursor TermDictionary::At(uint64_t rank) const { return {*this, list_.At(rank)}; }

// Builds a dictionary in memory, using about 40 bytes per term plus its bytes.  One thread at a time.
class TermDictionaryBuilder {
 public:
  // `function` sets the number of threads and the memory for building the static function of the terms.
  explicit TermDictionaryBuilder(const succinct::StaticFunctionOptions& function = {});
  // Adds a term and where its list starts.  InvalidArgument unless the term is greater, by bytes, than the
  // previous one, and the start is not less.
  Status Add(std::string_view term, uint64_t start);
  uint64_t size() const { return list_.size(); }
  Result<ImageWriter> Build() const;

 private:
  succinct::TermMapBuilder map_;
  succinct::FrontCodedListBuilder list_;
  std::vector<uint64_t> starts_;
};

}  // namespace crivello::index
