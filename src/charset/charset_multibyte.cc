// SPDX-License-Identifier: Apache-2.0
#include "charset/charset_multibyte.h"

namespace crivello::charset::internal {
namespace {

bool In(uint8_t byte, uint8_t low, uint8_t high) { return byte >= low && byte <= high; }

// The character at the start of `s` (1 to 4 bytes, the first not ASCII): its length, 0 if it is invalid, and
// whether it belongs to a common zone.
struct Character {
  size_t length = 0;
  bool common = false;
  bool single = false;  // one byte: not evidence of the encoding
};

// Zones: kana and punctuation, and the first level of kanji.
Character ShiftJis(const uint8_t* s, size_t n) {
  if (In(s[0], 0xa1, 0xdf)) return {1, false, true};
  if (!In(s[0], 0x81, 0x9f) && !In(s[0], 0xe0, 0xfc)) return {};
  if (n < 2 || (!In(s[1], 0x40, 0x7e) && !In(s[1], 0x80, 0xfc))) return {};
  return {2, In(s[0], 0x81, 0x83) || In(s[0], 0x88, 0x97)};
}

Character EucJp(const uint8_t* s, size_t n) {
  if (s[0] == 0x8e) return n >= 2 && In(s[1], 0xa1, 0xdf) ? Character{2, false} : Character{};
  if (s[0] == 0x8f)
    return n >= 3 && In(s[1], 0xa1, 0xfe) && In(s[2], 0xa1, 0xfe) ? Character{3, false} : Character{};
  if (n < 2 || !In(s[0], 0xa1, 0xfe) || !In(s[1], 0xa1, 0xfe)) return {};
  return {2, s[0] == 0xa1 || s[0] == 0xa4 || s[0] == 0xa5 || In(s[0], 0xb0, 0xcf)};
}

// Zone: the hangul of KS X 1001.
Character EucKr(const uint8_t* s, size_t n) {
  if (n < 2 || !In(s[0], 0x81, 0xfe)) return {};
  if (!In(s[1], 0x41, 0x5a) && !In(s[1], 0x61, 0x7a) && !In(s[1], 0x81, 0xfe)) return {};
  return {2, s[1] >= 0xa1 && (s[0] == 0xa1 || In(s[0], 0xb0, 0xc8))};
}

// Zone: the first level of GB 2312.
Character Gbk(const uint8_t* s, size_t n) {
  if (n < 2 || !In(s[0], 0x81, 0xfe)) return {};
  if (In(s[1], 0x30, 0x39)) {
    return n >= 4 && In(s[2], 0x81, 0xfe) && In(s[3], 0x30, 0x39) ? Character{4, false} : Character{};
  }
  if (!In(s[1], 0x40, 0x7e) && !In(s[1], 0x80, 0xfe)) return {};
  return {2, s[1] >= 0xa1 && (s[0] == 0xa1 || s[0] == 0xa3 || In(s[0], 0xb0, 0xd7))};
}

// Zone: the frequently used characters.
Character Big5(const uint8_t* s, size_t n) {
  if (n < 2 || !In(s[0], 0x81, 0xfe)) return {};
  if (!In(s[1], 0x40, 0x7e) && !In(s[1], 0xa1, 0xfe)) return {};
  return {2, s[0] == 0xa1 || In(s[0], 0xa4, 0xc6)};
}

template <typename Read>
MultiByteCount Count(Encoding encoding, std::string_view bytes, Read read) {
  MultiByteCount count;
  count.encoding = encoding;
  const auto* s = reinterpret_cast<const uint8_t*>(bytes.data());
  for (size_t i = 0; i < bytes.size();) {
    if (s[i] < 0x80) {
      i++;
      continue;
    }
    const Character character = read(s + i, bytes.size() - i);
    if (character.length == 0) {
      // A sequence cut by the end of the sample is not an error.
      if (bytes.size() - i >= 4) count.errors++;
      i++;
      continue;
    }
    if (!character.single) count.characters++;
    if (character.common) count.common++;
    i += character.length;
  }
  return count;
}

}  // namespace

std::array<MultiByteCount, 5> CountMultiByte(std::string_view bytes) {
  return {Count(Encoding::kShiftJis, bytes, ShiftJis), Count(Encoding::kEucJp, bytes, EucJp),
          Count(Encoding::kEucKr, bytes, EucKr), Count(Encoding::kGbk, bytes, Gbk),
          Count(Encoding::kBig5, bytes, Big5)};
}

}  // namespace crivello::charset::internal
