// SPDX-License-Identifier: Apache-2.0
#include "dedup/discovery/keyed_documents.h"

#include <algorithm>
#include <array>

namespace crivello::dedup {

void SortByKey(std::vector<KeyedDocument>* documents, std::vector<KeyedDocument>* scratch) {
  constexpr unsigned kDigitBits = 11;
  constexpr uint64_t kDigits = uint64_t{1} << kDigitBits;
  constexpr size_t kFew = 256;
  if (documents->size() < kFew) {
    std::stable_sort(documents->begin(), documents->end(),
                     [](const KeyedDocument& a, const KeyedDocument& b) { return a.key < b.key; });
    return;
  }
  uint64_t differing = 0;
  for (const KeyedDocument& one : *documents) differing |= one.key ^ documents->front().key;
  scratch->resize(documents->size());
  for (unsigned shift = 0; shift < 64; shift += kDigitBits) {
    if ((differing >> shift & (kDigits - 1)) == 0) continue;
    std::array<size_t, kDigits + 1> next = {};
    for (const KeyedDocument& one : *documents) next[(one.key >> shift & (kDigits - 1)) + 1]++;
    for (size_t digit = 1; digit <= kDigits; digit++) next[digit] += next[digit - 1];
    for (const KeyedDocument& one : *documents) {
      (*scratch)[next[one.key >> shift & (kDigits - 1)]++] = one;
    }
    documents->swap(*scratch);
  }
}

}  // namespace crivello::dedup
