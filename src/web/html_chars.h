// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace crivello::web {

// Characters as HTML sees them; all ASCII, no locale.
constexpr bool IsHtmlSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }
constexpr bool IsAsciiUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsAsciiAlpha(char c) { return (c >= 'a' && c <= 'z') || IsAsciiUpper(c); }
constexpr bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsAsciiAlnum(char c) { return IsAsciiAlpha(c) || IsAsciiDigit(c); }
constexpr char AsciiLower(char c) { return IsAsciiUpper(c) ? static_cast<char>(c | 0x20) : c; }

// Equal but for ASCII case.  `lower` is in lower case.
inline bool EqualsLower(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(),
                                                   [](char a, char b) { return AsciiLower(a) == b; });
}

inline std::string_view TrimHtmlSpace(std::string_view text) {
  while (!text.empty() && IsHtmlSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsHtmlSpace(text.back())) text.remove_suffix(1);
  return text;
}

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

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

}  // namespace crivello::web
