// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>
#include <string_view>

#include "frontier/url_record.h"

// Whatever parses is unchanged after a round trip through writing and reading.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::frontier;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto record = ParseUrlRecord(bytes);
  if (!record) return 0;
  std::string again;
  AppendUrlRecord(*record, &again);
  if (ParseUrlRecord(again) != record) std::abort();
  const auto parts = SplitUrl(record->url);
  if (!parts || !parts->path.starts_with('/') || !parts->directory().ends_with('/')) std::abort();
  return 0;
}
