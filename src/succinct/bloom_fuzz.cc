// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as the image of a Bloom filter, plain and blocked: opening, lookups and adding to a copy
// stay inside, and added keys are found.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "succinct/bloom_filter.h"

namespace crivello::succinct {
namespace {

template <typename Layout>
void Use(Bytes image) {
  const auto filter = BasicBloomFilter<Layout>::FromImage(image);
  auto copy = BasicMutableBloomFilter<Layout>::FromImage(image);
  if (filter.ok() != copy.ok()) std::abort();
  if (!filter.ok()) return;
  if (filter->Describe().empty()) std::abort();
  for (uint64_t i = 0; i < 16; i++) {
    const std::string key = std::to_string(i);
    const bool before = filter->Contains(key);
    if (copy->Add(key) && !before && i == 0) std::abort();
    if (!copy->Contains(key)) std::abort();
  }
  if (!copy->Merge(*filter).ok()) std::abort();
  if (copy->Build().bytes().size() != image.size()) std::abort();
}

}  // namespace
}  // namespace crivello::succinct

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint64_t> words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  crivello::succinct::Use<crivello::succinct::BloomLayout>(std::as_bytes(std::span(words)));
  crivello::succinct::Use<crivello::succinct::BlockedBloomLayout>(std::as_bytes(std::span(words)));
  return 0;
}
