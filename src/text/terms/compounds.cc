// SPDX-License-Identifier: Apache-2.0
#include "text/terms/compounds.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "base/ascii.h"

namespace crivello::text {
namespace {

char At(std::string_view text, size_t i) { return i < text.size() ? text[i] : '\0'; }

bool IsHigh(char c) { return static_cast<uint8_t>(c) >= 0x80; }

bool IsLocal(char c) { return IsAsciiAlnum(c) || c == '.' || c == '_' || c == '%' || c == '+' || c == '-'; }

std::optional<Span> EmailAt(std::string_view text, Span word) {
  constexpr size_t kMaxLocal = 64;
  size_t at = word.end;
  while (at - word.begin <= kMaxLocal && at < text.size() && IsLocal(text[at])) ++at;
  if (at - word.begin > kMaxLocal || At(text, at) != '@' || text[at - 1] == '.') return {};
  // Labels of letters, digits and hyphens; the last one has only letters.
  size_t end = 0;
  for (size_t i = at + 1; i - word.begin < kMaxCompoundBytes;) {
    const size_t label = i;
    bool letters = true;
    while (i < text.size() && (IsAsciiAlnum(text[i]) || text[i] == '-') && i - label < 64) {
      letters &= IsAsciiAlpha(text[i]);
      ++i;
    }
    if (i == label) break;
    if (label > at + 1 && letters && i - label >= 2) end = i;
    if (At(text, i) != '.') break;
    ++i;
  }
  if (end == 0 || end - word.begin > kMaxCompoundBytes) return {};
  return Span{word.begin, end};
}

bool InUrl(char c) {
  return c > ' ' && c < '\x7F' && c != '<' && c != '>' && c != '"' && c != '`' && c != '{' && c != '}' &&
         c != '|' && c != '\\' && c != '^';
}

std::optional<Span> UrlAt(std::string_view text, Span word) {
  const bool scheme = text.substr(word.end, 3) == "://" && word.end - word.begin <= 16;
  if (!scheme && !StartsWithIgnoringCase(text.substr(word.begin, word.end - word.begin), "www.")) return {};
  size_t end = scheme ? word.end + 3 : word.end;
  const size_t rest = end;
  bool opened = false;
  while (end < text.size() && InUrl(text[end]) && end - word.begin <= kMaxCompoundBytes) {
    opened |= text[end] == '(';
    ++end;
  }
  if (end - word.begin > kMaxCompoundBytes) return {};
  while (end > rest) {
    const char last = text[end - 1];
    const bool closes = last == ')' && !opened;
    if (!closes && std::string_view(".,;:!?'\"]*").find(last) == std::string_view::npos) break;
    --end;
  }
  if (end == rest) return {};
  return Span{word.begin, end};
}

std::optional<Span> CodeNameAt(std::string_view text, Span word) {
  if (word.end - word.begin >= kMaxCompoundBytes - 2) return {};
  const char next = At(text, word.end);
  const char second = At(text, word.end + 1);
  const auto is_letter = [](char c) { return IsAsciiAlpha(c) || c == '_' || IsHigh(c); };
  if (next == '+' && second == '+' && At(text, word.end + 2) != '+' && !is_letter(At(text, word.end + 2))) {
    return Span{word.begin, word.end + 2};
  }
  if (next == '#' && second != '#' && !is_letter(second) && !IsAsciiDigit(second)) {
    return Span{word.begin, word.end + 1};
  }
  if (word.begin > 0 && text[word.begin - 1] == '.' && is_letter(text[word.begin])) {
    const char before = word.begin > 1 ? text[word.begin - 2] : ' ';
    if (IsAsciiSpace(before) || before == '(' || before == '[' || before == '"' || before == '\'' ||
        before == '`') {
      return Span{word.begin - 1, word.end};
    }
  }
  return {};
}

// Whether HyphenatedAt treats the byte as part of a word: no Latin-1 or general punctuation.
bool InHyphenated(char c) {
  const auto byte = static_cast<uint8_t>(c);
  return IsAsciiAlnum(c) || (byte >= 0x80 && byte < 0xC0) || (byte >= 0xC3 && byte <= 0xE1);
}

}  // namespace

std::optional<Span> CompoundAt(std::string_view text, Span word) {
  if (auto url = UrlAt(text, word)) return url;
  const char next = At(text, word.end);
  if (next == '@' || next == '+' || next == '-' || next == '.' || next == '%') {
    if (auto email = EmailAt(text, word)) return email;
  }
  return CodeNameAt(text, word);
}

std::optional<Span> HyphenatedAt(std::string_view text, Span word) {
  constexpr size_t kMaxBytes = 64;
  constexpr int kMaxWords = 4;
  if (At(text, word.end) != '-' || (word.begin > 0 && text[word.begin - 1] == '-')) return {};
  if (!IsAsciiAlpha(text[word.begin]) && !IsHigh(text[word.begin])) return {};
  size_t end = word.end;
  int words = 1;
  while (At(text, end) == '-' && InHyphenated(At(text, end + 1))) {
    if (++words > kMaxWords) return {};
    ++end;
    while (end < text.size() && InHyphenated(text[end])) {
      if (++end - word.begin > kMaxBytes) return {};
    }
  }
  if (words < 2 || At(text, end) == '-') return {};
  return Span{word.begin, end};
}

void WordParts::Add(std::string_view word, Span span) {
  if (count_ == spans_.size() || span.end == span.begin) return;
  const auto first = static_cast<uint8_t>(word[span.begin]);
  const size_t character = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (span.end - span.begin <= character) return;
  spans_[count_++] = span;
}

WordParts::WordParts(std::string_view word) {
  word = word.substr(0, kMaxCompoundBytes);
  enum Case { kNone, kLower, kUpper, kDigit };
  const auto* bytes = reinterpret_cast<const uint8_t*>(word.data());
  size_t begin = 0;     // where the part begins
  size_t previous = 0;  // start of the previous character
  Case before = kNone;
  Case two_before = kNone;
  size_t apostrophe = std::string_view::npos;  // the apostrophe that begins the part
  for (size_t i = 0; i < word.size();) {
    const size_t at = i;
    UChar32 c;
    U8_NEXT(bytes, i, word.size(), c);
    Case now = kNone;
    if (c >= 0 && c < 0x80) {
      const char ascii = static_cast<char>(c);
      now = IsAsciiUpper(ascii)   ? kUpper
            : IsAsciiAlpha(ascii) ? kLower
            : IsAsciiDigit(ascii) ? kDigit
                                  : kNone;
    } else if (c >= 0) {
      now = u_isupper(c) != 0 ? kUpper : kLower;
    }
    const bool quote = c == '\'' || c == 0x2019;
    const bool dot = c == '.' && !(before == kDigit && IsAsciiDigit(At(word, i)));
    if (c == '_' || dot || quote) {
      Add(word, {begin, at});
      begin = i;
      now = kNone;
      if (quote) apostrophe = at;
    } else if (now == kUpper && before == kLower) {
      Add(word, {begin, at});
      begin = at;
    } else if (now == kLower && before == kUpper && two_before == kUpper) {
      Add(word, {begin, previous});
      begin = previous;
    }
    two_before = before;
    before = now;
    previous = at;
  }
  const std::string_view tail = word.substr(begin);
  if (apostrophe != std::string_view::npos && apostrophe < begin) {
    for (const std::string_view suffix : {"t", "s", "ll", "re", "ve", "d", "m"}) {
      if (!EqualsIgnoringCase(tail, suffix)) continue;
      if (suffix == "t") count_ = 0;
      return;
    }
  }
  if (begin > 0) Add(word, {begin, word.size()});
}

}  // namespace crivello::text
