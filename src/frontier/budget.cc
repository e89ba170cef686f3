// SPDX-License-Identifier: Apache-2.0
#include "frontier/budget.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/hash.h"
#include "base/record.h"

namespace crivello::frontier {

std::optional<std::string_view> Budget::Spent(MonotonicTime now) const {
  const BudgetOptions limits = options();
  if (limits.pages != 0 && pages() >= limits.pages) return "max-pages";
  if (limits.bytes != 0 && bytes() >= limits.bytes) return "max-bytes";
  if (limits.time != Duration::zero() && now - opened_ >= limits.time) return "max-time";
  return std::nullopt;
}

bool CountInDirectory(std::string_view path, uint64_t limit, std::string* table) {
  // They fit in 4096 bytes: at most five for a 32-bit hash, three for a count.
  constexpr size_t kMaxDirectories = 500;
  constexpr uint64_t kMaxCount = (1 << 21) - 1;
  struct Entry {
    uint64_t hash = 0;
    uint64_t count = 0;
  };
  const uint64_t hash = Hash64(path) >> 32;
  std::vector<Entry> entries;
  for (RecordReader reader(*table); !reader.finished();) {
    const Entry entry = {reader.NumberAtMost(std::numeric_limits<uint32_t>::max()),
                         reader.NumberAtMost(kMaxCount)};
    if (!reader.ok()) break;
    entries.push_back(entry);
  }
  auto it = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.hash == hash; });
  if (it == entries.end()) {
    if (entries.size() >= kMaxDirectories)
      entries.erase(std::min_element(entries.begin(), entries.end(),
                                     [](const Entry& a, const Entry& b) { return a.count < b.count; }));
    it = entries.insert(entries.end(), {.hash = hash});
  }
  if (it->count >= std::min(limit, kMaxCount)) return false;
  it->count++;
  RecordWriter writer;
  for (const Entry& entry : entries) {
    writer.Number(entry.hash);
    writer.Number(entry.count);
  }
  *table = writer.bytes();
  return true;
}

}  // namespace crivello::frontier
