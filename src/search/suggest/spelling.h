// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "search/query/query.h"
#include "search/query/query_plan.h"

namespace crivello::search {

// Letters put in, left out, replaced, or exchanged with the next one, between two texts, in code points; no
// letter is changed twice (Damerau, 1964).  O(product of their lengths).
unsigned EditDistance(std::string_view a, std::string_view b);

struct SpellingContext {
  std::span<const SearchedSegment> segments;
  const CollectionStatistics& statistics;
  text::Analyser& analyser;
  Stopper& stopper;
  std::span<const std::string> languages = {};  // in which words are stemmed; all if there are none
};

// The words of a query that no page has as they were typed, each once.  Pages may have other forms of them.
std::vector<std::string> UnwrittenWords(const Query& query, const SpellingContext& context);

// A query with other words in place of those that no page has as they were typed, or that at most three
// documents or one of 20,000 have in any form; nothing if there is no such word, or no better one.
//
// Other words are those of the collection one edit away, or two from words of five letters and more of which
// the collection has no form, that are at least 20 times as frequent, or 100 times if the word is in some
// page; among them the one of the greatest
//   (0.1 · documents with it / all documents + 0.9 · documents with it beside its neighbour / documents with
//   the neighbour) · 100^-edits
// where the neighbour is the word before or after, whichever gives more.  Terms that are stems only, and no
// word of any page, are passed over.  Two edits are two of Levenshtein's: an exchange leaves no second one.
//
// Fields of whole words, patterns and the first kMaxRespelt doubtful words aside, no word is changed.  Costs,
// where a word is doubtful, some milliseconds: a walk along the dictionaries and a count of a few phrases.
constexpr size_t kMaxRespelt = 3;
Result<std::optional<Query>> Respelt(const Query& query, const SpellingContext& context);

}  // namespace crivello::search
