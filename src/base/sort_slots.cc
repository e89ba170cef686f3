// SPDX-License-Identifier: Apache-2.0
#include "base/sort_slots.h"

#include <vector>

namespace crivello {
namespace {

using ByteSlot = SortSlot<uint64_t>;

// Few slots are sorted by whole records.
constexpr size_t kFewSlots = 8;

// Slots whose records agree in `depth` bytes, and whose keys are the eight bytes that follow.
struct SlotGroup {
  std::span<ByteSlot> slots;
  size_t depth = 0;
};

}  // namespace

void SortSlotsByBytes(std::span<ByteSlot> slots, const std::byte* memory) {
  const auto bytes_of = [memory](const ByteSlot& slot) { return SortedBytes(memory, slot.offset); };
  // The groups wait here and not on the stack, since records may agree in any number of bytes.
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
        // Records that end here agree but for zeros at their ends, and so do those that have more with them.
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
