// SPDX-License-Identifier: Apache-2.0
#include "search/beginnings.h"

#include "base/ascii.h"

namespace crivello::search {
namespace {

// Parts of a word begin where the kind of its bytes changes, and at each that is neither a small letter nor a
// digit.
enum Kind : uint8_t { kOther, kLower, kDigit, kSpace, kHigh };

struct Byte {
  Kind kind = kOther;
  uint8_t letter = 0;  // in lower case, and i for y
};

constexpr std::array<Byte, 256> kBytes = [] {
  std::array<Byte, 256> bytes = {};
  for (size_t c = 0; c < bytes.size(); c++) {
    const char byte = static_cast<char>(c);
    const char lower = AsciiLower(byte);
    bytes[c].letter = static_cast<uint8_t>(lower == 'y' ? 'i' : lower) & 127;
    if (IsAsciiAlpha(byte) && !IsAsciiUpper(byte)) bytes[c].kind = kLower;
    if (IsAsciiDigit(byte)) bytes[c].kind = kDigit;
    if (IsAsciiSpace(byte)) bytes[c].kind = kSpace;
    if (c >= 0x80) bytes[c].kind = kHigh;
  }
  return bytes;
}();

const Byte& Of(char c) { return kBytes[static_cast<uint8_t>(c)]; }

}  // namespace

Beginnings::Beginnings(std::span<const std::string> terms, bool keeps_beginnings) : all_(!keeps_beginnings) {
  for (const std::string& term : terms) {
    if (term.empty()) continue;
    const size_t first = Of(term[0]).letter;
    firsts_.set(first);
    // One of a letter is the stem of more than that letter; and what is no ASCII may have been some.
    const bool is_short = term.size() == 1 || Of(term[0]).kind == kHigh || Of(term[1]).kind == kHigh;
    for (size_t second = 0; is_short && second < 128; second++) pairs_.set(first * 128 + second);
    if (!is_short) pairs_.set(first * 128 + Of(term[1]).letter);
  }
}

Beginnings::Run Beginnings::Next(std::string_view text, size_t at) const {
  Run run = {at, all_};
  Kind before = kOther;
  for (; run.end < text.size(); run.end++) {
    const Byte& now = Of(text[run.end]);
    if (now.kind == kSpace) break;
    run.can |= now.kind == kHigh;
    const bool begins = now.kind == kOther || now.kind != before;
    before = now.kind;
    if (!begins || !firsts_[now.letter]) continue;
    const char second = run.end + 1 < text.size() ? text[run.end + 1] : ' ';
    // What is joined without it, e-mail, has its second letter behind it.
    run.can |= (Of(second).kind != kLower && Of(second).kind != kDigit) ||
               pairs_[now.letter * size_t{128} + Of(second).letter];
  }
  while (run.end < text.size() && IsAsciiSpace(text[run.end])) run.end++;
  return run;
}

}  // namespace crivello::search
