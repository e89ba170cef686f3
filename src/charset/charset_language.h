// SPDX-License-Identifier: Apache-2.0
// Judges how well bytes read as a language in a single-byte encoding.  For each language a table gives the
// cost in bits (times 16) of each letter after each letter; a text costs the sum over its pairs of
// neighbours, and the encoding under which some language reads the text at the lowest cost wins.  Pairs are
// counted first, by byte, so that the text is read once and all readings cost the same whatever its length.
//
// The tables are learnt (tools/make-charset-tables) from Debian's translations, not from any test's samples.
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
  // The alphabet is: whatever is no letter, a to z if the script is Latin, then these.
  std::u16string_view letters;
  const uint8_t* costs;  // a square of the alphabet: the row is the first letter
};
extern const std::array<LanguageModel, 44> kLanguages;

// The pairs of neighbouring bytes of a text.
struct BytePairs {
  struct Pair {
    uint8_t first;
    uint8_t second;
    uint32_t count;
  };
  std::vector<Pair> with_high;  // at least one of the two is no ASCII
  std::vector<Pair> ascii;      // both are letters, or one and a space
  uint64_t high_bytes = 0;
  uint64_t lone_high_bytes = 0;  // those without another beside them
};
// Reads the text once.  Markup, if it is to be skipped, counts as a space.
BytePairs CountBytePairs(std::string_view bytes, bool skip_markup);

struct Reading {
  Encoding encoding = Encoding::kWindows1252;
  std::string_view language;
  double bits = 0;           // the cost of all pairs with a high byte, and the prior
  double bits_per_pair = 0;  // of those pairs alone
  double margin = 0;         // to the best reading that differs in text, in bits
};
// The best reading of the pairs.  `language_hint` is a tag such as "hu" or "pt-BR", or "".
Reading BestSingleByteReading(const BytePairs& pairs, std::string_view language_hint);

}  // namespace crivello::charset::internal
