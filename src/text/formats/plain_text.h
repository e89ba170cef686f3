// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "text/formats/document.h"

namespace crivello::text {

struct PlainTextOptions {
  size_t max_text_bytes = size_t{16} << 20;
  bool join_hyphens = false;  // "exam-", "ple" at the end of a line and the start of the next are one word
};

// Text in UTF-8: paragraphs are parted by empty lines.  A short first line that stands alone is the title.
Document ConvertPlainText(std::string_view utf8, const PlainTextOptions& options);

// Markdown (CommonMark's blocks, tables and front matter; inline marks are taken off, links kept).  Any text
// is Markdown.  Linear.
Document ConvertMarkdown(std::string_view utf8, size_t max_text_bytes);

}  // namespace crivello::text
