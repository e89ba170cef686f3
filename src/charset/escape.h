// SPDX-License-Identifier: Apache-2.0
// Foreign text inside a format of ours: whatever the bytes are, the reader of the format takes them for text.
// This is the one place that escapes for markup and tables.  Pure functions, linear.  What is not UTF-8
// becomes U+FFFD, where nothing else is said.
#pragma once

#include <string>
#include <string_view>

namespace crivello::charset {

// The reference that stands for one of < > & " ' ` in HTML; empty for other characters.
std::string_view HtmlReference(char c);

// Text of HTML, in content and in quoted attributes alike.  Control characters become U+FFFD.  The characters
// that turn the direction of text are left out: a title could turn around the text that follows it.
void AppendHtml(std::string_view text, std::string* out);
std::string HtmlEscaped(std::string_view text);

// Text of XML, in content and in quoted attributes alike.  U+FFFD stands for what XML cannot have.
std::string XmlEscaped(std::string_view text);

// A cell of a CSV file (RFC 4180), in quotes.  Text that begins with = + - @, a tab or a carriage return gets
// an apostrophe in front: spreadsheets take it for a formula and run it, and a formula can send the sheet
// elsewhere or start a program.  Bytes that are not UTF-8 stay.
std::string CsvCell(std::string_view text);

}  // namespace crivello::charset
