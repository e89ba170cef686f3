// SPDX-License-Identifier: Apache-2.0
// UTF-8: what is valid, code points in and out.  Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crivello::charset {

inline constexpr char32_t kReplacementCodePoint = 0xFFFD;
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

bool IsValidUtf8(std::string_view bytes);  // by SIMD, some 10 GB/s

// The sequence at `i`: valid, or a maximal subpart (the longest start of a valid one, at least a byte), which
// is replaced as one.  REQUIRES: i < bytes.size().
struct Utf8Sequence {
  size_t length;
  bool valid;
};
Utf8Sequence Utf8SequenceAt(std::string_view bytes, size_t i);

// The code point at `*i`, and moves behind it; U+FFFD for a maximal subpart.  REQUIRES: *i < bytes.size().
char32_t TakeCodePoint(std::string_view bytes, size_t* i);

// Writes a code point to `out`, which has room for four bytes; how many it took.
// REQUIRES: code_point <= 0x10FFFF.
size_t EncodeUtf8(char32_t code_point, char* out);
void AppendUtf8(char32_t code_point, std::string* out);

// The first `limit` bytes of a text without the beginning of a character that goes beyond them.
inline std::string_view CutUtf8(std::string_view text, size_t limit) {
  text = text.substr(0, limit);
  for (size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = static_cast<uint8_t>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    const size_t wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    if (wanted > back) text.remove_suffix(back);
    break;
  }
  return text;
}

}  // namespace crivello::charset
