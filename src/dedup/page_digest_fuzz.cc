// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as a text: the digest does not depend on letter case, on the width of spaces, or on which
// digits there are.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "dedup/page_digest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static crivello::dedup::PageDigester digester;
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string other;
  for (const char c : text) {
    if (c >= 'a' && c <= 'z') {
      other += static_cast<char>(c - 'a' + 'A');
    } else if (c == ' ') {
      other += " , \n";
    } else if (c >= '0' && c <= '9') {
      other += static_cast<char>('0' + ('9' - c));
    } else {
      other += c;
    }
  }
  const auto digest = digester.Digest(text);
  if (digest.words != 0 && digest.text == 0) std::abort();
  if (!(digester.Digest(other) == digest)) std::abort();
  return 0;
}
