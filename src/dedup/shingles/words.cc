// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles/words.h"

#include <unicode/utf8.h>

#include <algorithm>

#include "dedup/word_characters.h"

namespace crivello::dedup {
namespace {

// Writes words into a buffer, which must be long enough.
class WordWriter {
 public:
  WordWriter(char* out, std::vector<size_t>* starts) : begin_(out), out_(out), starts_(starts) {}

  void EndWord() {
    in_word_ = false;
    after_digit_ = false;
  }
  void Letter(char letter) {
    Begin();
    *out_++ = letter;
    after_digit_ = false;
  }
  void Digit() {
    if (after_digit_) return;
    Letter('0');
    after_digit_ = true;
  }
  void Character(UChar32 c) {
    Begin();
    int32_t length = 0;
    U8_APPEND_UNSAFE(out_, length, c);
    out_ += length;
    after_digit_ = false;
  }
  size_t size() const { return static_cast<size_t>(out_ - begin_); }

 private:
  void Begin() {
    if (in_word_) return;
    if (out_ != begin_) *out_++ = ' ';
    starts_->push_back(size());
    in_word_ = true;
  }

  char* const begin_;
  char* out_;
  std::vector<size_t>* const starts_;
  bool in_word_ = false;
  bool after_digit_ = false;  // a run of digits counts as one 0
};

}  // namespace

void Words::Read(std::string_view text) {
  starts_.clear();
  // A byte becomes at most three (U+FFFD) and a space.
  joined_.resize(text.size() * 4 + 8);
  WordWriter words(joined_.data(), &starts_);
  const auto* const bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto size = static_cast<int64_t>(text.size());
  for (int64_t at = 0; at < size;) {
    const char kind = kWordBytes[bytes[at]];
    if (kind >= 'a') {
      words.Letter(kind);
      at++;
    } else if (kind == 0) {
      words.EndWord();
      at++;
    } else if (kind != kLongCharacter) {
      words.Digit();
      at++;
    } else {
      // The macro's index is an int32_t, as in C: a window of the longest character is enough.
      const auto left = static_cast<int32_t>(std::min<int64_t>(size - at, U8_MAX_LENGTH));
      int32_t used = 0;
      UChar32 c = 0;
      U8_NEXT(bytes + at, used, left, c);
      at += used;
      if (c < 0) {
        words.Character(0xfffd);
      } else if (StandsAlone(c) && (u_isalpha(c) || IsMark(c))) {
        words.EndWord();
        words.Character(c);
        words.EndWord();
      } else if (u_isdigit(c)) {
        words.Digit();
      } else if (u_isalpha(c) || IsMark(c)) {
        words.Character(u_foldCase(c, U_FOLD_CASE_DEFAULT));
      } else {
        words.EndWord();
      }
    }
  }
  joined_.resize(words.size());
}

}  // namespace crivello::dedup
