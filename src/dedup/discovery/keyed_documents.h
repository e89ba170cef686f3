// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace crivello::dedup {

// A document in a group: documents with the same key may be near-duplicates.
struct KeyedDocument {
  uint64_t key = 0;
  uint32_t document = 0;
  friend bool operator==(const KeyedDocument&, const KeyedDocument&) = default;
};

// Sorts by key, stably. A radix sort from the lowest digit up, with digits of 11 bits; it skips digits that
// are equal everywhere, so keys of 22 bits take two passes. `scratch` becomes equally large, and should be
// reused for further calls.
void SortByKey(std::vector<KeyedDocument>* documents, std::vector<KeyedDocument>* scratch);

}  // namespace crivello::dedup
