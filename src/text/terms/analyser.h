// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/status.h"
#include "text/terms/analyser_description.h"

namespace crivello::text {

enum class TermKind : uint8_t {
  kWord,
  kNumber,
  kCompound,  // an address or name kept whole, in addition to its words: an e-mail, a URL, C++; "email" for
              // e-mail
  kPart,      // of the word at the same position: case of camelCase, albero of l'albero
  kStem,      // of the preceding word or part; or its lemma
};
std::string_view TermKindName(TermKind kind);

struct Term {
  std::string_view text;  // UTF-8, at most kMaxTermBytes; valid during OnTerms()
  uint32_t position = 0;  // index of its word; terms at one position are readings of one word
  uint32_t begin = 0;     // bytes [begin, end) of the analysed text
  uint32_t end = 0;
  TermKind kind = TermKind::kWord;
};

// A longer term is cut to as many whole characters as fit. This happens in documents and in queries alike, so
// it is still found.
inline constexpr size_t kMaxTermBytes = 255;

// Receives terms as they are found, many at a time.
class TermSink {
 public:
  virtual ~TermSink() = default;
  virtual void OnTerms(std::span<const Term> terms) = 0;
};

// Turns text into terms, as a description says. An index and the queries to it use the same description.
//
// Positions never decrease, and each word has the next one, even a stop word. At a position come first the
// compounds that begin there, then the word, its stem, and its parts, each with its stem. Every form of a
// word is kept beside its stem, so a word finds its pages even if a language was misdetected.
//
// Words and their numbering are those of WordBreaker; ASCII is processed many bytes at a time. No allocation
// per term. Linear in the text. One thread at a time: each thread makes its own from a shared description
// (about 400 KB with a stemmer).
class Analyser {
 public:
  // NotFound for a language without stemmer or stop words, or if a dictionary is not installed.
  static Result<Analyser> Create(const AnalyserDescription& description);
  static Result<Analyser> Create(std::string_view description);
  ~Analyser();
  Analyser(Analyser&&) noexcept;
  Analyser& operator=(Analyser&&) noexcept;

  const AnalyserDescription& description() const;

  struct Options {
    uint32_t position = 0;           // of the first word
    std::string_view language = {};  // for stem:auto, a BCP 47 code; no stems if it has no stemmer
  };
  // Returns the position after the last word. REQUIRES: text.size() < 2^32.
  uint32_t Analyse(std::string_view text, const Options& options, TermSink& sink);

  // Whether every term of ASCII text begins like a word or part of a word in it, as far as stemmers preserve
  // that (stemmer.h). So a search for a few terms in long text can skip words that begin differently.
  bool KeepsBeginnings(std::string_view language);

  // The same with a function that receives one term at a time.
  template <typename OnTerm>
  uint32_t ForEachTerm(std::string_view text, const Options& options, OnTerm&& on_term) {
    struct Sink final : TermSink {
      explicit Sink(OnTerm& f) : on_term(f) {}
      void OnTerms(std::span<const Term> terms) override {
        for (const Term& term : terms) on_term(term);
      }
      OnTerm& on_term;
    };
    Sink sink(on_term);
    return Analyse(text, options, sink);
  }

 private:
  class Impl;
  explicit Analyser(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace crivello::text
