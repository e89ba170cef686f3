// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/lab/text_copies.h"
#include "text/formats/document.h"
#include "text/terms/analyser_description.h"

namespace crivello::cli {

// The part of `crivello text` that shows terms, language and documents other than HTML.
struct TermsOptions {
  bool terms = false;
  std::string analyser = std::string(text::kStandardAnalyser);
};

// Prints a table of the terms of a text: position, offsets, kind, term; in its detected or declared language.
Result<int> PrintTerms(const Session& session, std::string_view text, std::string_view declared_language,
                       const TermsOptions& options);

// Adds the language of a text to JSON output: its code (null if unknown), confidence and source.
void AddLanguage(std::string_view text, std::string_view declared_language, Json* json);

// Shows a file other than HTML (PDF, docx, odt, epub, RTF, XML, Markdown, or a name for plain text); nullopt
// if it is HTML, or may be.
std::optional<Result<int>> PrintOtherFormat(const Session& session, std::string_view bytes,
                                            std::string_view name, const TermsOptions& options,
                                            const CopiesOptions& copies);

}  // namespace crivello::cli
