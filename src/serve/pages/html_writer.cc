// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/html_writer.h"

#include <cassert>
#include <utility>

#include "base/ascii.h"
#include "charset/utf8.h"

namespace crivello::serve {
namespace {

// Embeddings, overrides and isolates: a title could turn the text that follows it around.  The marks without
// extent (U+200E, U+200F) stay, which honest texts need.
bool TurnsDirection(char32_t c) { return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069); }

bool IsControl(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0) || (c & 0xFFFE) == 0xFFFE ||
         (c >= 0xFDD0 && c <= 0xFDEF);
}

}  // namespace

void AppendEscaped(std::string_view text, std::string* out) {
  for (size_t i = 0; i < text.size();) {
    const char32_t c = charset::TakeCodePoint(text, &i);
    switch (c) {
      case '&':
        *out += "&amp;";
        break;
      case '<':
        *out += "&lt;";
        break;
      case '>':
        *out += "&gt;";
        break;
      case '"':
        *out += "&quot;";
        break;
      case '\'':
        *out += "&#39;";
        break;
      case '`':
        *out += "&#96;";  // old browsers took it for a quotation mark
        break;
      default:
        if (TurnsDirection(c)) break;
        charset::AppendUtf8(IsControl(c) ? charset::kReplacementCodePoint : c, out);
    }
  }
}

bool IsSafeTarget(std::string_view target) {
  if (target.starts_with("#") || target.starts_with("?")) return true;
  // "//host" and "/\host" are other sites.
  if (target.starts_with("/")) return target.size() == 1 || (target[1] != '/' && target[1] != '\\');
  return StartsWithIgnoringCase(target, "http://") || StartsWithIgnoringCase(target, "https://");
}

HtmlWriter HtmlWriter::Html5() {
  HtmlWriter writer;
  writer.out_ = "<!DOCTYPE html>\n";
  return writer;
}

void HtmlWriter::Start(MarkupName name, MarkupAttributes attributes) {
  out_ += '<';
  out_ += name.text();
  for (const MarkupAttribute& attribute : attributes) {
    const std::string_view key = attribute.name.text();
    const bool leads = key == "href" || key == "src" || key == "action";
    if (!attribute.present || (leads && !IsSafeTarget(attribute.value))) continue;
    out_ += ' ';
    out_ += key;
    out_ += "=\"";
    AppendEscaped(attribute.value, &out_);
    out_ += '"';
  }
}

void HtmlWriter::Open(MarkupName name, MarkupAttributes attributes) {
  Start(name, attributes);
  out_ += '>';
  open_.push_back(name.text());
}

void HtmlWriter::Text(std::string_view text) { AppendEscaped(text, &out_); }

void HtmlWriter::Close() {
  assert(!open_.empty());
  out_ += "</";
  out_ += open_.back();
  out_ += '>';
  open_.pop_back();
}

void HtmlWriter::Element(MarkupName name, MarkupAttributes attributes, std::string_view text) {
  Open(name, attributes);
  Text(text);
  Close();
}

void HtmlWriter::Void(MarkupName name, MarkupAttributes attributes) {
  Start(name, attributes);
  out_ += '>';
}

std::string HtmlWriter::Finish() && {
  while (!open_.empty()) Close();
  out_ += '\n';
  return std::move(out_);
}

}  // namespace crivello::serve
