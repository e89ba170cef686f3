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
  kCompound,  // an address or name that is kept whole beside its words: an e-mail, a URL, C++, email of
              // e-mail
  kPart,      // of the word at the same position: case of camelCase, albero of l'albero
  kStem,      // of the word or part that came before it; or its lemma
};
std::string_view TermKindName(TermKind kind);

struct Term {
  std::string_view text;  // UTF-8, at most kMaxTermBytes; good while OnTerms() runs
  uint32_t position = 0;  // of its word among the words; terms at one position are readings of one word
  uint32_t begin = 0;     // bytes [begin, end) of the text analysed
  uint32_t end = 0;
  TermKind kind = TermKind::kWord;
};

// A longer term is cut to as many whole characters as fit: the same in a document and in a query, so it is
// found still.
inline constexpr size_t kMaxTermBytes = 255;

// Takes terms as they are found, many at a time.
class TermSink {
 public:
  virtual ~TermSink() = default;
  virtual void OnTerms(std::span<const Term> terms) = 0;
};

// Text to terms, as a description says: the one that an index is built with, and its queries again.
//
// Positions never decrease, and a word has the next one, whether or not it is a stop word; at a position come
// first the compounds that begin there, then the word, its stem, its parts, each with its stem.  Every form
// of a word is there beside its stem, so a word finds its pages whatever language either was taken for.
//
// Words and their numbering are those of WordBreaker; ASCII is handled many bytes at a time.  No allocation
// per term.  Linear in the text.  One thread at a time: threads make their own from one description (some 400
// KB with a stemmer).
class Analyser {
 public:
  // NotFound for a language without stemmer or stop words, or a dictionary that is not installed.
  static Result<Analyser> Create(const AnalyserDescription& description);
  static Result<Analyser> Create(std::string_view description);
  ~Analyser();
  Analyser(Analyser&&) noexcept;
  Analyser& operator=(Analyser&&) noexcept;

  const AnalyserDescription& description() const;

  struct Options {
    uint32_t position = 0;           // of the first word
    std::string_view language = {};  // for stem:auto, a BCP 47 code; without stems if it has no stemmer
  };
  // Returns the position behind the last word.  REQUIRES: text.size() < 2^32.
  uint32_t Analyse(std::string_view text, const Options& options, TermSink& sink);

  // Whether every term of ASCII text begins as a word or a part of one does there, as far as stemmers keep it
  // (stemmer.h): for who looks for a few terms in much text, and passes over words that begin otherwise.
  bool KeepsBeginnings(std::string_view language);

  // The same with a function that takes one term.
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
