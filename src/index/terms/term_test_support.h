// SPDX-License-Identifier: Apache-2.0
// Terms for testing dictionaries.  Included by _test.cc, _bench.cc and _fuzz.cc files only.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "index/terms/term_dictionary.h"

namespace crivello::index {

// Made of syllables, so that words share prefixes as real ones do; some have bytes above 127.
inline std::string SomeWord(Random& random, uint64_t max_syllables = 6) {
  static constexpr const char* kSyllables[] = {"a",  "be", "con", "di",  "es",      "in",
                                               "ma", "ra", "s",   "tro", "\xc3\xa8"};
  std::string word;
  for (uint64_t left = 1 + random.Below(max_syllables); left > 0; left--)
    word += kSyllables[random.Below(std::size(kSyllables))];
  return word;
}

// Sorted and distinct.
inline std::vector<std::string> SomeWords(Random& random, size_t count) {
  std::set<std::string> words;
  for (uint64_t tries = 0; words.size() < count; tries++) words.insert(SomeWord(random, 3 + tries / count));
  return {words.begin(), words.end()};
}

// The list of the i-th term starts at 3 i.
inline std::vector<uint64_t> DictionaryImage(const std::vector<std::string>& terms) {
  TermDictionaryBuilder builder;
  for (const std::string& term : terms) {
    if (!builder.Add(term, 3 * builder.size()).ok()) return {};
  }
  auto image = builder.Build();
  return image.ok() ? std::move(image).value().Release() : std::vector<uint64_t>();
}

}  // namespace crivello::index
