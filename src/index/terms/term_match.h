// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "index/terms/term_dictionary.h"

namespace crivello::index {

// Finds the terms of a dictionary that begin with a prefix, match a pattern, or are a few edits from a word.
// All walk the sorted list with an automaton that keeps a state for each character of the current term.  So
// terms with a common beginning share the work, and if the beginning of a term cannot lead to a match, all
// terms that begin with it are skipped.

// When to stop.  A pattern that begins with * visits every term: some 60 ns each.
struct TermLimits {
  uint64_t visited = 10'000'000;
  uint64_t found = 10'000;
};

struct TermMatch {
  std::string term;
  TermEntry entry;
  unsigned distance = 0;  // for fuzzy matches: the number of edits

  friend bool operator==(const TermMatch&, const TermMatch&) = default;
};

struct TermMatches {
  std::vector<TermMatch> terms;  // in their order
  bool complete = true;          // false: a limit was reached
  uint64_t visited = 0;
};

TermMatches TermsWithPrefix(const TermDictionary& terms, std::string_view prefix,
                            const TermLimits& limits = {});

// * matches any characters, ? matches one, \ quotes the next character.  Characters are code points; invalid
// UTF-8 matches as U+FFFD.  InvalidArgument if the pattern has more than kMaxPattern characters.
constexpr size_t kMaxPattern = 63;
Result<TermMatches> TermsLike(const TermDictionary& terms, std::string_view pattern,
                              const TermLimits& limits = {});

// The terms at most `distance` edits away: code points inserted, deleted or replaced (Levenshtein, 1966).
// InvalidArgument unless the distance is at most 2 and the word has at most kMaxPattern code points.
Result<TermMatches> TermsNear(const TermDictionary& terms, std::string_view word, unsigned distance,
                              const TermLimits& limits = {});

}  // namespace crivello::index
