// SPDX-License-Identifier: Apache-2.0
#include "search/beginnings.h"

#include <bit>
#include <cstring>

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
bool IsNameLetter(char c) { return IsAsciiAlpha(c); }
// Of a letter: 1 to 26.
uint32_t LetterPlace(char c) { return IsNameLetter(c) ? Of(c).letter & 31 : 0; }
uint32_t Bit(char c) { return uint32_t{1} << LetterPlace(c); }
bool IsEnd(std::string_view text, size_t at) { return at >= text.size() || Of(text[at]).kind == kSpace; }

// How many bytes from a place are small letters.
size_t SmallLetters(std::string_view text, size_t at) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  constexpr uint64_t kOnes = 0x0101010101010101;
  size_t end = at;
  for (uint64_t bytes = 0; end + sizeof(bytes) <= text.size(); end += sizeof(bytes)) {
    std::memcpy(&bytes, text.data() + end, sizeof(bytes));
    // Each byte without its high bit, with so much added that the high bit is set from 'a', and behind 'z'.
    const uint64_t low = bytes & ~kHighBits;
    const uint64_t from_a = low + kOnes * (0x80 - 'a');
    const uint64_t behind_z = low + kOnes * (0x80 - 'z' - 1);
    const uint64_t others = ~(from_a & ~behind_z & ~bytes) & kHighBits;
    if (others != 0) return end + static_cast<size_t>(std::countr_zero(others)) / 8 - at;
  }
  while (end < text.size() && Of(text[end]).kind == kLower) end++;
  return end - at;
}

}  // namespace

Beginnings::Beginnings(std::span<const std::string> terms, bool keeps_beginnings) : all_(!keeps_beginnings) {
  for (const std::string& term : terms) {
    if (term.empty()) continue;
    const Byte& first = Of(term[0]);
    firsts_.set(first.letter);
    auto& next = next_[first.letter];
    // A term of few letters is the stem of more than these.
    const bool any_second = term.size() == 1 || !IsNameLetter(term[1]);
    const uint32_t thirds = term.size() < 4 || !IsNameLetter(term[2]) ? ~uint32_t{0} : Bit(term[2]);
    for (size_t second = 0; second < next.size(); second++) {
      if (any_second || second == LetterPlace(term[1])) next[second] |= thirds;
    }
  }
}

// What is joined without what stands between, e-mail, has its next letters behind that; so whatever is no
// letter may be followed by any.  Nothing is followed by nothing: place 0 is for terms that end there.
bool Beginnings::CanBegin(std::string_view text) const {
  const auto& next = next_[Of(text[0]).letter];
  if (IsEnd(text, 1)) return next[0] != 0;
  if (!IsNameLetter(text[1])) return true;
  const uint32_t thirds = next[LetterPlace(text[1])];
  if (IsEnd(text, 2)) return (thirds & 1) != 0;
  return IsNameLetter(text[2]) ? (thirds & Bit(text[2])) != 0 : thirds != 0;
}

Beginnings::Run Beginnings::Next(std::string_view text, size_t at) const {
  Run run = {at, all_};
  Kind before = kOther;
  while (run.end < text.size()) {
    const Byte& now = Of(text[run.end]);
    if (now.kind == kSpace) break;
    run.can |= now.kind == kHigh;
    const bool begins = now.kind == kOther || now.kind != before;
    before = now.kind;
    if (begins && firsts_[now.letter] && !run.can) run.can = CanBegin(text.substr(run.end));
    // Nothing begins among small letters.
    run.end += now.kind == kLower ? SmallLetters(text, run.end) : 1;
  }
  while (run.end < text.size() && IsAsciiSpace(text[run.end])) run.end++;
  return run;
}

}  // namespace crivello::search
