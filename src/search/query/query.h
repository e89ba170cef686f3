// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::search {

// What was asked, as a tree.  Leaves are text as it was typed: how words become terms is the index's matter
// (query_plan.h), so that a query means the same to all segments, formats and machines.  A value type.
//
// The language (docs/query-language.md has it for people):
//
//   romeo giulietta          pages with some of the words, those that fit best first
//   +a b -c                  a must be there, c must not, b adds to the score
//   a AND b, a OR b, NOT a   AND binds tighter; words side by side are as with OR
//   "a b"                    a phrase; "a b"~5 unordered, "a b"~>5 ordered, with up to 5 other words between
//   ab* a?b*c word~ word~2   prefix, wildcards, one or two edits away
//   title:a title:(a b)      in a field; site: lang: type: links: date: only filter, and must hold unless
//                            they stand beside an OR
//   a^2.5                    counts as much more
//   \                        takes the next character as it is
struct Query {
  enum class Kind : uint8_t {
    kNothing,   // no document
    kAll,       // every document
    kText,      // plain text: its words, each optional; no syntax can make it, see PlainText()
    kWord,      // one typed word; if the analyser finds more in it, their phrase
    kWildcard,  // * any characters, ? one
    kFuzzy,     // up to `edits` away
    kPhrase,    // words in a window that has `slop` more positions than words
    kDate,      // dated from `from` on, before `until`
    kBoolean,
  };
  enum class Occur : uint8_t { kOptional, kRequired, kExcluded };

  Kind kind = Kind::kNothing;
  Occur occur = Occur::kOptional;  // in the parent
  bool ordered = true;             // kPhrase
  uint8_t edits = 0;               // kFuzzy
  uint32_t slop = 0;               // kPhrase
  float boost = 1;
  std::string field;  // empty: the default ones
  std::string text;   // UTF-8
  int64_t from = 0;   // kDate: seconds since 1970
  int64_t until = 0;
  // kBoolean: documents with all required and no excluded children, and with an optional one if there are any
  // and none but filters is required.
  std::vector<Query> children;

  // Canonical: parsing it gives an equal tree.  (Except kText, which prints as the text.)
  std::string ToString() const;
  friend bool operator==(const Query&, const Query&) = default;
};

// More words, deeper parentheses or more bytes than anyone types are not taken: so a query costs a bounded
// time and memory, whatever it is.
constexpr size_t kMaxQueryBytes = 1 << 16;
constexpr size_t kMaxQueryLeaves = 1024;
constexpr size_t kMaxQueryDepth = 50;

struct ParsedQuery {
  Query query;
  bool truncated = false;  // the text was beyond the limits: what is above them was left out
  // For people: filters that could not be read and were searched as words.  The first few.
  std::vector<std::string> notes = {};
};

// Any text is a query: what cannot be syntax counts as words, and bytes that are no UTF-8 as U+FFFD.
// Linear.
ParsedQuery ParseQuery(std::string_view text);
// For programs: InvalidArgument names the column (in bytes, from 1) of what is wrong.
Result<Query> ParseQueryStrictly(std::string_view text);
// Words and no syntax.
Query PlainText(std::string_view text);

// The fields that can be asked for, and what they are in the index: "inurl" is "url".  Empty if there is none
// of the name.
std::string_view CanonicalField(std::string_view name);
// Fields of whole words that only filter: a match adds nothing to a score.
bool IsFilterField(std::string_view field);
// Whether it has nothing but such fields.
bool IsFilter(const Query& query);

}  // namespace crivello::search
