// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::text {

// How text becomes terms, in words that a person can write and an index can store: "words fold accents
// stem:it". docs/analysers.md explains each step. The first word chooses the tokens. The order of the others
// does not matter, because each step has a fixed place in the pipeline. ToString() writes them in that order,
// so two descriptions that make the same terms have the same text.
struct AnalyserDescription {
  enum class Tokens : uint8_t {
    kPlain,  // runs of ASCII letters and digits, lower-cased, as in most of the literature
    kWords,  // Unicode's words
  };
  enum class Fold : uint8_t { kNone, kFull, kTurkic };

  Tokens tokens = Tokens::kWords;
  Fold fold = Fold::kNone;
  bool compatibility = false;
  bool accents = false;
  bool parts = false;
  bool hyphens = false;
  std::string stop;   // language of the stop words to drop
  std::string stem;   // language of the stems; "auto": the language given with each text
  std::string lemma;  // hunspell dictionary for base forms: "it_IT"

  // An error names the column (from 1) and what was expected. Does not check whether a language has stems or
  // a dictionary is installed; Analyser::Create() does.
  static Result<AnalyserDescription> Parse(std::string_view text);
  std::string ToString() const;

  friend bool operator==(const AnalyserDescription&, const AnalyserDescription&) = default;
};

// The default analyser of an index.
inline constexpr std::string_view kStandardAnalyser = "words compat fold accents parts hyphens stem:auto";

}  // namespace crivello::text
