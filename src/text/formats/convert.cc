// SPDX-License-Identifier: Apache-2.0
#include "text/formats/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "charset/charset.h"
#include "charset/encoding_decode.h"
#include "text/formats/office.h"
#include "text/formats/plain_text.h"
#include "text/formats/rtf.h"
#include "text/formats/xml_document.h"

namespace crivello::text {
namespace {

struct Known {
  std::string_view text;
  Format format;
};

constexpr Known kMediaTypes[] = {
    {"text/html", Format::kHtml},
    {"application/xhtml+xml", Format::kHtml},
    {"text/markdown", Format::kMarkdown},
    {"text/x-markdown", Format::kMarkdown},
    {"application/pdf", Format::kPdf},
    {"application/rtf", Format::kRtf},
    {"text/rtf", Format::kRtf},
    {"application/epub+zip", Format::kEpub},
    {"application/vnd.oasis.opendocument.text", Format::kOdt},
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", Format::kDocx},
    {"text/xml", Format::kXml},
    {"application/xml", Format::kXml},
};

constexpr Known kEndings[] = {
    {".txt", Format::kPlainText},     {".text", Format::kPlainText}, {".md", Format::kMarkdown},
    {".markdown", Format::kMarkdown}, {".html", Format::kHtml},      {".htm", Format::kHtml},
    {".xhtml", Format::kHtml},        {".xml", Format::kXml},        {".rss", Format::kXml},
    {".atom", Format::kXml},          {".rtf", Format::kRtf},        {".pdf", Format::kPdf},
    {".docx", Format::kDocx},         {".odt", Format::kOdt},        {".epub", Format::kEpub},
};

Format ByMediaType(std::string_view type) {
  type = TrimAsciiSpace(type.substr(0, type.find(';')));
  for (const Known& known : kMediaTypes) {
    if (EqualsIgnoringCase(type, known.text)) return known.format;
  }
  if (type.size() > 4 && EqualsIgnoringCase(type.substr(type.size() - 4), "+xml")) return Format::kXml;
  return StartsWithIgnoringCase(type, "text/") ? Format::kPlainText : Format::kUnknown;
}

Format ByName(std::string_view name) {
  name = name.substr(0, name.find_first_of("?#"));
  for (const Known& known : kEndings) {
    if (name.size() > known.text.size() &&
        EqualsIgnoringCase(name.substr(name.size() - known.text.size()), known.text)) {
      return known.format;
    }
  }
  return Format::kUnknown;
}

// Zip formats: odt and epub begin with their media type, docx has a part named after it.
Format ByZip(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 256);
  if (start.find("mimetype") != std::string_view::npos) {
    if (start.find("application/epub+zip") != std::string_view::npos) return Format::kEpub;
    if (start.find("application/vnd.oasis.opendocument.text") != std::string_view::npos) return Format::kOdt;
  }
  if (bytes.find("word/document.xml") != std::string_view::npos) return Format::kDocx;
  if (bytes.find("META-INF/container.xml") != std::string_view::npos) return Format::kEpub;
  return Format::kUnknown;
}

// Markup: by the first tag after declarations and comments.
Format ByMarkup(std::string_view bytes) {
  std::string_view rest = bytes.substr(0, 4096);
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  rest = TrimAsciiSpace(rest);
  const bool declared = rest.starts_with("<?xml");
  while (rest.starts_with("<?") || rest.starts_with("<!--")) {
    const std::string_view end = rest.starts_with("<?") ? "?>" : "-->";
    const size_t at = rest.find(end);
    if (at == std::string_view::npos) break;
    rest = TrimAsciiSpace(rest.substr(at + end.size()));
  }
  for (const std::string_view tag :
       {"<!doctype html", "<html", "<head", "<body", "<title", "<script", "<meta"}) {
    if (StartsWithIgnoringCase(rest, tag)) return Format::kHtml;
  }
  return declared ? Format::kXml : Format::kUnknown;
}

// Finds control characters that texts never have. UTF-16 is full of zeros, but has a byte order mark.
bool IsBinary(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return false;
  const std::string_view start = bytes.substr(0, 1024);
  const auto odd = std::count_if(start.begin(), start.end(), [](char c) {
    return static_cast<uint8_t>(c) < 0x20 && !IsAsciiSpace(c) && c != '\x1B' && c != '\b';
  });
  return odd > 0 &&
         (odd * 50 > static_cast<int64_t>(start.size()) || start.find('\0') != std::string_view::npos);
}

}  // namespace

std::string_view FormatName(Format format) {
  switch (format) {
    case Format::kUnknown:
      return "unknown";
    case Format::kPlainText:
      return "text";
    case Format::kMarkdown:
      return "markdown";
    case Format::kHtml:
      return "html";
    case Format::kXml:
      return "xml";
    case Format::kRtf:
      return "rtf";
    case Format::kPdf:
      return "pdf";
    case Format::kDocx:
      return "docx";
    case Format::kOdt:
      return "odt";
    case Format::kEpub:
      return "epub";
  }
  return "unknown";
}

std::string_view MediaTypeOfFormat(Format format) {
  const auto* const known = std::find_if(std::begin(kMediaTypes), std::end(kMediaTypes),
                                         [format](const Known& one) { return one.format == format; });
  return known == std::end(kMediaTypes) ? std::string_view() : known->text;
}

Format SniffFormat(std::string_view bytes, std::string_view media_type, std::string_view name) {
  // Some writers put a line or a mark before it; PDF readers search the first kilobyte.
  if (bytes.substr(0, 1024).find("%PDF-") != std::string_view::npos) return Format::kPdf;
  if (bytes.starts_with("{\\rtf")) return Format::kRtf;
  if (bytes.starts_with("PK\x03\x04")) return ByZip(bytes);
  const Format by_markup = ByMarkup(bytes);
  if (by_markup == Format::kUnknown && IsBinary(bytes)) return Format::kUnknown;
  const Format by_type = ByMediaType(media_type);
  if (by_markup != Format::kUnknown && by_type != Format::kPlainText && by_type != Format::kMarkdown) {
    // An XML declaration alone does not change the server's type: XHTML has one too.
    return by_markup == Format::kXml && by_type == Format::kHtml ? Format::kHtml : by_markup;
  }
  const Format by_name = ByName(name);
  const bool says_text = by_type == Format::kUnknown || by_type == Format::kPlainText;
  Format format = says_text && by_name == Format::kMarkdown ? by_name : by_type;
  if (format == Format::kUnknown) format = by_name;
  // These formats would have been recognised by the first bytes.
  const bool told = format == Format::kPdf || format == Format::kRtf || format == Format::kDocx ||
                    format == Format::kOdt || format == Format::kEpub;
  if (told) return Format::kUnknown;
  if (format == Format::kUnknown && by_markup != Format::kUnknown) return by_markup;
  return format == Format::kUnknown ? Format::kPlainText : format;
}

Result<Document> ConvertDocument(std::string_view bytes, const ConvertOptions& options) {
  const OfficeLimits office = {options.archive, options.max_text_bytes};
  const Format format = SniffFormat(bytes, options.media_type, options.name);
  const auto decoded = [&] {
    const size_t at = options.media_type.find("charset=");
    const std::string_view label = at == std::string_view::npos ? "" : options.media_type.substr(at + 8);
    const charset::CharsetOptions charset = {.read_meta = false};
    return charset::DecodeToUtf8(bytes, charset::DecideCharset(bytes, label, charset).encoding);
  };
  switch (format) {
    case Format::kPlainText:
      return ConvertPlainText(decoded().text(), {.max_text_bytes = options.max_text_bytes});
    case Format::kMarkdown:
      return ConvertMarkdown(decoded().text(), options.max_text_bytes);
    case Format::kHtml:
      if (options.html) return options.html(bytes);
      break;
    case Format::kXml:
      return ConvertXmlDocument(bytes, options.max_text_bytes);
    case Format::kRtf:
      return ConvertRtf(bytes, options.max_text_bytes);
    case Format::kPdf: {
      PdfLimits limits = options.pdf;
      limits.max_text_bytes = std::min(limits.max_text_bytes, options.max_text_bytes);
      auto document = ConvertPdf(bytes, limits);
      if (!document.ok()) return document.status().WithContext("pdf");
      return document;
    }
    case Format::kDocx:
      return ConvertDocx(bytes, office);
    case Format::kOdt:
      return ConvertOdt(bytes, office);
    case Format::kEpub:
      return ConvertEpub(bytes, office);
    case Format::kUnknown:
      break;
  }
  const std::string_view type =
      options.media_type.empty() ? "no declared type" : options.media_type.substr(0, 100);
  return Status::InvalidArgument(
      format == Format::kUnknown
          ? fmt::format("cannot convert the document: unknown format ({})", type)
          : fmt::format("cannot convert {} ({}): no converter for this type", FormatName(format), type));
}

}  // namespace crivello::text
