// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::text {

// How text becomes terms, as words that a person can write and an index keeps: "words fold accents stem:it".
// docs/analysers.md tells what each step does.  The first word chooses the tokens; the order of the others is
// free, since each step has its place in the pipeline, and ToString() writes them in that order: two
// descriptions that make the same terms have the same text.
struct AnalyserDescription {
  enum class Tokens : uint8_t {
    kPlain,  // runs of ASCII letters and digits, lower-cased: what most peers of the literature do
    kWords,  // Unicode's words
  };
  enum class Fold : uint8_t { kNone, kFull, kTurkic };

  Tokens tokens = Tokens::kWords;
  Fold fold = Fold::kNone;
  bool compatibility = false;
  bool accents = false;
  bool parts = false;
  bool hyphens = false;
  std::string stop;   // language of the stop words that are left out
  std::string stem;   // language of the stems, or "auto": the one that each text comes with
  std::string lemma;  // hunspell dictionary of the base forms: "it_IT"

  // An error names the column (from 1) and what would have been right.  Does not look whether a language has
  // stems or a dictionary is installed: the analyser that is made from it does.
  static Result<AnalyserDescription> Parse(std::string_view text);
  std::string ToString() const;

  friend bool operator==(const AnalyserDescription&, const AnalyserDescription&) = default;
};

// What an index has if nobody says otherwise.
inline constexpr std::string_view kStandardAnalyser = "words compat fold accents parts hyphens stem:auto";

}  // namespace crivello::text
