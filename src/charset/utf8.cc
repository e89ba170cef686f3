// SPDX-License-Identifier: Apache-2.0
#include "charset/utf8.h"

#include <simdjson.h>

namespace crivello::charset {

bool IsValidUtf8(std::string_view bytes) {
  return bytes.empty() || simdjson::validate_utf8(bytes.data(), bytes.size());
}

Utf8Sequence Utf8SequenceAt(std::string_view bytes, size_t i) {
  const auto byte = [&](size_t k) { return static_cast<uint8_t>(bytes[i + k]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {1, true};
  size_t length = 0;
  // Limits of the second byte: no overlong form, no surrogate, nothing above 10FFFF.
  uint8_t low = 0x80, high = 0xbf;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
  } else {
    return {1, false};
  }
  for (size_t k = 1; k < length; k++) {
    if (i + k >= bytes.size() || byte(k) < low || byte(k) > high) return {k, false};
    low = 0x80;
    high = 0xbf;
  }
  return {length, true};
}

char32_t TakeCodePoint(std::string_view bytes, size_t* i) {
  const auto [length, valid] = Utf8SequenceAt(bytes, *i);
  const size_t at = *i;
  *i += length;
  if (!valid) return kReplacementCodePoint;
  const auto lead = static_cast<uint8_t>(bytes[at]);
  if (length == 1) return lead;
  char32_t code_point = lead & (0x7FU >> length);
  for (size_t k = 1; k < length; k++)
    code_point = code_point << 6 | (static_cast<uint8_t>(bytes[at + k]) & 0x3FU);
  return code_point;
}

size_t EncodeUtf8(char32_t c, char* out) {
  const auto put = [out](size_t i, char32_t byte) { out[i] = static_cast<char>(byte); };
  if (c < 0x80) return put(0, c), 1;
  if (c < 0x800) return put(0, 0xC0 | c >> 6), put(1, 0x80 | (c & 0x3F)), 2;
  if (c < 0x10000) {
    return put(0, 0xE0 | c >> 12), put(1, 0x80 | (c >> 6 & 0x3F)), put(2, 0x80 | (c & 0x3F)), 3;
  }
  put(0, 0xF0 | c >> 18), put(1, 0x80 | (c >> 12 & 0x3F));
  return put(2, 0x80 | (c >> 6 & 0x3F)), put(3, 0x80 | (c & 0x3F)), 4;
}

void AppendUtf8(char32_t code_point, std::string* out) {
  char bytes[4];
  out->append(bytes, EncodeUtf8(code_point, bytes));
}

}  // namespace crivello::charset
