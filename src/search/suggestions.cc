// SPDX-License-Identifier: Apache-2.0
#include "search/suggestions.h"

#include <algorithm>
#include <map>

#include "index/term_match.h"

namespace crivello::search {

std::vector<std::string> CompleteLastWord(std::string_view typed, size_t count,
                                          std::span<const SearchedSegment> segments,
                                          text::Analyser& analyser) {
  const size_t space = typed.find_last_of(" \t\n");
  const size_t last = space == std::string_view::npos ? 0 : space + 1;
  const std::string prefix = NormalisedPattern(typed.substr(last), analyser);
  if (prefix.empty()) return {};
  std::map<std::string, uint64_t> frequencies;
  for (const SearchedSegment& searched : segments) {
    for (const std::string_view field : {"title", "body"}) {
      const index::FieldView* view = searched.segment->field(field);
      if (view == nullptr) continue;
      for (const index::TermMatch& match : index::TermsWithPrefix(view->terms, prefix).terms) {
        if (const auto list = view->Open(match.entry); list.ok())
          frequencies[match.term] += list->frequency();
      }
    }
  }
  std::vector<std::pair<uint64_t, std::string>> best;
  for (const auto& [term, frequency] : frequencies) best.emplace_back(frequency, term);
  std::stable_sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> suggestions;
  for (const auto& [frequency, term] : best) {
    if (suggestions.size() < count) suggestions.push_back(std::string(typed.substr(0, last)) + term);
  }
  return suggestions;
}

}  // namespace crivello::search
