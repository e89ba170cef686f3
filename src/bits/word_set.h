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

// A code by its definition: a finite set of binary words. It answers the textbook questions: is it
// instantaneous (no word is a prefix of another), is it complete (every binary word is comparable with a word
// of the code), what is its Kraft sum and, if the answer is no, which words prove it.
//
// Immutable. Words are strings of '0' and '1' of at most kMaxKraftLength characters; the empty string is the
// empty word. In the costs below, n is the number of characters of all words.
class WordSet {
 public:
  // InvalidArgument, naming the word, if one contains another character, is too long or is repeated; also if
  // there are no words, or more than kMaxWords.
  static constexpr size_t kMaxWords = 10'000;
  static Result<WordSet> Of(std::vector<std::string> words);

  std::span<const std::string> words() const { return words_; }
  const KraftSum& sum() const { return sum_; }

  // Two words; the first is a prefix of the second.
  struct Prefix {
    std::string prefix;
    std::string word;
  };
  // nullopt if the code is instantaneous. O(n log n).
  const std::optional<Prefix>& prefix() const { return prefix_; }
  bool instantaneous() const { return !prefix_.has_value(); }

  // The shortest word (the first of these) that is not comparable with any word of the code; nullopt if the
  // code is complete. O(n log n).
  const std::optional<std::string>& missing() const { return missing_; }
  bool complete() const { return !missing_.has_value(); }

  // A string that can be read in two ways, made of as few words as possible.
  struct Ambiguity {
    std::string text;
    std::vector<std::string> one;
    std::vector<std::string> other;
  };
  // nullopt if each string can be read in at most one way: then the code is uniquely decodable, as
  // instantaneous codes are. Uses the dangling suffixes of Sardinas and Patterson (1953). O(n^2).
  std::optional<Ambiguity> FindAmbiguity() const;

 private:
  WordSet() = default;

  std::vector<std::string> words_;  // in the order given
  KraftSum sum_;
  std::optional<Prefix> prefix_;
  std::optional<std::string> missing_;
};

}  // namespace crivello::bits
