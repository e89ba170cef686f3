// SPDX-License-Identifier: Apache-2.0
#include "search/suggest/suggestions.h"

#include <algorithm>

#include "search/suggest/suggestion_sources.h"

namespace crivello::search {
namespace {

// A text in the form of keys, and where in it each word of the text begins.
struct Folded {
  std::string key;
  struct Word {
    size_t in_key = 0;
    size_t in_text = 0;
  };
  std::vector<Word> words;
};

Folded Fold(std::string_view typed, text::Analyser& analyser) {
  Folded folded;
  size_t end = 0;
  analyser.ForEachTerm(typed, {}, [&](const text::Term& term) {
    if (!IsSuggestedWord(term)) return;
    if (!folded.key.empty()) folded.key += ' ';
    folded.words.push_back({folded.key.size(), term.begin});
    folded.key += term.text;
    end = term.end;
  });
  // Behind a space the next word begins.
  if (!folded.key.empty() && end < typed.size()) folded.key += ' ';
  return folded;
}

}  // namespace

Result<Suggestions> Suggestions::Make(const index::Snapshot& snapshot,
                                      const std::set<std::string, std::less<>>& stop_words,
                                      const Budget& budget, std::stop_token stop) {
  CRV_ASSIGN(SuggestionSources sources, GatherSuggestions(snapshot, stop_words, budget, stop));
  CRV_ASSIGN(CompletionTrie titles,
             CompletionTrie::Build(std::move(sources.titles.texts), std::move(sources.titles.keys)));
  CRV_ASSIGN(CompletionTrie words,
             CompletionTrie::Build(std::move(sources.words.texts), std::move(sources.words.keys)));
  return Suggestions(std::move(titles), std::move(words));
}

std::vector<std::string> Suggestions::Find(std::string_view typed, size_t count,
                                           text::Analyser& analyser) const {
  const Folded folded = Fold(typed, analyser);
  std::vector<std::string> suggestions;
  if (folded.words.empty()) return suggestions;
  std::set<std::string> seen = {folded.key};
  const auto add = [&](std::string_view head, std::string_view completion) {
    std::string text = std::string(head) + std::string(completion);
    if (suggestions.size() < count && seen.insert(Fold(text, analyser).key).second) {
      suggestions.push_back(std::move(text));
    }
  };
  const auto words = words_.Find(folded.key, CompletionTrie::kMaxCount);
  const auto titles = titles_.Find(folded.key, CompletionTrie::kMaxCount);
  for (size_t i = 0; i < std::max(words.size(), titles.size()); i++) {
    if (i < words.size()) add("", words[i].text);
    if (i < titles.size()) add("", titles[i].text);
  }
  for (size_t last = std::min<size_t>(2, folded.words.size() - 1); last > 0; last--) {
    const Folded::Word& from = folded.words[folded.words.size() - last];
    for (const auto& completion : words_.Find(std::string_view(folded.key).substr(from.in_key), count)) {
      add(typed.substr(0, from.in_text), completion.text);
    }
  }
  return suggestions;
}

}  // namespace crivello::search
