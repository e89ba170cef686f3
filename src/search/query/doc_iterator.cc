// SPDX-License-Identifier: Apache-2.0
#include "search/query/doc_iterator.h"

namespace crivello::search {

void DocIterator::AddScores(const ScoreWindow& window) {
  for (; doc_ < window.end; Next()) {
    if (!Matches()) continue;
    const DocId at = doc_ - window.begin;
    window.scores[at] += Score();
    window.touched[at] = 1;
    window.marks[at / kWindowGroup] = 1;
  }
}

void DocIterator::AddBits(DocId begin, DocId end, uint64_t* bits) {
  for (; doc_ < end; Next()) {
    if (Matches()) bits[(doc_ - begin) / 64] |= uint64_t{1} << ((doc_ - begin) % 64);
  }
}

}  // namespace crivello::search
