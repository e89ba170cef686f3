// SPDX-License-Identifier: Apache-2.0
#include "web/url/percent.h"

namespace crivello::web {

void AppendEscape(uint8_t byte, std::string* out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const char escape[3] = {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  out->append(escape, 3);
}

void AppendPercentEncoded(std::string_view text, PercentSet set, std::string* out) {
  size_t copied = 0;
  for (size_t i = 0; i < text.size(); i++) {
    if (!InPercentSet(text[i], set)) continue;
    out->append(text, copied, i - copied);
    AppendEscape(static_cast<uint8_t>(text[i]), out);
    copied = i + 1;
  }
  out->append(text, copied);
}

void AppendPercentDecoded(std::string_view text, std::string* out) {
  for (size_t i = 0; i < text.size(); i++) {
    const int byte = EscapeAt(text, i);
    out->push_back(byte < 0 ? text[i] : static_cast<char>(byte));
    if (byte >= 0) i += 2;
  }
}

void AppendPercentNormalized(std::string_view text, std::string* out) {
  size_t copied = 0;
  size_t guarded = 0;  // a decoded byte before this position would complete a stray '%'
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] != '%') continue;
    const int byte = EscapeAt(text, i);
    if (byte < 0) {
      guarded = i + 3;
      continue;
    }
    out->append(text, copied, i - copied);
    if (IsUnreserved(byte) && i >= guarded) {
      out->push_back(static_cast<char>(byte));
    } else {
      AppendEscape(static_cast<uint8_t>(byte), out);
    }
    i += 2;
    copied = i + 1;
  }
  out->append(text, copied);
}

}  // namespace crivello::web
