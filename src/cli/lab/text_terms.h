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

// The part of `crivello text` that shows terms, language and documents that are no HTML.
struct TermsOptions {
  bool terms = false;
  std::string analyser = std::string(text::kStandardAnalyser);
};

// A table of the terms of a text: position, offsets, kind, term; in the language that it is in or declares.
Result<int> PrintTerms(const Session& session, std::string_view text, std::string_view declared_language,
                       const TermsOptions& options);

// Tells the language of a text in the answer for scripts: its code (null if unknown), confidence and source.
void AddLanguage(std::string_view text, std::string_view declared_language, Json* json);

// Shows a file that is no HTML (PDF, docx, odt, epub, RTF, XML, Markdown, a name that says plain text);
// nothing if it is HTML, or may be.
std::optional<Result<int>> PrintOtherFormat(const Session& session, std::string_view bytes,
                                            std::string_view name, const TermsOptions& options,
                                            const CopiesOptions& copies);

}  // namespace crivello::cli
