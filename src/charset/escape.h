// SPDX-License-Identifier: Apache-2.0
// Embeds foreign text in our formats, so that every reader of the format sees text, whatever the bytes are.
// This is the only place that escapes for markup and tables. Pure functions, linear. Invalid UTF-8 becomes
// U+FFFD unless stated otherwise.
#pragma once

#include <string>
#include <string_view>

namespace crivello::charset {

// The reference for one of < > & " ' ` in HTML; empty for other characters.
std::string_view HtmlReference(char c);

// Escapes text for HTML content and quoted attributes. Control characters become U+FFFD. Characters that
// change the text direction are removed: a title could otherwise reverse the text after it.
void AppendHtml(std::string_view text, std::string* out);
std::string HtmlEscaped(std::string_view text);

// Escapes text for XML content and quoted attributes. Characters that XML forbids become U+FFFD.
std::string XmlEscaped(std::string_view text);

// A cell of a CSV file (RFC 4180), in quotes. Text that begins with = + - @, a tab or a carriage return gets
// a leading apostrophe: spreadsheets would run it as a formula, which can send the sheet elsewhere or start a
// program. Invalid UTF-8 stays.
std::string CsvCell(std::string_view text);

}  // namespace crivello::charset
