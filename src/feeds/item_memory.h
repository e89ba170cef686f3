// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "web/feed/feed.h"

namespace crivello::feeds {

// Finds the new items of a feed, wherever they are in the file.  An item is identified by its id and by its
// link, as 64-bit hashes.  It is new unless one of the two was seen before.  An id that several items of one
// file share is ignored, because some programs write the site's address into each guid.  An item with neither
// is identified by its texts.
//
// It remembers all items of the file and as many earlier ones, so an item that a feed drops and shows again
// later is not new.  At most kMaxKeys hashes, 32 KiB.
class ItemMemory {
 public:
  static constexpr size_t kMaxKeys = 4096;
  // How many items of a file are read: the first ones.
  static constexpr size_t kMaxItems = kMaxKeys / 4;

  // `seen` is what an ItemMemory remembered before.
  explicit ItemMemory(std::vector<uint64_t> seen) : seen_(std::move(seen)) {}

  // Returns the indexes in `items` of the new ones, in order, each once, and remembers them.
  // O(n log n) in the number of items and of hashes.
  std::vector<size_t> TakeNew(const std::vector<web::FeedItem>& items);

  std::vector<uint64_t> keys() && { return std::move(seen_); }

 private:
  std::vector<uint64_t> seen_;  // the latest file's first
};

}  // namespace crivello::feeds
