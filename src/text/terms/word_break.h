// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace crivello::text {

// A word: bytes [begin, end) of a text.
struct Word {
  size_t begin;
  size_t end;
  bool number;  // no letter in it
  friend bool operator==(const Word&, const Word&) = default;
};

// Finds the words of a text: the segments between Unicode's word boundaries (UAX #29, but for the colon,
// which parts words as in ICU) that hold a letter, digit, kana or ideograph.
//
// Most scripts need no dictionary: their words are found by a table of classes and the rules of the annex,
// some four times as fast as ICU's iterator and with the same words.  Where a character comes up that belongs
// to Chinese, Japanese, Thai, Lao, Khmer or Burmese, the stretch around it, cut at white space, goes to ICU,
// whose dictionaries know those words.  One case differs from ICU: a letter that is also a pictograph
// (U+2139) behind another pictograph and a joiner.
//
// A text that is not valid UTF-8 is allowed; bytes that are no character part words.  Linear in the text.
// One thread at a time; keeps its buffers, so that no word costs an allocation of ours.
class WordBreaker {
 public:
  WordBreaker();
  ~WordBreaker();
  WordBreaker(WordBreaker&&) noexcept;
  WordBreaker& operator=(WordBreaker&&) noexcept;

  // What begins at `at`; go on at `end`.
  struct Scan {
    enum Kind : uint8_t {
      kNone,     // no word
      kWord,     // the word [at, end)
      kStretch,  // the words of stretch(), in order
    };
    Kind kind;
    bool number;
    size_t end;
  };
  // REQUIRES: at < text.size(), and `at` is where the last scan ended, or stands behind ASCII that is no
  // letter, digit or underscore.
  Scan ScanAt(std::string_view text, size_t at);
  // The words of the last scan of that kind; good until the next.
  const std::vector<Word>& stretch() const;

  // All words of a text, for callers who have no faster way to skip what is none.
  template <typename OnWord>
  void ForEach(std::string_view text, OnWord&& on_word) {
    for (size_t at = 0; at < text.size();) {
      const Scan scan = ScanAt(text, at);
      if (scan.kind == Scan::kWord) on_word(Word{at, scan.end, scan.number});
      if (scan.kind == Scan::kStretch) {
        for (const Word& word : stretch()) on_word(word);
      }
      at = scan.end;
    }
  }

 private:
  struct Icu;
  std::unique_ptr<Icu> icu_;
};

// Every word boundary, and every boundary between characters as a reader sees them (grapheme clusters), by
// ICU: byte offsets, from 0 to the text's length.  REQUIRES: valid UTF-8.
std::vector<size_t> WordBoundaries(std::string_view text);
std::vector<size_t> GraphemeBoundaries(std::string_view text);

}  // namespace crivello::text
