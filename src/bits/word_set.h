// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "bits/kraft.h"

namespace crivello::bits {

// A code as the definition has it: a finite set of binary words.  It answers what a teacher asks of it: is it
// instantaneous (no word is a prefix of another), is it complete (every binary word is comparable with a word
// of the code), what is its Kraft sum, and, if the answer is no, which words show it.
//
// Immutable.  Words are strings of '0' and '1' of at most kMaxKraftLength characters; the empty string is the
// empty word.  The costs below are in the number of characters of all words, n.
class WordSet {
 public:
  // InvalidArgument names the word that has another character, is too long or is given twice; also if there
  // are no words, or more than kMaxWords.
  static constexpr size_t kMaxWords = 10'000;
  static Result<WordSet> Of(std::vector<std::string> words);

  std::span<const std::string> words() const { return words_; }
  const KraftSum& sum() const { return sum_; }

  // Two words of which the first is a prefix of the second.
  struct Prefix {
    std::string prefix;
    std::string word;
  };
  // Nothing if the code is instantaneous.  O(n log n).
  const std::optional<Prefix>& prefix() const { return prefix_; }
  bool instantaneous() const { return !prefix_.has_value(); }

  // The shortest word, the first of these, that is comparable with no word of the code; nothing if the code
  // is complete.  O(n log n).
  const std::optional<std::string>& missing() const { return missing_; }
  bool complete() const { return !missing_.has_value(); }

  // A string that can be read in two ways, with as few words as possible.
  struct Ambiguity {
    std::string text;
    std::vector<std::string> one;
    std::vector<std::string> other;
  };
  // Nothing if each string can be read in one way at most: then the code is uniquely decodable, which
  // instantaneous codes are.  By the dangling suffixes of Sardinas and Patterson (1953).  O(n^2).
  std::optional<Ambiguity> FindAmbiguity() const;

 private:
  WordSet() = default;

  std::vector<std::string> words_;  // in the order given
  KraftSum sum_;
  std::optional<Prefix> prefix_;
  std::optional<std::string> missing_;
};

}  // namespace crivello::bits
