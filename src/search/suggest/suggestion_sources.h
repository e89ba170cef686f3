// SPDX-License-Identifier: Apache-2.0
// What Suggestions are made of.  Included by its files and tests only.
#pragma once

#include "search/suggest/suggestions.h"

namespace crivello::search {

struct SuggestionSources {
  struct Source {
    std::vector<std::string> texts;
    std::vector<CompletionTrie::Key> keys;
  };
  Source titles;
  Source words;  // and pairs of them
};
Result<SuggestionSources> GatherSuggestions(const index::Snapshot& snapshot,
                                            const std::set<std::string, std::less<>>& stop_words,
                                            const Suggestions::Budget& budget, const std::stop_token& stop);

// Whether a term is part of keys.
inline bool IsSuggestedWord(const text::Term& term) {
  return term.kind == text::TermKind::kWord || term.kind == text::TermKind::kNumber;
}

}  // namespace crivello::search
