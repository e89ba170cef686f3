// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "lab/integers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::lab;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (auto list = ParseIntegers(text); list.ok()) GapsOf(std::move(*list)).status().IgnoreError();
  ParseBinaryIntegers(text, 4).status().IgnoreError();
  const Integers postings = PostingsOf(text);
  size_t total = 0;
  for (const auto& one : postings.lists) total += one.size();
  if (total != postings.values.size()) std::abort();
  return 0;
}
