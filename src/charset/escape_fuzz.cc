// SPDX-License-Identifier: Apache-2.0
// Text cannot break out: the escaped form is UTF-8 and has none of the characters that would end it.
#include <cstdint>
#include <cstdlib>

#include "charset/escape.h"
#include "charset/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::charset;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string html = HtmlEscaped(text);
  if (html.find_first_of("<>\"'`") != std::string::npos || !IsValidUtf8(html)) std::abort();
  const std::string xml = XmlEscaped(text);
  if (xml.find_first_of("<>\"'") != std::string::npos || !IsValidUtf8(xml)) std::abort();
  // Quotation marks inside a cell are doubled, so the whole has an even number of them, and a single one can
  // only be the last.
  const std::string cell = CsvCell(text);
  for (size_t i = 1; i + 1 < cell.size(); i++) {
    if (cell[i] == '"' && cell[++i] != '"') std::abort();
  }
  return 0;
}
