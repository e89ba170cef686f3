// SPDX-License-Identifier: Apache-2.0
#include "html/html_names.h"

#include <array>
#include <cstddef>

namespace crivello::html {
namespace {

constexpr std::string_view kTagNames[] = {"",
#define CRV_TAG(id, name, kinds) name,
                                          CRV_HTML_TAGS(CRV_TAG)
#undef CRV_TAG
};
constexpr size_t kTags = static_cast<size_t>(Tag::kCount);
static_assert(std::size(kTagNames) == kTags && kTags < 256);

constexpr size_t kSlots = 1024;

// The length and the first, middle and last byte distinguish almost all names; a table with a few times as
// many slots does the rest.
constexpr size_t Slot(std::string_view name) {
  const auto byte = [name](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(name[i])); };
  const size_t n = name.size();
  return (byte(0) * 7 + byte(n / 2) * 37 + byte(n - 1) * 131 + n * 59) % kSlots;
}

constexpr std::array<uint8_t, kSlots> MakeSlots() {
  std::array<uint8_t, kSlots> slots{};
  for (size_t tag = 1; tag < kTags; ++tag) {
    size_t slot = Slot(kTagNames[tag]);
    while (slots[slot] != 0) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<uint8_t>(tag);
  }
  return slots;
}
constexpr std::array<uint8_t, kSlots> kSlotTable = MakeSlots();

// Names have only a few bytes: a loop costs less than the call of memcmp in ==.
bool Equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

Tag FindTag(std::string_view name) {
  if (name.empty()) return Tag::kUnknown;
  for (size_t slot = Slot(name); kSlotTable[slot] != 0; slot = (slot + 1) % kSlots) {
    if (Equal(kTagNames[kSlotTable[slot]], name)) return static_cast<Tag>(kSlotTable[slot]);
  }
  return Tag::kUnknown;
}

std::string_view TagName(Tag tag) { return kTagNames[static_cast<size_t>(tag)]; }

}  // namespace crivello::html
