// SPDX-License-Identifier: Apache-2.0
// How many documents a query of terms finds, without scores.  Included by topk.cc only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "search/query/term_iterator.h"
#include "search/topk/topk_collector.h"

namespace crivello::search {

// Documents of a window, a bit each.
constexpr DocId kBitWords = 512;
using BitWindow = std::array<uint64_t, kBitWords>;

inline void DropDeleted(DocId begin, const SegmentSearch& search, BitWindow* bits) {
  for (size_t i = 0; i < kBitWords && begin / 64 + i < search.deleted.size(); i++) {
    (*bits)[i] &= ~search.deleted[begin / 64 + i];
  }
}
inline uint64_t CountBits(const BitWindow& bits) {
  uint64_t count = 0;
  for (const uint64_t word : bits) count += static_cast<uint64_t>(std::popcount(word));
  return count;
}
inline DocId WindowEnd(DocId begin, DocId documents) {
  return documents - begin > kBitWords * 64 ? begin + kBitWords * 64 : documents;
}

// How many documents that are not deleted some of the lists have.
inline uint64_t CountOr(const std::vector<DocIterator*>& lists, const SegmentSearch& search,
                        Stopper& stopper) {
  BitWindow bits;
  uint64_t count = 0;
  for (DocId begin = 0; begin < search.documents && !stopper.Stop();) {
    const DocId end = WindowEnd(begin, search.documents);
    bits.fill(0);
    for (DocIterator* list : lists) list->AddBits(begin, end, bits.data());
    DropDeleted(begin, search, &bits);
    count += CountBits(bits);
    begin = end;
  }
  return count;
}

// Keeps of the documents of a window those that a list has too, looking for each of them.
inline void SeekCommonBits(TermIterator& list, DocId begin, BitWindow* bits) {
  for (DocId i = 0; i < kBitWords; i++) {
    for (uint64_t left = (*bits)[i]; left != 0; left &= left - 1) {
      const DocId doc = begin + 64 * i + static_cast<DocId>(std::countr_zero(left));
      list.SeekTo(doc);
      if (list.doc() != doc) (*bits)[i] ^= left & (~left + 1);
    }
  }
}

// How many all of them have, window by window: the documents of the rarest become bits.  Of the others each
// drops bits, either by going through its documents (looking up a bit waits for nothing, while setting one
// waits for the one before in its word) or, where few bits are left, by looking for these.
// REQUIRES: two lists, the rarest first.
inline uint64_t CountAndByBits(const std::vector<TermIterator*>& lists, const SegmentSearch& search,
                               Stopper& stopper) {
  // To look for a document in a list costs some times what it costs to look up a bit.
  constexpr uint64_t kSeekCost = 8;
  BitWindow all;
  BitWindow common;
  uint64_t count = 0;
  TermIterator& lead = *lists[0];
  while (lead.doc() < search.documents && !stopper.Stop()) {
    const DocId begin = lead.doc() / 64 * 64;
    const DocId end = WindowEnd(begin, search.documents);
    all.fill(0);
    lead.AddBits(begin, end, all.data());
    DropDeleted(begin, search, &all);
    uint64_t left = CountBits(all);
    for (size_t i = 1; i < lists.size() && left > 0; i++) {
      TermIterator& list = *lists[i];
      list.SeekTo(begin);
      if (list.cost() * (end - begin) / search.documents > kSeekCost * left) {
        SeekCommonBits(list, begin, &all);
        left = CountBits(all);
      } else if (i + 1 == lists.size()) {
        left = list.CountCommonBits(begin, end, all.data());
      } else {
        common.fill(0);
        list.AddCommonBits(begin, end, all.data(), common.data());
        all = common;
        left = CountBits(all);
      }
    }
    count += left;
  }
  return count;
}

// How many all of them have, led by the rarest.
inline uint64_t CountAndBySeeking(const std::vector<TermIterator*>& lists, const SegmentSearch& search,
                                  Stopper& stopper) {
  TermIterator& lead = *lists[0];
  uint64_t count = 0;
  uint32_t steps = 1;
  while (lead.doc() != kEndDoc) {
    if (steps++ % 1024 == 0 && stopper.Stop()) break;
    const DocId doc = lead.doc();
    size_t i = 1;
    while (i < lists.size()) {
      lists[i]->SeekTo(doc);
      if (lists[i]->doc() != doc) break;
      i++;
    }
    if (i < lists.size()) {
      lead.SeekTo(lists[i]->doc());
    } else {
      count += IsDeleted(search, doc) ? 0 : 1;
      lead.Next();
    }
  }
  return count;
}

// How many all of them have.  REQUIRES: a list.
inline uint64_t CountAnd(std::vector<TermIterator*> lists, const SegmentSearch& search, Stopper& stopper) {
  std::stable_sort(lists.begin(), lists.end(),
                   [](TermIterator* a, TermIterator* b) { return a->cost() < b->cost(); });
  // Below, the words of a window are more than the documents in it.
  constexpr uint64_t kSparse = 256;
  const bool sparse = lists[0]->cost() * kSparse < search.documents;
  return (sparse || lists.size() == 1 ? CountAndBySeeking : CountAndByBits)(lists, search, stopper);
}

}  // namespace crivello::search
