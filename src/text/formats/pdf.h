// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/status.h"
#include "text/formats/document.h"
#include "text/formats/subprocess.h"

namespace crivello::text {

struct PdfLimits {
  std::chrono::milliseconds max_time = std::chrono::seconds(20);
  size_t max_memory_bytes = size_t{1} << 30;
  size_t max_text_bytes = size_t{16} << 20;
};

// The text of a PDF in paragraphs, its title, author and date, by poppler's pdftotext in a subprocess
// (isolated as in subprocess.h). Joins words hyphenated at the end of a line. Ignores scanned text. Errors
// say why: encrypted, damaged, "pdftotext took more than 20 s", pdftotext is not installed.
Result<Document> ConvertPdf(std::string_view bytes, const PdfLimits& limits);

}  // namespace crivello::text
