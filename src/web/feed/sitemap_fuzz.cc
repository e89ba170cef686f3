// SPDX-License-Identifier: Apache-2.0
// Any bytes give entries within the limits, and the counts match what is reported.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "web/feed/sitemap.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::web;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  uint64_t entries = 0;
  const SitemapOptions options = {
      .max_entries = 3, .max_bytes = 4096, .max_loc_bytes = 64, .max_alternates = 2};
  const auto summary = ReadSitemap(input, options, [&](const SitemapEntry& entry) {
    entries++;
    if (entry.loc.empty() || entry.loc.size() > 64 || entry.alternates.size() > 2) std::abort();
    if (entry.priority && !(*entry.priority >= 0 && *entry.priority <= 1)) std::abort();
  });
  if (entries > 3 || (summary.ok() && summary->entries != entries)) std::abort();
  return 0;
}
