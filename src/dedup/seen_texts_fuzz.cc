// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as the image of a dictionary of texts: rejected, or usable.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "dedup/seen_texts.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  static const auto seen = dedup::SeenTexts::Create({.memory_bytes = 1024, .error = 0x1p-4});
  std::vector<uint64_t> words((size + 7) / 8);
  if (size > 0) std::memcpy(words.data(), data, size);
  if (!(*seen)->Restore(std::as_bytes(std::span(words))).ok()) return 0;
  for (uint64_t i = 0; i < 100; i++) {
    (*seen)->Add(i, i % 3);
    if (!(*seen)->Look(i, i % 3).on_this_host) std::abort();
  }
  return 0;
}
