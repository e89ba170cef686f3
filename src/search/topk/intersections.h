// SPDX-License-Identifier: Apache-2.0
// Ways to intersect increasing lists that the lecture notes describe, to be compared with each other and with
// the way that queries go (topk_and.h): src/search/topk/intersections_bench.cc.  Queries do not use them.
//
// A list is anything with doc(), which is kEndDoc at the end, Next() and SeekTo(), as index::PostingCursor.
// Each calls found(doc) for each document of all lists, in order.  REQUIRES: there is a list; their order is
// free.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "index/postings/posting_format.h"

namespace crivello::search {

// A heap of the lists by their documents, and the greatest of these: while the least is smaller, its list
// moves to the greatest.  A list costs O(log k) whenever it moves.
template <typename List, typename Found>
void IntersectByHeap(std::span<List> lists, Found found) {
  const auto later = [&](size_t a, size_t b) { return lists[a].doc() > lists[b].doc(); };
  std::vector<size_t> heap;
  index::DocId greatest = 0;
  for (size_t i = 0; i < lists.size(); i++) {
    heap.push_back(i);
    greatest = std::max(greatest, lists[i].doc());
  }
  std::make_heap(heap.begin(), heap.end(), later);
  while (greatest != index::kEndDoc) {
    std::pop_heap(heap.begin(), heap.end(), later);
    List& least = lists[heap.back()];
    if (least.doc() == greatest) {
      found(greatest);
      least.Next();
    } else {
      least.SeekTo(greatest);
    }
    greatest = std::max(greatest, least.doc());
    std::push_heap(heap.begin(), heap.end(), later);
  }
}

// The first list proposes its document, and the others align in turn; at the first that does not, its
// document is proposed to the lists before it, from the start.  If it is adaptive, a list that breaks the
// alignment comes one place forward, so those that break it most often are asked first.  REQUIRES:
// frequencies increase, for speed.
enum class AlignmentOrder : bool { kFixed, kAdaptive };
template <typename List, typename Found>
void IntersectByAlignment(std::span<List> lists, AlignmentOrder how, Found found) {
  std::vector<List*> order;
  for (List& list : lists) order.push_back(&list);
  index::DocId proposed = order.front()->doc();
  while (proposed != index::kEndDoc) {
    size_t i = 0;
    for (; i < order.size(); i++) {
      order[i]->SeekTo(proposed);
      if (order[i]->doc() != proposed) break;
    }
    if (i == order.size()) {
      found(proposed);
      order.front()->Next();
      proposed = order.front()->doc();
      continue;
    }
    proposed = order[i]->doc();
    if (how == AlignmentOrder::kAdaptive && i > 0) std::swap(order[i - 1], order[i]);
  }
}

// Demaine, Lopez-Ortiz, Munro (Adaptive set intersections, unions, and differences, 2000): one document at a
// time is the eliminator.  The lists are asked for it in a circle, each by a galloping search; the first that
// lacks it makes its next document the eliminator.  So the work follows the shortest proof of the result, and
// not the lengths.
template <typename List, typename Found>
void IntersectByElimination(std::span<List> lists, Found found) {
  size_t at = 0;
  index::DocId eliminator = lists[0].doc();
  size_t agreed = 1;  // lists in a row, up to `at`, that have it
  while (eliminator != index::kEndDoc) {
    if (agreed == lists.size()) {
      found(eliminator);
      lists[at].Next();
      eliminator = lists[at].doc();
      agreed = 1;
      continue;
    }
    at = at + 1 == lists.size() ? 0 : at + 1;
    lists[at].SeekTo(eliminator);
    if (lists[at].doc() == eliminator) {
      agreed++;
    } else {
      eliminator = lists[at].doc();
      agreed = 1;
    }
  }
}

}  // namespace crivello::search
