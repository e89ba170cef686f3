// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unicode/uchar.h>

#include <array>

namespace crivello::dedup {

// The role of a byte of text in a word: 0 ends the word, '0' is any digit, a letter is an ASCII letter in
// lower case; kLongCharacter is a byte of a character beyond ASCII.
inline constexpr char kLongCharacter = 1;
inline constexpr std::array<char, 256> kWordBytes = [] {
  std::array<char, 256> bytes = {};
  for (size_t c = '0'; c <= '9'; c++) bytes[c] = '0';
  for (size_t c = 'a'; c <= 'z'; c++) bytes[c] = bytes[c - 'a' + 'A'] = static_cast<char>(c);
  for (size_t c = 0x80; c < 256; c++) bytes[c] = kLongCharacter;
  return bytes;
}();

// Scripts without spaces: Thai to Myanmar, Khmer, the Han and Kana blocks, and the planes of ideographs.
constexpr bool StandsAlone(UChar32 c) {
  return (c >= 0x0e00 && c < 0x0f00) || (c >= 0x1000 && c < 0x10a0) || (c >= 0x1780 && c < 0x1800) ||
         (c >= 0x2e80 && c < 0xa000) || (c >= 0xf900 && c < 0xfb00) || (c >= 0x20000 && c < 0x40000);
}

inline bool IsMark(UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

}  // namespace crivello::dedup
