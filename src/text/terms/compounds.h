// SPDX-License-Identifier: Apache-2.0
// What is more than a word, or a word made of several: addresses, names of code, elisions, hyphens.  Pure
// functions of bytes, which need not be valid UTF-8; none looks further than kMaxCompoundBytes.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace crivello::text {

inline constexpr size_t kMaxCompoundBytes = 255;

// Bytes [begin, end) of a text.
struct Span {
  size_t begin = 0;
  size_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

// The name or address that begins with the word `word` and goes beyond it, kept whole beside its words:
// an e-mail address, a URL (a scheme and "://", or "www."; printable ASCII, without the punctuation that ends
// a sentence), C++ and its like (a word and "++", or "#" with no letter or digit behind), .NET and its like
// (a dot at the start of a word, behind white space or an opening bracket or quote).
std::optional<Span> CompoundAt(std::string_view text, Span word);

// Words joined by single hyphens, of which `word` is the first: "e-mail"; two to four, the first with a
// letter in front.  Nothing for a word that itself stands behind a hyphen.
std::optional<Span> HyphenatedAt(std::string_view text, Span word);

// The parts of a word, in order; none if it has but one.  A word is parted at underscores, at dots beside a
// letter, at apostrophes, and by case as in camelCase and HTMLParser.  One letter is no part, and English
// contractions are left in one: don't has none, John's has John.
class WordParts {
 public:
  explicit WordParts(std::string_view word);
  const Span* begin() const { return spans_.data(); }
  const Span* end() const { return spans_.data() + count_; }
  bool empty() const { return count_ == 0; }

 private:
  void Add(std::string_view word, Span span);

  // What comes behind the last of these is in no part.
  std::array<Span, 16> spans_;
  size_t count_ = 0;
};

}  // namespace crivello::text
