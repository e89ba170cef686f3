// SPDX-License-Identifier: Apache-2.0
// How many documents a query of terms finds, without scores.  Included by topk.cc only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "search/term_iterator.h"
#include "search/topk_collector.h"

namespace crivello::search {

// Documents of a window, a bit each.
constexpr DocId kBitWords = 512;
using BitWindow = std::array<uint64_t, kBitWords>;

inline uint64_t CountLiveBits(const BitWindow& bits, DocId begin, const SegmentSearch& search) {
  uint64_t count = 0;
  for (DocId i = 0; i < kBitWords; i++) {
    const size_t word = begin / 64 + i;
    const uint64_t gone = word < search.deleted.size() ? search.deleted[word] : 0;
    count += static_cast<uint64_t>(std::popcount(bits[i] & ~gone));
  }
  return count;
}
inline DocId WindowEnd(DocId begin, DocId documents) {
  return documents - begin > kBitWords * 64 ? begin + kBitWords * 64 : documents;
}

// How many documents that are not deleted some of the lists have.
inline uint64_t CountOr(const std::vector<TermIterator*>& lists, const SegmentSearch& search,
                        Stopper& stopper) {
  BitWindow bits;
  uint64_t count = 0;
  for (DocId begin = 0; begin < search.documents && !stopper.Stop();) {
    const DocId end = WindowEnd(begin, search.documents);
    bits.fill(0);
    for (TermIterator* list : lists) list->AddBits(begin, end, bits.data());
    count += CountLiveBits(bits, begin, search);
    begin = end;
  }
  return count;
}

// How many all of them have, where they are about as long as one another: each becomes bits.
inline uint64_t CountAndByBits(const std::vector<TermIterator*>& lists, const SegmentSearch& search,
                               Stopper& stopper) {
  BitWindow all;
  BitWindow bits;
  uint64_t count = 0;
  for (DocId begin = 0; begin < search.documents && !stopper.Stop();) {
    const DocId end = WindowEnd(begin, search.documents);
    all.fill(0);
    lists[0]->AddBits(begin, end, all.data());
    for (size_t i = 1; i < lists.size(); i++) {
      bits.fill(0);
      lists[i]->AddBits(begin, end, bits.data());
      for (DocId w = 0; w < kBitWords; w++) all[w] &= bits[w];
    }
    count += CountLiveBits(all, begin, search);
    begin = end;
  }
  return count;
}

// How many all of them have, led by the rarest.  REQUIRES: a list.
inline uint64_t CountAnd(std::vector<TermIterator*> lists, const SegmentSearch& search, Stopper& stopper) {
  std::stable_sort(lists.begin(), lists.end(),
                   [](TermIterator* a, TermIterator* b) { return a->cost() < b->cost(); });
  TermIterator& lead = *lists[0];
  // To look for a document in a list costs some times what it costs to set a bit.
  constexpr uint64_t kSeekCost = 5;
  uint64_t postings = 0;
  for (TermIterator* list : lists) postings += list->cost();
  if (postings < kSeekCost * lead.cost() * (lists.size() - 1)) return CountAndByBits(lists, search, stopper);
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

}  // namespace crivello::search
