// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "graph/rank_file.h"

// Whatever the image contains, nothing outside it is read.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  std::vector<uint64_t> words((size + 7) / 8);
  if (size > 0) std::memcpy(words.data(), data, size);
  const auto ranks = graph::RankVector::FromImage(std::as_bytes(std::span(words)).first(size));
  if (!ranks.ok()) return 0;
  if (ranks->nodes() * sizeof(float) > size) std::abort();
  ranks->Describe();
  return 0;
}
