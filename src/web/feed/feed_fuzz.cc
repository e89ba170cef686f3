// SPDX-License-Identifier: Apache-2.0
// Any bytes give a feed within the limits, or an error.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "web/feed/feed.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::web;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const FeedOptions options = {
      .base_url = "http://example.org/a/b?c#d", .max_items = 4, .max_text_bytes = 64, .max_list = 2};
  const auto feed = ParseFeed(input, options);
  if (!feed.ok()) return 0;
  if (feed->items.size() > 4 || feed->links.size() > 8) std::abort();
  (void)feed->poll_interval_s();
  for (const FeedItem& item : feed->items) {
    if (item.title.value.size() > 64 || item.content.value.size() > 64) std::abort();
    if (item.categories.size() > 2 || item.enclosures.size() > 2 || item.authors.size() > 2) std::abort();
    if (item.summary.PlainText().size() > 64) std::abort();
  }
  return 0;
}
