// SPDX-License-Identifier: Apache-2.0
// AND with block maxima, a template: compiled once for lists of terms, where nothing is virtual, and once for
// anything.  Included by topk.cc only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/query/term_iterator.h"
#include "search/topk/topk_collector.h"

namespace crivello::search {

// AND, led by the rarest list; blocks of it whose maxima, with those of the other lists there, do not surpass
// the threshold are passed over, and of the rest documents whose score in the lists seen so far does not with
// the maxima of the others.
template <typename Unit>
class BlockMaxAnd {
 public:
  BlockMaxAnd(std::vector<Unit*> required, std::vector<DocIterator*> optional)
      : units_(std::move(required)), bounds_(units_.size()), optional_(std::move(optional)) {
    std::stable_sort(units_.begin(), units_.end(), [](Unit* a, Unit* b) { return a->cost() < b->cost(); });
    for (DocIterator* part : optional_) optional_max_ += part->max_score();
    for (Unit* unit : units_) most_ += unit->max_score();
    most_ += optional_max_;
  }

  void Run(Stopper& stopper, TopCollector& out) {
    Unit& lead = *units_[0];
    DocId last = 0;  // up to where bounds_ hold
    bool has_bounds = false;
    for (uint32_t steps = 1; lead.doc() < out.documents(); steps++) {
      if (steps % 256 == 0 && stopper.Stop()) return;
      out.MoveTo(lead.doc());
      if (most_ <= out.threshold()) return;
      if (!has_bounds || lead.doc() > last) {
        has_bounds = true;
        last = SetBounds(lead.doc());
      }
      if (bounds_[0] + optional_max_ <= out.threshold()) {
        if (last == kEndDoc) return;
        lead.SeekTo(last + 1);
      } else if constexpr (std::is_same_v<Unit, TermIterator>) {
        TryBlock(last, out);
      } else {
        if (units_.size() == 1 && optional_.empty()) lead.SetThreshold(out.threshold());
        Try(lead.doc(), out);
      }
    }
  }

 private:
  static constexpr uint64_t kMuchLonger = 4;

  // bounds_[i] is that of list i and all behind it, up to the document returned.
  DocId SetBounds(DocId doc) {
    DocId last = kEndDoc;
    int64_t sum = 0;
    for (size_t i = units_.size(); i-- > 0;) {
      // The blocks of a list that is much longer end soon, and differ little: its maximum will do.
      const bool by_block = units_[i]->cost() <= kMuchLonger * units_[0]->cost();
      const DocIterator::Bound bound =
          by_block ? units_[i]->BlockBound(doc) : DocIterator::Bound{units_[i]->max_score(), kEndDoc};
      sum += bound.score;
      bounds_[i] = sum;
      last = std::min(last, bound.last);
    }
    return last;
  }

  // Looks at the documents of the lead's block, up to one, and moves it on.  Their scores are computed at
  // once; few are good enough to be looked for in other lists.
  void TryBlock(DocId last, TopCollector& out) {
    Unit& lead = *units_[0];
    const std::span<const DocId> docs = lead.block_rest();
    const size_t size = last == kEndDoc ? docs.size() : CountBefore(docs, last + 1);
    std::array<Quanta, index::kBlockPostings> scores;
    lead.ScoreBlock(size, scores.data());
    const int64_t others = (units_.size() > 1 ? bounds_[1] : 0) + optional_max_;
    int64_t least = out.threshold() - others;
    DocId next = 0;  // no document before it is in all lists
    for (size_t i = 0; i < size; i++) {
      if (scores[i] <= least || docs[i] < next) continue;
      next = TryOthers(docs[i], scores[i], out);
      least = out.threshold() - others;
    }
    if (next > docs[size - 1] && next != docs[size - 1] + 1) {
      lead.SeekTo(next);
    } else {
      lead.SkipInBlock(size);
    }
  }
  // Returns a document before which there is none, after this one.
  DocId TryOthers(DocId doc, Quanta lead_score, TopCollector& out) {
    int64_t score = lead_score;
    for (size_t i = 1; i < units_.size(); i++) {
      if (score + bounds_[i] + optional_max_ <= out.threshold()) return doc + 1;
      Unit& unit = *units_[i];
      unit.SeekTo(doc);
      if (unit.doc() != doc) return unit.doc();
      score += unit.Score();
    }
    for (DocIterator* part : optional_) {
      if (Contains(*part, doc)) score += part->Score();
    }
    out.Add(doc, static_cast<Quanta>(score));
    return doc + 1;
  }

  // Looks at the document of the lead, and moves this on.
  void Try(DocId doc, TopCollector& out) {
    Unit& lead = *units_[0];
    const bool prune = out.threshold() >= 0;
    int64_t score = prune ? lead.ScoreBound() : 0;
    for (size_t i = 1; i < units_.size(); i++) {
      if (prune && score + bounds_[i] + optional_max_ <= out.threshold()) return lead.Next();
      Unit& unit = *units_[i];
      unit.SeekTo(doc);
      if (unit.doc() != doc) return lead.SeekTo(unit.doc());
      score += prune ? unit.ScoreBound() : 0;
    }
    if (!prune || score + optional_max_ > out.threshold()) AddIfMatches(doc, out);
    lead.Next();
  }
  void AddIfMatches(DocId doc, TopCollector& out) {
    for (Unit* unit : units_) {
      if (!unit->Matches()) return;
    }
    Quanta score = 0;
    for (Unit* unit : units_) score += unit->Score();
    for (DocIterator* part : optional_) {
      if (Contains(*part, doc)) score += part->Score();
    }
    out.Add(doc, score);
  }

  std::vector<Unit*> units_;
  std::vector<int64_t> bounds_;
  std::vector<DocIterator*> optional_;
  int64_t optional_max_ = 0;
  int64_t most_ = 0;  // that a document can have
};

}  // namespace crivello::search
