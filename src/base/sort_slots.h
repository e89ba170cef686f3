// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace crivello {

// A record in the memory of BasicExternalSorter: its key, and where its length (four bytes) and bytes lie.
template <typename Key>
struct SortSlot {
  Key key;
  uint64_t offset = 0;
};

inline std::string_view SortedBytes(const std::byte* memory, uint64_t offset) {
  const char* const at = reinterpret_cast<const char*>(memory) + offset;
  uint32_t length;
  std::memcpy(&length, at, sizeof length);
  return {at + sizeof length, length};
}

// Eight bytes from `depth` on as a number that sorts as they do; zeros stand for what is missing.
inline uint64_t PrefixAt(std::string_view bytes, size_t depth = 0) {
  if (bytes.size() <= depth) return 0;
  uint64_t prefix = 0;
  std::memcpy(&prefix, bytes.data() + depth, std::min(bytes.size() - depth, sizeof prefix));
  return __builtin_bswap64(prefix);
}

// Sorts slots, whose keys are PrefixAt(bytes), by the bytes of their records; the keys are different ones
// afterwards.  Slots of one key are sorted again by the next eight bytes, and so on: so comparisons are those
// of numbers, and each record is looked at once for every eight bytes that it shares with another.
void SortSlotsByBytes(std::span<SortSlot<uint64_t>> slots, const std::byte* memory);

}  // namespace crivello
