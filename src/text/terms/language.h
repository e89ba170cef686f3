// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/formats/document.h"

namespace crivello::text {

enum class LanguageSource : uint8_t {
  kNone,      // unknown
  kText,      // what the text looks like
  kDeclared,  // the text does not tell; the page's or the server's word
};
std::string_view LanguageSourceName(LanguageSource source);

struct LanguageGuess {
  std::string code;       // BCP 47: "it", "zh-Hant"; empty if unknown
  double confidence = 0;  // of the text the share in this language; 0.3 for a mere declaration; 0 if unknown
  LanguageSource source = LanguageSource::kNone;
};

// What is known of a page besides its text; empty if it is not.
struct LanguageHints {
  std::string_view declared = {};          // <html lang>, or what the document says of itself
  std::string_view content_language = {};  // the header
  std::string_view top_level_domain = {};  // "it"
  // What the text of the site's last pages was found to be, if they agree; empty: none of them told.
  std::optional<std::string_view> site = {};
};

// No more of a text is ever read.
inline constexpr size_t kLanguageBytes = 4 << 10;

// By cld2: quadgrams for scripts that many languages share, the script itself where it has but one.  Hints
// tip the scales and do not decide; too short a text (under some thirty letters in Latin script) is unknown,
// and then the declaration counts, if there is one.  Reads the first KiB; of a text that does not tell there,
// half of the next one, and of a mixed one all of the first four.  Where the site's other pages agree, half
// of the first is enough if it says the same.  Thread-safe.
LanguageGuess DetectLanguage(std::string_view text, const LanguageHints& hints = {});

// The language of a document by its main text, and of each of its blocks (in their order) by its own alone: a
// quotation may be in another.  A block that is too short is unknown.
struct DocumentLanguages {
  LanguageGuess document;
  std::vector<LanguageGuess> blocks;
};
DocumentLanguages DetectLanguages(const Document& document, const LanguageHints& hints = {});

}  // namespace crivello::text
