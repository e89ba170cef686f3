// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as a line and as a URL: a line that parses survives a round trip, and keys have no byte
// that would break a line or its order.

#include <cstdint>
#include <cstdlib>

#include "store/cdxj.h"
#include "store/surt.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::store;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char c : SurtKey(text)) {
    if (c <= ' ' || c > '~') std::abort();
  }
  const auto entry = ParseCdxj(text);
  if (!entry.ok()) return 0;
  const auto again = ParseCdxj(FormatCdxj(*entry));
  // The key is written as it is, so a line with one survives a round trip; a repeated name becomes one field.
  if (!again.ok() || !(*again == *entry)) std::abort();
  return 0;
}
