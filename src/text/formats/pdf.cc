// SPDX-License-Identifier: Apache-2.0
#include "text/formats/pdf.h"

#include "text/formats/document_builder.h"
#include "text/formats/plain_text.h"
#include "web/feed/feed.h"
#include "web/http/date_parse.h"

namespace crivello::text {
namespace {

// Room for the markup that pdftotext writes around the text.
constexpr size_t kHeadBytes = 4096;

// The text between two markers in pdftotext's head, with character references decoded.
std::string Between(std::string_view head, std::string_view begin, std::string_view end) {
  const size_t from = head.find(begin);
  if (from == std::string_view::npos) return "";
  const size_t to = head.find(end, from + begin.size());
  if (to == std::string_view::npos) return "";
  return Collapsed(web::MarkupToText(head.substr(from + begin.size(), to - from - begin.size())));
}

}  // namespace

Result<Document> ConvertPdf(std::string_view bytes, const PdfLimits& limits) {
  // The metadata is in the head of an HTML page, whose <pre> contains the text unchanged.
  CRV_ASSIGN(const std::string page,
             RunSubprocess({.arguments = {"pdftotext", "-q", "-enc", "UTF-8", "-htmlmeta", "-", "-"},
                            .input = bytes,
                            .max_time = limits.max_time,
                            .max_output_bytes = limits.max_text_bytes + kHeadBytes,
                            .max_memory_bytes = limits.max_memory_bytes}));
  const std::string_view all = page;
  const size_t begin = all.find("<pre>");
  if (begin == std::string_view::npos) return Status::Corruption("pdftotext wrote no text");
  const std::string_view head = all.substr(0, begin);
  const std::string_view text = all.substr(begin + 5, std::min(all.rfind("</pre>"), all.size()) - begin - 5);
  Document document = ConvertPlainText(text, {.max_text_bytes = limits.max_text_bytes, .join_hyphens = true});
  const std::string title = Between(head, "<title>", "</title>");
  if (!title.empty()) document.title = title;
  document.author = Between(head, "name=\"Author\" content=\"", "\"/>");
  document.description = Between(head, "name=\"Subject\" content=\"", "\"/>");
  document.published = web::ParseDate(Between(head, "name=\"CreationDate\" content=\"", "\"/>"));
  return document;
}

}  // namespace crivello::text
