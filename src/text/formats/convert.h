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
// "application/epub+zip"; empty if there is none.
std::string_view MediaTypeOfFormat(Format format);

// What the bytes are: by their first ones where these tell (PDF, RTF, the zip formats by what is in them,
// XML, HTML), else by the media type of the server, else by the ending of the name.  Servers err: bytes that
// say PDF are PDF. Text that nothing tells is plain; kUnknown is for what is no text, or a format without a
// converter.
Format SniffFormat(std::string_view bytes, std::string_view media_type = {}, std::string_view name = {});

struct ConvertOptions {
  std::string_view media_type = {};  // of Content-Type, with its parameters
  std::string_view name = {};        // of the file, or the path of the URL
  size_t max_text_bytes = size_t{16} << 20;
  ZipLimits archive = {};
  PdfLimits pdf = {};
  // HTML has a converter of its own, which the caller gives; without it HTML is refused like a format
  // unknown.
  std::function<Result<Document>(std::string_view bytes)> html = {};
};

// Bytes of any format to a Document.  An error says what was wrong, with the format in front: a caller keeps
// the record and the reason.  Limits hold for every format; PDF runs in a subprocess, the others in this one.
// Thread-safe.
Result<Document> ConvertDocument(std::string_view bytes, const ConvertOptions& options);

}  // namespace crivello::text
