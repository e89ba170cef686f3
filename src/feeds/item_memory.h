// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "web/feed/feed.h"

namespace crivello::feeds {

// A feed is a window on a sequence of documents: the new ones are its tail, wherever in the file they stand.
// An item is known by its id and by its link, as 64-bit hashes.  It is new unless one of the two was seen
// before.  An id that several items of one file share is no id (some programs write the site's address into
// each guid).  An item with neither is known by its texts.
//
// All items of the file are remembered, and so are earlier ones, as many again: a feed that drops an item and
// shows it later brings nothing new.  At most kMaxKeys hashes, 32 KiB.
class ItemMemory {
 public:
  static constexpr size_t kMaxKeys = 4096;
  // Items of a file that are looked at; the first ones count.
  static constexpr size_t kMaxItems = kMaxKeys / 4;

  // `seen` is what an ItemMemory remembered before.
  explicit ItemMemory(std::vector<uint64_t> seen) : seen_(std::move(seen)) {}

  // The places in `items` of those that are new, in order, each once; then they are not new any more.
  // O(n log n) in the number of items and of hashes.
  std::vector<size_t> TakeNew(const std::vector<web::FeedItem>& items);

  std::vector<uint64_t> keys() && { return std::move(seen_); }

 private:
  std::vector<uint64_t> seen_;  // the latest file's first
};

}  // namespace crivello::feeds
