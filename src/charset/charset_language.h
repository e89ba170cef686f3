// SPDX-License-Identifier: Apache-2.0
// Measures how well bytes read as a language in a single-byte encoding. For each language a table has the
// cost in bits (times 16) of each letter after each letter. The cost of a text is the sum over its pairs of
// neighbours, and the encoding with the cheapest reading in some language wins. Pairs of bytes are counted
// first, so that the text is read once and all readings cost the same regardless of its length.
//
// The tables are learnt (tools/make-charset-tables) from Debian's translations, not from test samples.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "charset/encoding.h"

namespace crivello::charset::internal {

enum class Script : uint8_t { kLatin, kCyrillic, kOther };

struct LanguageModel {
  std::string_view name;
  Script script;
  // The alphabet: all non-letters as one symbol, a to z if the script is Latin, then these.
  std::u16string_view letters;
  const uint8_t* costs;  // a matrix over the alphabet: the row is the first letter
};
extern const std::array<LanguageModel, 44> kLanguages;

// The pairs of adjacent bytes of a text.
struct BytePairs {
  struct Pair {
    uint8_t first;
    uint8_t second;
    uint32_t count;
  };
  std::vector<Pair> with_high;  // at least one of the two is not ASCII
  std::vector<Pair> ascii;      // both are letters, or one and a space
  uint64_t high_bytes = 0;
  uint64_t lone_high_bytes = 0;  // those without another high byte beside them
};
// Reads the text once. If markup is to be skipped, it counts as a space.
BytePairs CountBytePairs(std::string_view bytes, bool skip_markup);

struct Reading {
  Encoding encoding = Encoding::kWindows1252;
  std::string_view language;
  double bits = 0;           // the cost of all pairs with a high byte, plus the prior
  double bits_per_pair = 0;  // of those pairs alone
  double margin = 0;         // distance in bits to the best reading that gives a different text
};
// The best reading of the pairs. `language_hint` is a tag like "hu" or "pt-BR", or "".
Reading BestSingleByteReading(const BytePairs& pairs, std::string_view language_hint);

}  // namespace crivello::charset::internal
