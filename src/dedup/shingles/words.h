// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::dedup {

// The normalised words of a text, as compared by all methods of this folder.
//
// A text is UTF-8. A word is a run of letters and digits, case-folded, with each run of digits as one 0, so
// that dates and counters do not distinguish two copies. In scripts without spaces each character is a word.
// PageDigester uses the same words but omits numbers; here they count. An invalid byte counts as the letter
// U+FFFD.
//
// All words are in one string, joined by spaces, so a sequence of words is a piece of it, without copying.
// The normal form determines what is written to files: it never changes. Reading is linear and allocates only
// until the buffers fit the longest text. One thread at a time.
class Words {
 public:
  Words() = default;
  explicit Words(std::string_view text) { Read(text); }

  // Replaces the words by those of another text.
  void Read(std::string_view text);

  size_t size() const { return starts_.size(); }
  bool empty() const { return starts_.empty(); }
  std::string_view operator[](size_t i) const { return Gram(i, 1); }
  // The words [first, first + n), joined by spaces. REQUIRES: n > 0, and they exist.
  std::string_view Gram(size_t first, size_t n) const {
    const size_t begin = starts_[first];
    const size_t after = first + n;
    const size_t end = after < starts_.size() ? starts_[after] - 1 : joined_.size();
    return {joined_.data() + begin, end - begin};
  }
  // All words, joined by spaces.
  std::string_view joined() const { return joined_; }
  // Where the i-th word begins in joined().
  size_t start(size_t i) const { return starts_[i]; }

 private:
  std::string joined_;
  std::vector<size_t> starts_;
};

}  // namespace crivello::dedup
