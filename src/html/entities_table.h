// SPDX-License-Identifier: Apache-2.0
// The table behind entities.h, written by tools/make-entities.
#pragma once

#include <cstddef>
#include <cstdint>

namespace crivello::html {

struct Entity {
  char name[33];  // without '&', with ';' unless it is a legacy name
  uint8_t name_size;
  uint8_t utf8_size;
  char utf8[7];
};

inline constexpr size_t kEntityCount = 2231;
inline constexpr size_t kEntitySlotCount = 4096;

extern const Entity kEntities[kEntityCount];
// A hash table with linear probing over kEntities: index + 1, or 0 where empty.
extern const uint16_t kEntitySlots[kEntitySlotCount];

}  // namespace crivello::html
