// SPDX-License-Identifier: Apache-2.0
#include "base/sort_slots.h"

#include <vector>

namespace crivello {
namespace {

using ByteSlot = SortSlot<uint64_t>;

// Up to this many slots are sorted by comparing whole records.
constexpr size_t kFewSlots = 8;

// Slots whose records agree in `depth` bytes, and whose keys are the next eight bytes.
struct SlotGroup {
  std::span<ByteSlot> slots;
  size_t depth = 0;
};

}  // namespace

void SortSlotsByBytes(std::span<ByteSlot> slots, const std::byte* memory) {
  const auto bytes_of = [memory](const ByteSlot& slot) { return SortedBytes(memory, slot.offset); };
  // The groups are kept here instead of on the stack, because records may share any number of bytes.
  std::vector<SlotGroup> groups = {{slots, 0}};
  while (!groups.empty()) {
    const SlotGroup group = groups.back();
    groups.pop_back();
    if (group.slots.size() <= kFewSlots) {
      std::sort(group.slots.begin(), group.slots.end(), [&](const ByteSlot& a, const ByteSlot& b) {
        return a.key != b.key ? a.key < b.key : bytes_of(a) < bytes_of(b);
      });
      continue;
    }
    std::sort(group.slots.begin(), group.slots.end(),
              [](const ByteSlot& a, const ByteSlot& b) { return a.key < b.key; });
    const size_t depth = group.depth + sizeof(uint64_t);
    for (auto begin = group.slots.begin(); begin != group.slots.end();) {
      auto end = begin + 1;
      while (end != group.slots.end() && end->key == begin->key) ++end;
      if (end - begin > 1) {
        // Records that end here differ only in trailing zeros; so do longer ones in this group.
        const auto longer =
            std::partition(begin, end, [&](const ByteSlot& slot) { return bytes_of(slot).size() <= depth; });
        std::sort(begin, longer, [&](const ByteSlot& a, const ByteSlot& b) {
          return bytes_of(a).size() < bytes_of(b).size();
        });
        for (auto slot = longer; slot != end; ++slot) slot->key = PrefixAt(bytes_of(*slot), depth);
        if (end - longer > 1) groups.push_back({std::span<ByteSlot>(longer, end), depth});
      }
      begin = end;
    }
  }
}

}  // namespace crivello
