// SPDX-License-Identifier: Apache-2.0
#include "search/query/query_terms.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace crivello::search {
namespace {

using text::Term;
using text::TermKind;

// What the analyser finds at one position.
struct Found {
  std::vector<std::string> words;  // and numbers
  std::vector<std::string> parts;
  std::vector<std::string> stems;  // of words, by any language
  std::string name;
  uint32_t name_end = 0;
  uint32_t begin = ~uint32_t{0};  // of the word
};

void AddOnce(std::vector<std::string>* list, std::string_view text) {
  if (std::find(list->begin(), list->end(), text) == list->end()) list->emplace_back(text);
}

void Collect(std::string_view text, std::string_view language, bool stems, text::Analyser& analyser,
             std::map<uint32_t, Found>* found) {
  TermKind before = TermKind::kWord;
  analyser.ForEachTerm(text, {.position = 0, .language = language}, [&](const Term& term) {
    Found& here = (*found)[term.position];
    switch (term.kind) {
      case TermKind::kWord:
      case TermKind::kNumber:
        AddOnce(&here.words, term.text);
        here.begin = std::min(here.begin, term.begin);
        break;
      case TermKind::kCompound:
        if (term.end > here.name_end) {
          here.name = term.text;
          here.name_end = term.end;
        }
        break;
      case TermKind::kPart:
        AddOnce(&here.parts, term.text);
        break;
      case TermKind::kStem:
        if (stems && before != TermKind::kPart) AddOnce(&here.stems, term.text);
        // A single part is the word, and its stem the word's.
        if (stems && before == TermKind::kPart && here.parts.size() == 1) AddOnce(&here.stems, term.text);
        return;
    }
    before = term.kind;
  });
}

}  // namespace

QueryText WordsOf(std::string_view text, const WordForms& forms, text::Analyser& analyser) {
  std::map<uint32_t, Found> found;
  Collect(text, "", forms.stems, analyser, &found);
  if (forms.stems && analyser.description().stem == "auto") {
    for (const std::string& language : forms.languages) Collect(text, language, true, analyser, &found);
  }
  QueryText out;
  for (auto here = found.begin(); here != found.end(); ++here) {
    const auto& [position, at] = *here;
    const auto next = std::next(here);
    const bool one_word = next == found.end() || next->second.begin >= at.name_end;
    QueryWord word;
    word.position = position;
    if (!at.name.empty()) {
      (one_word ? word.forms : out.names.emplace_back(QueryWord{position, {}, {}}).forms).push_back(at.name);
    }
    if (word.forms.empty()) {
      word.forms = at.words;
      if (at.words.size() == 1) word.typed = at.words[0];
      if (at.parts.size() == 1) AddOnce(&word.forms, at.parts[0]);
      if (at.parts.size() > 1) word.parts = at.parts;
      for (const std::string& stem : at.stems) {
        if (!forms.IsStopWord(stem)) AddOnce(&word.forms, stem);
      }
    }
    if (word.forms.empty()) continue;
    std::sort(word.forms.begin(), word.forms.end());
    out.words.push_back(std::move(word));
  }
  return out;
}

std::vector<QueryWord> SpreadParts(const std::vector<QueryWord>& words) {
  std::vector<QueryWord> spread;
  for (const QueryWord& word : words) {
    for (const std::string& part : word.parts) spread.push_back({0, {}, {part}});
    if (word.parts.empty()) spread.push_back(word);
  }
  if (spread.size() == words.size()) return {};
  for (uint32_t i = 0; i < spread.size(); i++) spread[i].position = i;
  return spread;
}

std::string NormalisedPattern(std::string_view pattern, text::Analyser& analyser) {
  std::string out;
  size_t at = 0;
  while (at < pattern.size()) {
    const size_t wild = std::min(pattern.find_first_of("*?", at), pattern.size());
    const std::string_view piece = pattern.substr(at, wild - at);
    std::string normal;
    analyser.ForEachTerm(piece, {}, [&](const Term& term) {
      if (term.kind == TermKind::kWord || term.kind == TermKind::kNumber) normal += term.text;
    });
    out += normal;
    if (wild < pattern.size()) out += pattern[wild];
    at = wild + 1;
  }
  return out;
}

}  // namespace crivello::search
