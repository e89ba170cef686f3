// SPDX-License-Identifier: Apache-2.0
// The grammar that HTTP's fields share (RFC 9110, section 5.6), parsed tolerantly; for http_*.cc only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace crivello::web::internal {

inline bool IsHttpSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

inline std::string_view TrimHttpSpace(std::string_view text) {
  while (!text.empty() && IsHttpSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsHttpSpace(text.back())) text.remove_suffix(1);
  return text;
}

// Digits only, at least one; the maximum value on overflow.
inline std::optional<uint64_t> ParseDigits(std::string_view text) {
  if (text.empty()) return std::nullopt;
  uint64_t value = 0;
  for (const char c : text) {
    if (!IsAsciiDigit(c)) return std::nullopt;
    const auto digit = static_cast<uint64_t>(c - '0');
    value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
  }
  return value;
}

// Reads a value from left to right, never past its end. Each call advances or reports that it did not.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }
  char Peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  void SkipSpace() {
    while (!rest_.empty() && IsHttpSpace(rest_.front())) rest_.remove_prefix(1);
  }
  bool Take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Takes the text up to one of `ends`, or to the end.
  std::string_view TakeUntil(std::string_view ends) {
    const std::string_view taken = rest_.substr(0, rest_.find_first_of(ends));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  // Takes a quoted string, starting at its opening quote, and undoes its escapes. An unterminated string
  // extends to the end.
  std::string TakeQuoted() {
    std::string text;
    Take('"');
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      text.push_back(rest_.front());
      rest_.remove_prefix(1);
    }
    Take('"');
    return text;
  }
  // Takes a quoted string, or the trimmed text before one of `ends`.
  std::string TakeValue(std::string_view ends) {
    SkipSpace();
    if (Peek() == '"') {
      std::string text = TakeQuoted();
      TakeUntil(ends);
      return text;
    }
    return std::string(TrimHttpSpace(TakeUntil(ends)));
  }

 private:
  std::string_view rest_;
};

}  // namespace crivello::web::internal
