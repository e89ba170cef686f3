// SPDX-License-Identifier: Apache-2.0
// What the ways to find the best documents of a segment share: who keeps them, and the plainest way. Included
// by topk.cc only.
#pragma once

#include <cstdint>
#include <utility>

#include "search/topk/topk.h"

namespace crivello::search {

inline bool IsDeleted(const SegmentSearch& search, DocId doc) {
  return doc / 64 < search.deleted.size() && (search.deleted[doc / 64] >> (doc % 64) & 1) != 0;
}

// Takes documents with their scores, in order, and keeps the best that are alive, in all filters and not
// excluded: looked at only if the score is good enough.
class TopCollector {
 public:
  TopCollector(const SegmentSearch& search, DocIterators filters, DocIterators excluded, TopHits* hits)
      : search_(search), filters_(std::move(filters)), excluded_(std::move(excluded)), hits_(hits) {
    if (search.bonus != nullptr) SetRest(0);
  }
  // Says that none comes any more that is before this document: the threshold may rise.
  void MoveTo(DocId doc) {
    if (doc > bonus_last_) SetRest(doc);
  }
  // What the score of a document, without bonus, must surpass.  May be below zero.
  Quanta threshold() const { return hits_->threshold() - bonus_max_; }
  // That of documents from `begin` on and before `end`.
  Quanta ThresholdIn(DocId begin, DocId end) const {
    return search_.bonus == nullptr ? threshold() : hits_->threshold() - search_.bonus->MaxIn(begin, end);
  }
  void Add(DocId doc, Quanta score) {
    if (score <= threshold()) return;
    if (search_.bonus != nullptr) score += search_.bonus->Of(doc);
    if (score > hits_->threshold() && Accepts(doc)) hits_->Add({score, search_.segment, doc});
  }
  DocId documents() const { return search_.documents; }

 private:
  void SetRest(DocId doc) {
    if (doc >= search_.documents) return;
    const DocumentBonus::Rest rest = search_.bonus->From(doc);
    bonus_max_ = rest.bonus;
    bonus_last_ = rest.last;
  }
  bool Accepts(DocId doc) {
    if (IsDeleted(search_, doc)) return false;
    for (const auto& filter : filters_) {
      if (!Contains(*filter, doc)) return false;
    }
    for (const auto& excluded : excluded_) {
      if (Contains(*excluded, doc)) return false;
    }
    return true;
  }

  const SegmentSearch& search_;
  DocIterators filters_;
  DocIterators excluded_;
  TopHits* hits_;
  Quanta bonus_max_ = 0;  // of documents from here on
  DocId bonus_last_ = kEndDoc;
};

// One after the other; with pruning those that are too bad by their bound alone are not looked into, and
// none at all after the last that can be good enough.
inline void ForEveryDocument(DocIterator& root, bool prune, Stopper& stopper, TopCollector& out) {
  for (uint32_t seen = 1; root.doc() < out.documents(); root.Next(), seen++) {
    if (seen % 1024 == 0 && stopper.Stop()) return;
    out.MoveTo(root.doc());
    if (prune && root.max_score() <= out.threshold()) return;
    if (prune && root.ScoreBound() <= out.threshold()) continue;
    if (root.Matches()) out.Add(root.doc(), root.Score());
  }
}

}  // namespace crivello::search
