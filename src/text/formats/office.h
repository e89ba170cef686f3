// SPDX-License-Identifier: Apache-2.0
// The formats that are XML in a zip archive. Macros, pictures and embedded objects are ignored. Errors name
// the part and the reason. Thread-safe.
#pragma once

#include <string_view>

#include "base/status.h"
#include "text/formats/document.h"
#include "text/formats/zip.h"

namespace crivello::text {

struct OfficeLimits {
  ZipLimits archive = {};
  size_t max_text_bytes = size_t{16} << 20;
};

// Word (docx): paragraphs, headings (recognised by style names), lists, tables, links, footnotes. Text
// deleted by a tracked change is omitted.
Result<Document> ConvertDocx(std::string_view bytes, const OfficeLimits& limits);
// OpenDocument text (odt).
Result<Document> ConvertOdt(std::string_view bytes, const OfficeLimits& limits);
// EPUB 2 and 3: the chapters of the spine, in order.
Result<Document> ConvertEpub(std::string_view bytes, const OfficeLimits& limits);

}  // namespace crivello::text
