// SPDX-License-Identifier: Apache-2.0
#include "feeds/item_memory.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"

namespace crivello::feeds {
namespace {

// How many earlier items are remembered even if the feed shows fewer.
constexpr size_t kLeastEarlier = 128;

uint64_t NameHash(std::string_view kind, std::string_view value) {
  std::string text(kind);
  text += value;
  return Hash64(text);
}

}  // namespace

std::vector<size_t> ItemMemory::TakeNew(const std::vector<web::FeedItem>& items) {
  const size_t count = std::min(items.size(), kMaxItems);
  std::unordered_map<std::string_view, size_t> ids;
  for (size_t i = 0; i < count; ++i) {
    if (!items[i].id.empty()) ids[items[i].id]++;
  }
  std::unordered_set<uint64_t> known(seen_.begin(), seen_.end());
  const std::unordered_set<uint64_t> before = known;
  std::vector<uint64_t> now;
  std::unordered_set<uint64_t> in_file;
  std::vector<size_t> news;
  for (size_t i = 0; i < count; ++i) {
    const web::FeedItem& item = items[i];
    std::vector<uint64_t> names;
    if (!item.link.empty()) names.push_back(NameHash("link ", item.link));
    if (!item.id.empty() && ids[item.id] == 1) names.push_back(NameHash("id ", item.id));
    if (names.empty()) {
      names.push_back(
          NameHash("text ", item.title.value + '\n' + item.summary.value + '\n' + item.content.value));
    }
    const bool is_new =
        std::none_of(names.begin(), names.end(), [&](uint64_t name) { return known.contains(name); });
    if (is_new) news.push_back(i);
    for (const uint64_t name : names) {
      known.insert(name);
      if (in_file.insert(name).second) now.push_back(name);
    }
  }
  // After an answer without items, such as an error page that parses as a feed, everything stays remembered.
  const size_t earlier =
      std::min(std::max(now.size(), std::max(kLeastEarlier, seen_.size() / 2)), kMaxKeys - now.size());
  size_t kept = 0;
  for (const uint64_t name : seen_) {
    if (kept == earlier) break;
    if (in_file.contains(name)) continue;
    now.push_back(name);
    kept++;
  }
  seen_ = std::move(now);
  return news;
}

}  // namespace crivello::feeds
