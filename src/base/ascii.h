// SPDX-License-Identifier: Apache-2.0
// ASCII letters, digits and white space, independent of the locale. Bytes from 0x80 on belong to no class.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace crivello {

constexpr bool IsAsciiUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsAsciiAlpha(char c) { return (c >= 'a' && c <= 'z') || IsAsciiUpper(c); }
constexpr bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsAsciiAlnum(char c) { return IsAsciiAlpha(c) || IsAsciiDigit(c); }
constexpr char AsciiLower(char c) { return IsAsciiUpper(c) ? static_cast<char>(c | 0x20) : c; }

// Whether all bytes are digits; true for empty text.
constexpr bool AllAsciiDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), IsAsciiDigit);
}

// The value of a hexadecimal digit, or -1.
constexpr int HexValue(char c) {
  if (IsAsciiDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// White space in HTML, XML and feeds: no vertical tab.
constexpr bool IsAsciiSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

constexpr std::string_view TrimAsciiSpace(std::string_view text) {
  while (!text.empty() && IsAsciiSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsAsciiSpace(text.back())) text.remove_suffix(1);
  return text;
}

inline std::string ToAsciiLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = AsciiLower(c);
  return lower;
}

// The text in double quotes, with a backslash before each quote and backslash.
inline std::string DoubleQuoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

constexpr bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return AsciiLower(x) == AsciiLower(y); });
}

constexpr bool StartsWithIgnoringCase(std::string_view text, std::string_view prefix) {
  return EqualsIgnoringCase(text.substr(0, prefix.size()), prefix);
}

}  // namespace crivello
