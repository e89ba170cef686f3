// SPDX-License-Identifier: Apache-2.0
// Any bytes as what agents tell of their crawl, and as seeds for them: what is read is written the same.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cluster/agent/crawl_report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto report = cluster::DecodeCrawlReport(bytes);
  if (report.ok() && cluster::EncodeCrawlReport(*report) != bytes) std::abort();
  const auto seeds = cluster::DecodeSeedOrder(bytes);
  if (seeds.ok() && cluster::EncodeSeedOrder(*seeds) != bytes) std::abort();
  return 0;
}
