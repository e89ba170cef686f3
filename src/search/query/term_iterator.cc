// SPDX-License-Identifier: Apache-2.0
#include "search/query/term_iterator.h"

#include <algorithm>
#include <array>

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

void TermIterator::ScoreBlock(size_t n, Quanta* scores) {
  const auto docs = cursor_.block_rest();
  const auto counts = cursor_.block_rest_counts();
  // Apart, so that the formula is computed by vectors, and no length waits for another.
  std::array<uint32_t, index::kBlockPostings> lengths;
  for (size_t i = 0; i < n; i++) lengths[i] = lengths_[docs[i]];
  for (size_t i = 0; i < n; i++) {
    scores[i] = formula_.Score(static_cast<float>(counts[i]), static_cast<float>(lengths[i]));
  }
}

void TermIterator::AddScores(const ScoreWindow& window) {
  std::array<Quanta, index::kBlockPostings> block;
  Quanta* const scores = window.scores;
  uint8_t* const marks = window.marks;
  const DocId begin = window.begin;
  while (doc_ < window.end) {
    const auto docs = cursor_.block_rest();
    const size_t size = CountBefore(docs, window.end);
    ScoreBlock(size, block.data());
    for (size_t i = 0; i < size; i++) {
      const DocId at = docs[i] - begin;
      scores[at] += block[i];
      marks[at / kWindowGroup] = 1;
    }
    SkipInBlock(size);
  }
}

void TermIterator::AddCommonBits(DocId begin, DocId end, const uint64_t* among, uint64_t* bits) {
  ForEachBefore(cursor_, begin, end,
                [=](DocId at) { bits[at >> 6] |= among[at >> 6] & uint64_t{1} << (at & 63); });
  doc_ = cursor_.doc();
}
uint64_t TermIterator::CountCommonBits(DocId begin, DocId end, const uint64_t* among) {
  uint64_t count = 0;
  ForEachBefore(cursor_, begin, end, [among, &count](DocId at) { count += among[at >> 6] >> (at & 63) & 1; });
  doc_ = cursor_.doc();
  return count;
}

}  // namespace crivello::search
