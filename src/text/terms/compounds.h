// SPDX-License-Identifier: Apache-2.0
// Units longer than a word, and words made of several: addresses, names of code, elisions, hyphens. Pure
// functions of bytes, which may be invalid UTF-8; none looks further than kMaxCompoundBytes.
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

// The name or address that begins with `word` and extends beyond it, to be kept whole beside its words: an
// e-mail address; a URL (a scheme and "://", or "www."; printable ASCII, without the punctuation that ends a
// sentence); C++ and the like (a word and "++", or "#" not followed by a letter or digit); .NET and the like
// (a dot before a word, after white space or an opening bracket or quote).
std::optional<Span> CompoundAt(std::string_view text, Span word);

// Words joined by single hyphens, starting with `word`: "e-mail". Two to four words, of which the first
// begins with a letter. nullopt for a word that itself follows a hyphen.
std::optional<Span> HyphenatedAt(std::string_view text, Span word);

// The parts of a word, in order; empty if there is only one. A word is split at underscores, at dots beside a
// letter, at apostrophes, and by case as in camelCase and HTMLParser. A single letter is not a part. English
// contractions are not split: don't has no parts, John's has John.
class WordParts {
 public:
  explicit WordParts(std::string_view word);
  const Span* begin() const { return spans_.data(); }
  const Span* end() const { return spans_.data() + count_; }
  bool empty() const { return count_ == 0; }

 private:
  void Add(std::string_view word, Span span);

  // Text after the last of these is in no part.
  std::array<Span, 16> spans_;
  size_t count_ = 0;
};

}  // namespace crivello::text
