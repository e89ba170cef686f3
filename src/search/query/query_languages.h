// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/query/query.h"
#include "search/query/query_plan.h"

namespace crivello::search {

// A query is looked for by its stems in so many languages.
constexpr size_t kMaxQueryLanguages = 3;

// The languages that a query may be in, the likeliest first: those of the pages that have its words as they
// are written, then what the searcher reads, then the most frequent one of the collection, or all if these
// are few; at most kMaxQueryLanguages.  A word or two do not tell their language, but the pages that have
// them do: each word has a vote, which it divides among its pages, of the whole collection 50 at most.  So
// the answer does not depend on segments.  `likely` of them are told by the words.
//
// Costs a look at the dictionaries and some 50 seeks a word.
struct QueryLanguages {
  std::vector<std::string> languages;
  size_t likely = 0;
  std::string main;  // the language that has more than half of the votes; empty if none has
};
QueryLanguages LanguagesOf(const Query& query, std::span<const std::string> preferred,
                           std::span<const SearchedSegment> segments, const CollectionStatistics& statistics,
                           text::Analyser& analyser);

// "pt" of "pt-BR".
std::string_view PrimaryLanguage(std::string_view code);

}  // namespace crivello::search
