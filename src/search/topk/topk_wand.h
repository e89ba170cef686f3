// SPDX-License-Identifier: Apache-2.0
// OR by pivots, a template: compiled once for lists of terms, where nothing is virtual, and once for
// anything.  Included by topk.cc only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/query/term_iterator.h"
#include "search/topk/topk_collector.h"

namespace crivello::search {

// OR, a document at a time.  Lists are in the order of their documents; the first prefix of them whose maxima
// surpass the threshold ends in the pivot: no document before its own can be among the best.  If the maxima
// of the blocks there do not surpass it either, not even that one, nor any up to the end of a block.
// (Broder, Carmel, Herscovici, Soffer, Zien: WAND, 2003; Ding, Suel: Block-max indexes, 2011.)
template <typename Unit>
class BlockMaxWand {
 public:
  explicit BlockMaxWand(std::vector<Unit*> units) : units_(std::move(units)) {}

  void Run(Stopper& stopper, TopCollector& out) {
    std::sort(units_.begin(), units_.end(), [](Unit* a, Unit* b) { return a->doc() < b->doc(); });
    for (uint32_t steps = 1;; steps++) {
      if (steps % 1024 == 0 && stopper.Stop()) return;
      out.MoveTo(units_[0]->doc());
      const Quanta threshold = out.threshold();
      size_t pivot = 0;
      int64_t bound = 0;
      for (; pivot < units_.size(); pivot++) {
        bound += units_[pivot]->max_score();
        if (bound > threshold) break;
      }
      if (pivot == units_.size() || units_[pivot]->doc() >= out.documents()) return;
      const DocId doc = units_[pivot]->doc();
      while (pivot + 1 < units_.size() && units_[pivot + 1]->doc() == doc) pivot++;
      if (!BlocksSurpass(pivot, doc, threshold)) {
        SkipBlocks(pivot);
      } else if (units_[0]->doc() == doc) {
        Score(doc, out);
      } else {
        SeekStrongest(pivot, doc);
      }
    }
  }

 private:
  bool BlocksSurpass(size_t pivot, DocId doc, Quanta threshold) {
    int64_t bound = 0;
    last_ = kEndDoc;
    for (size_t i = 0; i <= pivot; i++) {
      const DocIterator::Bound block = units_[i]->BlockBound(doc);
      bound += block.score;
      last_ = std::min(last_, block.last);
    }
    return bound > threshold;
  }
  // To the first document that a block of other maxima, or a list behind the pivot, may have.
  void SkipBlocks(size_t pivot) {
    DocId next = last_ == kEndDoc ? kEndDoc : last_ + 1;
    if (pivot + 1 < units_.size()) next = std::min(next, units_[pivot + 1]->doc());
    next = std::max(next, units_[pivot]->doc() + 1);
    SeekStrongest(pivot, next);
  }
  // Of the lists that are before a document, the one whose maximum is the largest goes there.
  void SeekStrongest(size_t pivot, DocId doc) {
    size_t strongest = pivot + 1;
    for (size_t i = 0; i <= pivot; i++) {
      if (units_[i]->doc() >= doc) continue;
      if (strongest > pivot || units_[i]->max_score() > units_[strongest]->max_score()) strongest = i;
    }
    units_[strongest]->SeekTo(doc);
    MoveBack(strongest);
  }
  void Score(DocId doc, TopCollector& out) {
    Quanta score = 0;
    bool any = false;
    size_t on_it = 0;
    for (; on_it < units_.size() && units_[on_it]->doc() == doc; on_it++) {
      if (!units_[on_it]->Matches()) continue;
      any = true;
      score += units_[on_it]->Score();
    }
    if (any) out.Add(doc, score);
    for (size_t i = 0; i < on_it; i++) units_[i]->Next();
    for (size_t i = on_it; i-- > 0;) MoveBack(i);
  }
  // Unit i has moved on, and finds its place among those behind it.
  void MoveBack(size_t i) {
    for (; i + 1 < units_.size() && units_[i + 1]->doc() < units_[i]->doc(); i++) {
      std::swap(units_[i], units_[i + 1]);
    }
  }

  std::vector<Unit*> units_;
  DocId last_ = kEndDoc;
};

}  // namespace crivello::search
