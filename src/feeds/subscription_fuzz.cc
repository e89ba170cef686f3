// SPDX-License-Identifier: Apache-2.0
// Any bytes as the subscriptions of a feed: what was read is written back unchanged.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "feeds/subscription.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::feeds;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto all = DecodeSubscriptions(bytes);
  if (!all.ok()) return 0;
  if (all->size() > kMostSubscriptions || EncodeSubscriptions(*all) != bytes) std::abort();
  return 0;
}
