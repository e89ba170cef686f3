// SPDX-License-Identifier: Apache-2.0
#include "dedup/simhash/near_copy_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>

#include "base/random.h"

namespace crivello::dedup {
namespace {

constexpr uint64_t kLeastMemory = (uint64_t{1} << 16) * NearCopyTable::kBytesPerPage;

// What a table with rings of that many slots remembers: the newest entries of each bucket, stored separately.
class ObviousTable {
 public:
  explicit ObviousTable(size_t slots) : slots_(slots) {}
  void Add(uint64_t fingerprint, uint64_t reference) {
    for (unsigned table = 0; table < 4; table++) {
      auto& bucket = buckets_[{table, fingerprint >> (16 * table) & 0xffff}];
      bucket.push_back({fingerprint, reference});
      if (bucket.size() > slots_) bucket.pop_front();
    }
  }
  // The least distance to a remembered entry, or 64, and the references at that distance.
  std::pair<int, std::vector<uint64_t>> Nearest(uint64_t fingerprint) const {
    std::pair<int, std::vector<uint64_t>> nearest = {64, {}};
    for (const auto& [place, bucket] : buckets_) {
      if ((fingerprint >> (16 * place.first) & 0xffff) != place.second) continue;
      for (const auto& [other, reference] : bucket) {
        const int distance = __builtin_popcountll(other ^ fingerprint);
        if (distance < nearest.first) nearest = {distance, {}};
        if (distance == nearest.first) nearest.second.push_back(reference);
      }
    }
    return nearest;
  }

 private:
  size_t slots_;
  std::map<std::pair<unsigned, uint64_t>, std::deque<std::pair<uint64_t, uint64_t>>> buckets_;
};

TEST(NearCopyTableTest, FindsWhatBruteForceFinds) {
  SeededRandom random(1);
  NearCopyTable table = NearCopyTable::Create(kLeastMemory * 2).value();
  std::vector<uint64_t> pages;
  for (uint64_t i = 0; i < 3000; i++) {
    uint64_t query = random.Next();
    if (!pages.empty() && random.Below(2) == 0) {
      query = pages[random.Below(pages.size())];
      for (uint64_t flips = random.Below(7); flips > 0; flips--) query ^= uint64_t{1} << random.Below(64);
    }
    int nearest = 64;
    for (const uint64_t page : pages) nearest = std::min(nearest, __builtin_popcountll(page ^ query));
    const auto copy = table.Find(query);
    EXPECT_EQ(copy.has_value(), nearest <= NearCopyTable::kDistance);
    if (copy) {
      EXPECT_EQ(copy->distance, nearest);
      EXPECT_EQ(__builtin_popcountll(pages[copy->reference] ^ query), nearest);
    }
    // Random fingerprints do not fill a ring of two slots here; copies would.
    if (random.Below(2) == 0) {
      const uint64_t page = random.Next();
      table.Add(page, pages.size());
      pages.push_back(page);
    }
  }
}

TEST(NearCopyTableTest, OverwritesTheOldestOfABucket) {
  SeededRandom random(2);
  constexpr size_t kSlots = 3;
  NearCopyTable table = NearCopyTable::Create(kLeastMemory * kSlots).value();
  ObviousTable obvious(kSlots);
  EXPECT_EQ(table.capacity(), kSlots << 16);
  // Few distinct values in each block, so that rings wrap around.
  const auto page = [&] {
    uint64_t fingerprint = 0;
    for (unsigned block = 0; block < 4; block++) fingerprint |= random.Below(6) << (16 * block);
    return fingerprint;
  };
  for (uint64_t i = 0; i < 4000; i++) {
    const uint64_t query = page();
    const auto copy = table.Find(query);
    const auto [distance, references] = obvious.Nearest(query);
    ASSERT_EQ(copy.has_value(), distance <= NearCopyTable::kDistance);
    if (copy) {
      EXPECT_EQ(copy->distance, distance);
      EXPECT_TRUE(std::find(references.begin(), references.end(), copy->reference) != references.end());
    }
    const uint64_t added = page();
    table.Add(added, i);
    obvious.Add(added, i);
  }
}

TEST(NearCopyTableTest, StaysWithinItsMemory) {
  const NearCopyTable table = NearCopyTable::Create(kLeastMemory * 5 + 1).value();
  EXPECT_EQ(table.capacity(), uint64_t{5} << 16);
  EXPECT_EQ(table.MemoryBytes(), table.capacity() * NearCopyTable::kBytesPerPage + (1 << 20));
  EXPECT_FALSE(NearCopyTable::Create(kLeastMemory - 1).ok());
}

}  // namespace
}  // namespace crivello::dedup
