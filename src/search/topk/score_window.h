// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "index/postings/posting_cursor.h"
#include "search/topk/score.h"

namespace crivello::search {

using index::DocId;
using index::kEndDoc;

// Documents that are scored together: cell i is that of document begin + i, and cells stand in groups of 64,
// so that those which nothing touches are passed over.
constexpr DocId kWindow = 4096;
constexpr DocId kWindowGroup = 64;

// What fields bring to scores before these are made of it; all zero when nobody is at work.
struct ValueWindow {
  DocId begin = 0;
  DocId end = 0;
  alignas(64) std::array<float, kWindow> values = {};
  alignas(64) std::array<uint32_t, kWindow> counts = {};
  std::array<uint8_t, kWindow / kWindowGroup> marks = {};        // of values
  std::array<uint8_t, kWindow / kWindowGroup> count_marks = {};  // of counts
};

struct ScoreWindow {
  DocId begin = 0;
  DocId end = 0;
  Quanta* scores = nullptr;       // kWindow cells
  uint8_t* touched = nullptr;     // as many: not zero if there is a document, also if its score is none
  uint8_t* marks = nullptr;       // a byte a group: not zero if it has one
  ValueWindow* values = nullptr;  // for whoever needs it
};

// How many of some documents, which increase, come before one.
inline size_t CountBefore(std::span<const DocId> docs, DocId end) {
  if (docs.back() < end) return docs.size();
  return static_cast<size_t>(std::lower_bound(docs.begin(), docs.end(), end) - docs.begin());
}

// Calls visit(docs) for the documents of a list before `end`, a block at a time, and passes over them.
template <typename Visit>
void ForEachBlockBefore(index::PostingCursor& cursor, DocId end, Visit visit) {
  while (cursor.doc() < end) {
    const auto docs = cursor.block_rest();
    const size_t size = CountBefore(docs, end);
    visit(docs.first(size));
    cursor.SkipInBlock(static_cast<uint32_t>(size));
  }
}
// And visit(document - begin) for each of them.
template <typename Visit>
void ForEachBefore(index::PostingCursor& cursor, DocId begin, DocId end, Visit visit) {
  ForEachBlockBefore(cursor, end, [&](std::span<const DocId> docs) {
    for (const DocId doc : docs) visit(doc - begin);
  });
}

inline void AddBitsOf(index::PostingCursor& cursor, DocId begin, DocId end, uint64_t* bits) {
  ForEachBefore(cursor, begin, end, [bits](DocId at) { bits[at >> 6] |= uint64_t{1} << (at & 63); });
}

}  // namespace crivello::search
