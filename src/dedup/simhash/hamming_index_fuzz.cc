// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as the image of Hamming tables: rejected, or searched without reading outside.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "dedup/simhash/hamming_index.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  std::vector<uint64_t> words((size + 7) / 8);
  if (size > 0) std::memcpy(words.data(), data, size);
  const auto index = dedup::HammingIndex::FromImage(std::as_bytes(std::span(words)));
  if (!index.ok()) return 0;
  const std::vector<uint64_t> queries = {0, ~uint64_t{0}, 0x0123456789abcdef, words.back()};
  const auto batch = index->SearchBatch(queries);
  for (size_t i = 0; i < queries.size(); i++) {
    if (index->Search(queries[i]) != batch[i]) std::abort();
  }
  return 0;
}
