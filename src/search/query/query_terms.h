// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/terms/analyser.h"

namespace crivello::search {

// A word of a query as the terms that find it.
struct QueryWord {
  uint32_t position = 0;
  std::string typed;               // as it stands there; empty if it was several things
  std::vector<std::string> forms;  // sorted, distinct, at least one
  // Of a word like db_handle, two or more, in order: others write them as words of their own.
  std::vector<std::string> parts = {};
  friend bool operator==(const QueryWord&, const QueryWord&) = default;
};

using StopTerms = std::set<std::string, std::less<>>;

// In which forms a word is looked for: as written; and with `languages`, by its stems in each of them.
struct WordForms {
  bool stems = false;
  std::span<const std::string> languages = {};
  // A stem that is one of these is not looked for, if the word is not: French has "be" for bees.
  std::array<const StopTerms*, 2> stop_words = {};

  bool IsStopWord(std::string_view term) const {
    return std::any_of(stop_words.begin(), stop_words.end(),
                       [&](const StopTerms* terms) { return terms != nullptr && terms->contains(term); });
  }
};

// The words of a text, by the analyser of an index; and the names that are kept whole beside their words: an
// address, email of e-mail.  A name of one word (C++) stands for it.
//
// An index has each word as written and its stem in the language of the page.  What language a query is in
// cannot be told from a word or two, so a word is looked for as written and by its stem in every language
// that the collection has: it finds its pages whatever either was taken for.  Terms that are parts of a word
// (camel, case of camelCase) would find too much; but a single one (albero of l'albero) is what is meant.
struct QueryText {
  std::vector<QueryWord> words;
  std::vector<QueryWord> names;
};
QueryText WordsOf(std::string_view text, const WordForms& forms, text::Analyser& analyser);

// The same words with the parts of each in its place: db handle html of db_handle.html, which is how URLs are
// indexed.  Empty if none of them has parts.
std::vector<QueryWord> SpreadParts(const std::vector<QueryWord>& words);

// A pattern with * and ? written as terms are: in lower case, without accents, as the analyser says.
std::string NormalisedPattern(std::string_view pattern, text::Analyser& analyser);

}  // namespace crivello::search
