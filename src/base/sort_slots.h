// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace crivello {

// A record in BasicExternalSorter's memory: its key, and the offset of its length (four bytes) and bytes.
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

// Eight bytes from `depth` on, as a number that sorts like them; missing bytes count as zeros.
inline uint64_t PrefixAt(std::string_view bytes, size_t depth = 0) {
  if (bytes.size() <= depth) return 0;
  uint64_t prefix = 0;
  std::memcpy(&prefix, bytes.data() + depth, std::min(bytes.size() - depth, sizeof prefix));
  return __builtin_bswap64(prefix);
}

// Sorts slots by the bytes of their records. REQUIRES: the keys are PrefixAt(bytes); they are changed. Slots
// with equal keys are sorted again by the next eight bytes, and so on. So all comparisons are of numbers, and
// a record is read once for every eight bytes that it shares with another.
void SortSlotsByBytes(std::span<SortSlot<uint64_t>> slots, const std::byte* memory);

}  // namespace crivello
