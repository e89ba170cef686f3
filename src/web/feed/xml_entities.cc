// SPDX-License-Identifier: Apache-2.0
#include "web/feed/xml_entities.h"

#include <algorithm>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "html/entities.h"

namespace crivello::web {
namespace internal {

size_t MeasureReference(std::string_view text, std::string_view* name, uint32_t* code_point) {
  *name = {};
  if (text.size() < 3) return 0;
  if (text[1] != '#') {
    size_t end = 1;
    while (end < text.size() && end <= html::kMaxEntityNameBytes && IsAsciiAlnum(text[end])) end++;
    if (end == 1 || end >= text.size() || text[end] != ';') return 0;
    *name = text.substr(1, end - 1);
    return end + 1;
  }
  const bool hex = text[2] == 'x' || text[2] == 'X';
  const int radix = hex ? 16 : 10;
  const size_t first = hex ? 3 : 2;
  uint32_t value = 0;
  size_t end = first;
  for (; end < text.size() && end < first + html::kMaxEntityNameBytes; end++) {
    const int digit = HexValue(text[end]);
    if (digit < 0 || digit >= radix) break;
    value = std::min(value * static_cast<uint32_t>(radix) + static_cast<uint32_t>(digit), 0x110000U);
  }
  if (end == first || end >= text.size() || text[end] != ';') return 0;
  *code_point = value;
  return end + 1;
}

}  // namespace internal

void AppendWithoutReferences(std::string_view text, std::string* out) {
  while (true) {
    const size_t amp = text.find('&');
    out->append(text.substr(0, amp));
    if (amp == std::string_view::npos) return;
    text.remove_prefix(amp);
    std::string_view name;
    uint32_t code_point = 0;
    const size_t length = internal::MeasureReference(text, &name, &code_point);
    std::string_view found;
    if (length > 0 && name.empty()) {
      charset::AppendUtf8(html::NumericReference(code_point), out);
    } else if (length > 0 && !(found = html::FindEntity(text.substr(1, length - 1))).empty()) {
      out->append(found);
    } else {
      out->push_back('&');
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(length);
  }
}

}  // namespace crivello::web
