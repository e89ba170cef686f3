// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace crivello::dedup {

// A document in a group: those of one key may be near-duplicates.
struct KeyedDocument {
  uint64_t key = 0;
  uint32_t document = 0;
  friend bool operator==(const KeyedDocument&, const KeyedDocument&) = default;
};

// Sorts by key; those of one key stay in their order.  A radix sort from the lowest digit of 11 bits up,
// which passes over digits that are the same everywhere: keys of 22 bits take two passes.  `scratch` is as
// large afterwards, and kept from call to call.
void SortByKey(std::vector<KeyedDocument>* documents, std::vector<KeyedDocument>* scratch);

}  // namespace crivello::dedup
