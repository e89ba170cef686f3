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
  kText,      // detected in the text
  kDeclared,  // the text is inconclusive; declared by the page or the server
};
std::string_view LanguageSourceName(LanguageSource source);

struct LanguageGuess {
  std::string code;       // BCP 47: "it", "zh-Hant"; empty if unknown
  double confidence = 0;  // share of the text in this language; 0.3 if only declared; 0 if unknown
  LanguageSource source = LanguageSource::kNone;
};

// What is known about a page besides its text; empty if not known.
struct LanguageHints {
  std::string_view declared = {};          // <html lang>, or the document's own declaration
  std::string_view content_language = {};  // the header
  std::string_view top_level_domain = {};  // "it"
  // The language detected in the site's last pages, if they agree; empty: all were inconclusive.
  std::optional<std::string_view> site = {};
};

// The maximum number of bytes read from a text.
inline constexpr size_t kLanguageBytes = 4 << 10;

// Uses cld2: quadgrams for scripts that many languages share, and the script itself if only one language uses
// it. Hints add weight but do not decide. In a text that is too short (under about thirty letters in Latin
// script) the language is unknown, and the declaration counts, if there is one. Reads the first KiB; if that
// is inconclusive, half of the next one; in a mixed text, all of the first four. If the site's other pages
// agree, half of the first KiB is enough, if it says the same. Thread-safe.
LanguageGuess DetectLanguage(std::string_view text, const LanguageHints& hints = {});

// The language of a document by its main text, and of each block (in order) by its own text, because a
// quotation may be in another language. A block that is too short is unknown.
struct DocumentLanguages {
  LanguageGuess document;
  std::vector<LanguageGuess> blocks;
};
DocumentLanguages DetectLanguages(const Document& document, const LanguageHints& hints = {});

}  // namespace crivello::text
