// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as an archive: the reader must end, and no block may exceed its limit.

#include <cstdint>
#include <cstdlib>

#include "store/warc_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::store;
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  WarcReader reader(file, {.max_block_bytes = 1 << 16});
  uint64_t bytes = 0;
  while (const auto record = reader.Next()) {
    if (record->block.size() > 1 << 16 || record->offset > size) std::abort();
    for (const char c : record->block) bytes += static_cast<uint8_t>(c);
    ParseWarcDate(record->date);
  }
  WarcReader skipping(file, {.max_block_bytes = 1 << 16});
  while (skipping.Skip()) bytes++;
  return 0;
}
