// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/description.h"
#include "base/image.h"
#include "index/postings/posting_format.h"
#include "index/segments/score_table.h"
#include "succinct/compact_array.h"
#include "succinct/front_coded_list.h"

namespace crivello::index {

// Columns that every index of web pages has.  Times are in seconds since 1970.
namespace column {
inline constexpr std::string_view kKey = "key";              // UrlKey() of its URL
inline constexpr std::string_view kTime = "time";            // when it was fetched
inline constexpr std::string_view kFrom = "from";            // when this version became current
inline constexpr std::string_view kPublished = "published";  // as the page says; 0 if it does not
inline constexpr std::string_view kModified = "modified";    // as the server says; 0 if it does not
inline constexpr std::string_view kDigest = "digest";
inline constexpr std::string_view kSimHash = "simhash";
inline constexpr std::string_view kCluster =
    "cluster";  // UrlKey() of the page that represents its near-duplicates; or 0
inline constexpr std::string_view kTranslation = "translation";  // the same for a page and its translations
inline constexpr std::string_view kKind = "kind";                // of page: store::PageKind
// The time after which the page asks not to be shown; 0 if it does not.
inline constexpr std::string_view kUnavailableAfter = "unavailable-after";
inline constexpr std::string_view kFlags = "flags";
inline constexpr std::string_view kInlinks = "inlinks";
inline constexpr std::string_view kDepth = "depth";
inline constexpr std::string_view kLanguage = "language";  // strings
inline constexpr std::string_view kType = "type";
inline constexpr std::string_view kSite = "site";
}  // namespace column

// Bits of column::kFlags.
inline constexpr int64_t kNoArchive = 1;
inline constexpr int64_t kNearCopy = 2;

// Documents are found by URL through this 64-bit number: if two share it, URLs are compared.
int64_t UrlKey(std::string_view url);

// A column of numbers: the least one, and for each the difference to it, in as many bits as the greatest
// needs; no bits if all are the same.
class NumberColumn {
 public:
  uint64_t size() const { return size_; }
  // REQUIRES: doc < size(), here and below.
  int64_t operator[](DocId doc) const {
    return static_cast<int64_t>(static_cast<uint64_t>(least_) + (constant_ ? 0 : above_[doc]));
  }
  // Whether all values are the same; known without reading them.
  bool is_constant() const { return constant_; }

 private:
  friend class DocumentValues;
  static Result<NumberColumn> ReadFrom(ImageReader& reader, uint64_t size);
  uint64_t size_ = 0;
  int64_t least_ = 0;
  bool constant_ = true;
  succinct::CompactArray above_;
};

// A column of strings that repeat: each document has the index of a string in a sorted list.
class StringColumn {
 public:
  uint64_t size() const { return numbers_.size(); }
  // The number of strings, and each string by its number, in the order of their bytes.
  uint64_t strings() const { return strings_.size(); }
  std::string String(uint64_t number) const { return std::string(strings_.At(number).text()); }
  // The number of a string, if any document has it.
  std::optional<uint64_t> Find(std::string_view text) const;

  // Damaged bytes may give strings() or more.
  uint64_t NumberOf(DocId doc) const { return static_cast<uint64_t>(numbers_[doc]); }
  std::string operator[](DocId doc) const { return String(NumberOf(doc)); }

 private:
  friend class DocumentValues;
  succinct::FrontCodedList strings_;
  NumberColumn numbers_;
};

// A static score: a float per document, stored as one of 256 in a table (score_table.h; PageRanks over eight
// orders of magnitude differ from the table by at most 3.7%).
class ScoreColumn {
 public:
  uint64_t size() const { return codes_.size(); }
  float operator[](DocId doc) const { return table_[codes_[doc]]; }
  uint8_t CodeOf(DocId doc) const { return codes_[doc]; }
  std::span<const uint8_t> codes() const { return codes_; }
  // The scores by their codes; unused codes repeat the greatest.
  const ScoreTable& table() const { return table_; }

 private:
  friend class DocumentValues;
  ScoreTable table_ = {};
  std::span<const uint8_t> codes_;
};

// The values of each document besides its words: columns by name, each of numbers, of strings or of scores.
//
// Reading a value costs a cache miss, a string some 0.1 µs more.  A view of its image, which must outlive it;
// immutable; any number of threads may read.  FromImage() costs O(columns) and checks lengths: damaged bytes
// give wrong values, but nothing outside is read.  Format: docs/formats/document-values.md.
class DocumentValues {
 public:
  static constexpr FileKind kFileKind = {.name = "document-values", .version = 1};

  DocumentValues() = default;
  static Result<DocumentValues> FromImage(Bytes image);

  DocId documents() const { return documents_; }
  // nullptr if there is no such column.  All columns have documents() values.
  const NumberColumn* numbers(std::string_view name) const { return In(numbers_, name); }
  const StringColumn* strings(std::string_view name) const { return In(strings_, name); }
  const ScoreColumn* scores(std::string_view name) const { return In(scores_, name); }

  template <typename Column>
  using Columns = std::map<std::string, Column, std::less<>>;
  const Columns<NumberColumn>& all_numbers() const { return numbers_; }
  const Columns<StringColumn>& all_strings() const { return strings_; }
  const Columns<ScoreColumn>& all_scores() const { return scores_; }

  Description Describe() const;

 private:
  template <typename Column>
  static const Column* In(const Columns<Column>& columns, std::string_view name) {
    const auto found = columns.find(name);
    return found == columns.end() ? nullptr : &found->second;
  }

  DocId documents_ = 0;
  Columns<NumberColumn> numbers_;
  Columns<StringColumn> strings_;
  Columns<ScoreColumn> scores_;
  uint64_t image_bytes_ = 0;
};

}  // namespace crivello::index
