// SPDX-License-Identifier: Apache-2.0
#include "charset/escape.h"

#include "charset/utf8.h"

namespace crivello::charset {
namespace {

// Embeddings, overrides and isolates. The marks without extent (U+200E, U+200F) stay, because legitimate
// texts need them.
bool TurnsDirection(char32_t c) { return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069); }

bool IsHtmlControl(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0) || (c & 0xFFFE) == 0xFFFE ||
         (c >= 0xFDD0 && c <= 0xFDEF);
}

bool IsXmlCharacter(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c < 0xD800 || (c >= 0xE000 && c != 0xFFFE && c != 0xFFFF);
}

// Spreadsheets treat the full-width forms of these characters the same.
bool LooksLikeFormula(std::string_view text) {
  if (!text.empty() && std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos)
    return true;
  for (const std::string_view sign : {"\uff1d", "\uff0b", "\uff0d", "\uff20"}) {
    if (text.starts_with(sign)) return true;
  }
  return false;
}

std::string_view ReferenceTo(char32_t c) {
  return c < 0x80 ? HtmlReference(static_cast<char>(c)) : std::string_view();
}

}  // namespace

std::string_view HtmlReference(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '`':
      return "&#96;";  // old browsers took it for a quotation mark
    default:
      return {};
  }
}

void AppendHtml(std::string_view text, std::string* out) {
  for (size_t i = 0; i < text.size();) {
    const char32_t c = TakeCodePoint(text, &i);
    if (const std::string_view reference = ReferenceTo(c); !reference.empty()) {
      *out += reference;
    } else if (!TurnsDirection(c)) {
      AppendUtf8(IsHtmlControl(c) ? kReplacementCodePoint : c, out);
    }
  }
}

std::string HtmlEscaped(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  AppendHtml(text, &out);
  return out;
}

std::string XmlEscaped(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  for (size_t i = 0; i < text.size();) {
    const char32_t c = TakeCodePoint(text, &i);
    const std::string_view reference = c == '`' ? std::string_view() : ReferenceTo(c);
    if (!reference.empty()) {
      out += reference;
    } else {
      AppendUtf8(IsXmlCharacter(c) ? c : kReplacementCodePoint, &out);
    }
  }
  return out;
}

std::string CsvCell(std::string_view text) {
  std::string cell = "\"";
  if (LooksLikeFormula(text)) cell += '\'';
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

}  // namespace crivello::charset
