// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "frontier/queue_block.h"

// Arbitrary bytes are read as a block within bounds, and what was read is unchanged after a round trip.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::frontier;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  QueueBlockReader reader(bytes, "host.example");
  QueueBlockWriter writer;
  std::vector<QueueItem> items;
  QueueItem item;
  while (items.size() < 1000 && reader.Next(item)) {
    const auto parts = SplitUrl(item.url);
    if (!parts || parts->host != "host.example") continue;  // a path that canonical URLs never have
    writer.Add(*parts, {item.kind, item.depth, item.attempts, item.found, Via::Of(item.url, item.via)});
    items.push_back(item);
  }
  QueueBlockReader again(writer.bytes(), "host.example");
  for (const QueueItem& expected : items) {
    if (!again.Next(item) || item.url != expected.url || item.kind != expected.kind ||
        item.depth != expected.depth || item.attempts != expected.attempts || item.found != expected.found ||
        item.via != expected.via) {
      std::abort();
    }
  }
  if (again.Next(item)) std::abort();
  return 0;
}
