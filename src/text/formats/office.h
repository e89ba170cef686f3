// SPDX-License-Identifier: Apache-2.0
// The formats that are XML in a zip archive.  Macros, pictures and embedded objects are never looked at. Each
// fails with an error that names the part and the reason; thread-safe.
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

// Word (docx): paragraphs, headings by the names of their styles, lists, tables, links, footnotes; what a
// tracked change deleted is left out.
Result<Document> ConvertDocx(std::string_view bytes, const OfficeLimits& limits);
// OpenDocument text (odt).
Result<Document> ConvertOdt(std::string_view bytes, const OfficeLimits& limits);
// EPUB 2 and 3: the chapters of its spine, in order.
Result<Document> ConvertEpub(std::string_view bytes, const OfficeLimits& limits);

}  // namespace crivello::text
