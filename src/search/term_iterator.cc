// SPDX-License-Identifier: Apache-2.0
#include "search/term_iterator.h"

#include <algorithm>

namespace crivello::search {

// Of a list of one block the exact maximum: cheaper than impacts, which such lists do not keep.
Quanta TermIterator::ListBound() {
  is_short_ = cost_ <= index::kBlockPostings;
  if (!is_short_) return Formula::Rounded(formula_.Bound(cursor_.list_max()));
  const auto docs = cursor_.block_rest();
  const auto counts = cursor_.block_rest_counts();
  float bound = 0;
  for (size_t i = 0; i < docs.size(); i++) {
    bound = std::max(bound, formula_(static_cast<float>(counts[i]), static_cast<float>(lengths_[docs[i]])));
  }
  return Formula::Rounded(bound);
}

void TermIterator::AddScores(DocId begin, DocId end, Quanta* scores, uint8_t* marks) {
  while (doc_ < end) {
    const auto docs = cursor_.block_rest();
    const auto counts = cursor_.block_rest_counts();
    size_t size = docs.size();
    if (docs.back() >= end) {
      size = static_cast<size_t>(std::lower_bound(docs.begin(), docs.end(), end) - docs.begin());
    }
    // Apart, so that the formula is computed by vectors.
    std::array<uint32_t, index::kBlockPostings> lengths;
    std::array<Quanta, index::kBlockPostings> block;
    for (size_t i = 0; i < size; i++) lengths[i] = lengths_[docs[i]];
    for (size_t i = 0; i < size; i++) {
      block[i] = formula_.Score(static_cast<float>(counts[i]), static_cast<float>(lengths[i]));
    }
    for (size_t i = 0; i < size; i++) {
      const DocId at = docs[i] - begin;
      scores[at] += block[i];
      marks[at >> 6] = 1;
    }
    cursor_.SkipInBlock(static_cast<uint32_t>(size));
    doc_ = cursor_.doc();
  }
}

void TermIterator::AddBits(DocId begin, DocId end, uint64_t* bits) {
  while (doc_ < end) {
    const auto docs = cursor_.block_rest();
    size_t size = docs.size();
    if (docs.back() >= end) {
      size = static_cast<size_t>(std::lower_bound(docs.begin(), docs.end(), end) - docs.begin());
    }
    for (size_t i = 0; i < size; i++) {
      const DocId at = docs[i] - begin;
      bits[at >> 6] |= uint64_t{1} << (at & 63);
    }
    cursor_.SkipInBlock(static_cast<uint32_t>(size));
    doc_ = cursor_.doc();
  }
}

}  // namespace crivello::search
