// SPDX-License-Identifier: Apache-2.0
// Percent-encoding as the WHATWG URL standard defines it: which bytes must be escaped in each part of a URL.
// Text is UTF-8, so every byte from 0x80 on is encoded. Invalid UTF-8 is encoded byte by byte (a browser
// would first replace it by U+FFFD, and lose what the server meant). All functions are pure and linear in the
// text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace crivello::web {

// The percent-encode sets; each is one bit of kPercentSets.
enum class PercentSet : uint8_t {
  kC0Control = 1,
  kFragment = 2,
  kQuery = 4,
  kSpecialQuery = 8,
  kPath = 16,
  kUserinfo = 32,
};

namespace internal {
constexpr std::array<uint8_t, 256> MakePercentSets() {
  std::array<uint8_t, 256> sets{};
  const auto add = [&sets](std::string_view bytes, unsigned mask) {
    for (const char c : bytes) sets[static_cast<uint8_t>(c)] |= static_cast<uint8_t>(mask);
  };
  for (unsigned c = 0; c < 256; c++) {
    if (c < 0x20 || c > 0x7e) sets[c] = 63;
  }
  constexpr unsigned kFragment = 2, kQuery = 4, kSpecialQuery = 8, kPath = 16, kUserinfo = 32;
  add(" \"<>`", kFragment);
  add(" \"#<>", kQuery | kSpecialQuery | kPath | kUserinfo);
  add("'", kSpecialQuery);
  add("?^`{}", kPath | kUserinfo);
  add("/:;=@[\\]|", kUserinfo);
  return sets;
}
}  // namespace internal

// For each byte, the sets that contain it.
inline constexpr std::array<uint8_t, 256> kPercentSets = internal::MakePercentSets();

constexpr bool InPercentSet(char c, PercentSet set) {
  return (kPercentSets[static_cast<uint8_t>(c)] & static_cast<uint8_t>(set)) != 0;
}

// The byte encoded by the escape "%XX" at text[at], or -1 if there is no complete escape there.
inline int EscapeAt(std::string_view text, size_t at) {
  if (at + 2 >= text.size() || text[at] != '%') return -1;
  const int high = HexValue(text[at + 1]), low = HexValue(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

// Whether RFC 3986 allows a byte unescaped everywhere: letters, digits, "-._~".
constexpr bool IsUnreserved(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

// Appends "%XX", in upper case.
void AppendEscape(uint8_t byte, std::string* out);

// Appends the text with the bytes in `set` escaped.
void AppendPercentEncoded(std::string_view text, PercentSet set, std::string* out);

// Appends the text with its complete escapes decoded; a stray '%' stays.
void AppendPercentDecoded(std::string_view text, std::string* out);

// Appends the text in the normal form of RFC 3986 §6.2.2: escapes of unreserved bytes decoded, the others in
// upper case. Idempotent: an escape is left alone where decoding it would complete a stray '%' before it
// ("%%32%45" would become "%2E").
void AppendPercentNormalized(std::string_view text, std::string* out);

}  // namespace crivello::web
