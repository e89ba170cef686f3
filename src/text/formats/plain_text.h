// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "text/formats/document.h"

namespace crivello::text {

struct PlainTextOptions {
  size_t max_text_bytes = size_t{16} << 20;
  bool join_hyphens = false;  // joins "exam-" at the end of a line and "ple" on the next into one word
};

// Text in UTF-8, with paragraphs separated by empty lines. A short first line on its own is the title.
Document ConvertPlainText(std::string_view utf8, const PlainTextOptions& options);

// Markdown (CommonMark's blocks, tables and front matter; inline marks are removed, links kept). Any text is
// valid Markdown. Linear.
Document ConvertMarkdown(std::string_view utf8, size_t max_text_bytes);

}  // namespace crivello::text
