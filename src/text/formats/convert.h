// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "base/status.h"
#include "text/formats/document.h"
#include "text/formats/pdf.h"
#include "text/formats/zip.h"

namespace crivello::text {

enum class Format : uint8_t {
  kUnknown,
  kPlainText,
  kMarkdown,
  kHtml,
  kXml,
  kRtf,
  kPdf,
  kDocx,
  kOdt,
  kEpub,
};
std::string_view FormatName(Format format);
// For example "application/epub+zip"; empty if there is none.
std::string_view MediaTypeOfFormat(Format format);

// The format of the bytes: by their beginning if that is conclusive (PDF, RTF, the zip formats by their
// content, XML, HTML), else by the server's media type, else by the file name extension. Servers err: bytes
// that start like a PDF are a PDF. Text of unknown type is plain text; kUnknown means binary data or a format
// without a converter.
Format SniffFormat(std::string_view bytes, std::string_view media_type = {}, std::string_view name = {});

struct ConvertOptions {
  std::string_view media_type = {};  // of Content-Type, with its parameters
  std::string_view name = {};        // of the file, or the path of the URL
  size_t max_text_bytes = size_t{16} << 20;
  ZipLimits archive = {};
  PdfLimits pdf = {};
  // The caller supplies the converter for HTML; without it, HTML is rejected like an unknown
  // format.
  std::function<Result<Document>(std::string_view bytes)> html = {};
};

// Converts bytes of any format to a Document. An error starts with the format and says what was wrong, so
// that a caller can record the reason. Limits apply to every format. PDF is converted in a subprocess, the
// others in this one. Thread-safe.
Result<Document> ConvertDocument(std::string_view bytes, const ConvertOptions& options);

}  // namespace crivello::text
