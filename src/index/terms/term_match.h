// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "index/terms/term_dictionary.h"

namespace crivello::index {

// The terms of a dictionary that are like something: begin with a prefix, match a pattern, are a few edits
// from a word.  All are read off the sorted list: an automaton walks it with a state for each character of
// the term at hand, so that terms with the same beginning share the work, and where the beginning of a term
// can lead to no match all terms that begin so are skipped.

// When to stop.  A pattern that begins with * looks at every term: some 60 ns each.
struct TermLimits {
  uint64_t visited = 10'000'000;
  uint64_t found = 10'000;
};

struct TermMatch {
  std::string term;
  TermEntry entry;
  unsigned distance = 0;  // of fuzzy ones: how many edits

  friend bool operator==(const TermMatch&, const TermMatch&) = default;
};

struct TermMatches {
  std::vector<TermMatch> terms;  // in their order
  bool complete = true;          // false: a limit was met
  uint64_t visited = 0;
};

TermMatches TermsWithPrefix(const TermDictionary& terms, std::string_view prefix,
                            const TermLimits& limits = {});

// * is any characters, ? is one, \ takes the character behind it as it is.  Characters are code points; bytes
// that are no UTF-8 match as U+FFFD.  InvalidArgument if the pattern has more than kMaxPattern of them.
constexpr size_t kMaxPattern = 63;
Result<TermMatches> TermsLike(const TermDictionary& terms, std::string_view pattern,
                              const TermLimits& limits = {});

// The terms at most `distance` edits away: code points put in, left out or replaced (Levenshtein, 1966).
// InvalidArgument unless the distance is at most 2 and the word has at most kMaxPattern code points.
Result<TermMatches> TermsNear(const TermDictionary& terms, std::string_view word, unsigned distance,
                              const TermLimits& limits = {});

}  // namespace crivello::index
