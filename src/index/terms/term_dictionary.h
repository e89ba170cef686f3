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

// A term of a dictionary: its place in the order of the terms, and where its posting list starts.
struct TermEntry {
  uint64_t rank = 0;
  uint64_t start = 0;

  friend bool operator==(const TermEntry&, const TermEntry&) = default;
};

class TermCursor;

// The terms of a field, sorted by bytes, and where the list of each starts.
//
// A term is looked up in a static function (succinct/term_map.h) that gives its rank, whatever the number of
// terms; the front-coded list then tells whether the term of that rank is this one, so the answer is exact,
// and 8 bits of signature spare that look to 255 of 256 terms that are not there.  Prefixes, ranges and
// patterns (term_match.h) are read off the list.
//
// Costs: Find 0.2 to 0.3 µs; a cursor some 10 ns a term.  Memory: about log2(n) + 8 bits a term of function,
// the list 45, the starts 10; all of it in the image, which must outlive it.  Immutable; any number of
// threads may read.  FromImage() checks lengths: with damaged bytes terms are wrong or not found, but nothing
// outside the image is read and every call ends.  Format: docs/formats/term-dictionary.md.
class TermDictionary {
 public:
  static constexpr FileKind kFileKind = {.name = "term-dictionary", .version = 1};

  static Result<TermDictionary> FromImage(Bytes image);

  uint64_t size() const { return list_.size(); }
  std::optional<TermEntry> Find(std::string_view term) const;
  // REQUIRES: rank < size().
  std::string TermAt(uint64_t rank) const { return std::string(list_.At(rank).text()); }
  uint64_t StartOf(uint64_t rank) const { return starts_.Access(rank); }

  // A cursor on the first term; on the first that is not less than a term; on that of a rank.
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

// A place among the terms.  One thread at a time; the dictionary must outlive it.
class TermCursor {
 public:
  bool valid() const { return cursor_.valid(); }
  // Good until the cursor moves; empty at the end.
  std::string_view term() const { return cursor_.text(); }
  // size() of the dictionary at the end.
  uint64_t rank() const { return cursor_.rank(); }
  // REQUIRES: valid(), as for all that follow.
  uint64_t start() const { return dictionary_->StartOf(rank()); }
  TermEntry entry() const { return {rank(), start()}; }
  void Next() { cursor_.Next(); }
  // To the first term after this one that does not begin with its first `bytes` bytes.
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

// Makes a dictionary in memory, some 40 bytes a term and its bytes.  One thread at a time.
class TermDictionaryBuilder {
 public:
  // `function` says with how many threads, and in which memory, the terms' static function is built.
  explicit TermDictionaryBuilder(const succinct::StaticFunctionOptions& function = {});
  // The next term and where its list starts.  InvalidArgument unless the term is greater, by bytes, than the
  // one before, and the start is not less.
  Status Add(std::string_view term, uint64_t start);
  uint64_t size() const { return list_.size(); }
  Result<ImageWriter> Build() const;

 private:
  succinct::TermMapBuilder map_;
  succinct::FrontCodedListBuilder list_;
  std::vector<uint64_t> starts_;
};

}  // namespace crivello::index
