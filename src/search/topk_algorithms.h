// SPDX-License-Identifier: Apache-2.0
// The ways to find the best documents of a segment, as templates: compiled once for lists of terms, where
// nothing is virtual, and once for anything.  Included by topk.cc only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/term_iterator.h"
#include "search/topk.h"

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
    bonus_max_ = search.bonus == nullptr ? 0 : search.bonus->max();
  }
  // What the score of a document, without bonus, must surpass.  May be below zero.
  Quanta threshold() const { return hits_->threshold() - bonus_max_; }
  void Add(DocId doc, Quanta score) {
    if (score <= threshold()) return;
    if (search_.bonus != nullptr) score += search_.bonus->Of(doc);
    if (score > hits_->threshold() && Accepts(doc)) hits_->Add({score, search_.segment, doc});
  }
  DocId documents() const { return search_.documents; }

 private:
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
  Quanta bonus_max_ = 0;
};

// One after the other; with pruning those that are too bad by their bound alone are not looked into.
inline void ForEveryDocument(DocIterator& root, bool prune, Stopper& stopper, TopCollector& out) {
  for (uint32_t seen = 1; root.doc() < out.documents(); root.Next(), seen++) {
    if (seen % 1024 == 0 && stopper.Stop()) return;
    if (prune && root.ScoreBound() <= out.threshold()) continue;
    if (root.Matches()) out.Add(root.doc(), root.Score());
  }
}

// OR by windows of documents.  In each, the lists whose maxima there add up to no more than the threshold are
// not essential: a document that only they have is none of the best.  The essential lists add their scores to
// an array with a cell a document, a block of postings at a time; what of it can be among the best with the
// help of the other lists is then looked up in these, from the strongest to the weakest, as long as it still
// can.  (Turtle, Flood: Query evaluation, 1995, for the partition; Mallia, Ottaviano, Porciani, Tonellotto,
// Venturini: Faster BlockMax WAND with variable-sized blocks, 2017, for the maxima of intervals; Lucene's
// MaxScoreBulkScorer for the windows.)
template <typename Unit>
class MaxScore {
 public:
  MaxScore(const std::vector<Unit*>& units, bool prune) : prune_(prune) {
    for (Unit* unit : units) lists_.push_back({unit, 0});
  }

  void Run(DocId documents, Stopper& stopper, TopCollector& out) {
    DocId begin = 0;
    while (begin < documents && !stopper.Stop()) {
      DocId first = kEndDoc;
      for (const List& list : lists_) first = std::min(first, list.unit->doc());
      begin = std::max(begin, first);
      if (begin >= documents) return;
      const DocId end = documents - begin > kWindow ? begin + kWindow : documents;
      RunWindow(begin, end, out);
      begin = end;
    }
  }

 private:
  static constexpr DocId kWindow = 4096;
  static constexpr DocId kChunk = 16;
  static constexpr bool kTerms = std::is_same_v<Unit, TermIterator>;
  struct List {
    Unit* unit;
    Quanta bound;  // in the window
  };
  struct Candidate {
    DocId doc;
    Quanta score;
  };

  void RunWindow(DocId begin, DocId end, TopCollector& out) {
    const Quanta threshold = out.threshold();
    size_t essential = 0;
    int64_t others = 0;  // the sum of the bounds of those that are not essential
    if (prune_ && threshold >= 0) {
      for (List& list : lists_) list.bound = WindowBound(*list.unit, begin, end);
      std::sort(lists_.begin(), lists_.end(), [](const List& a, const List& b) { return a.bound < b.bound; });
      while (essential < lists_.size() && others + lists_[essential].bound <= threshold) {
        others += lists_[essential++].bound;
      }
      if (essential == lists_.size()) return;
    }
    for (size_t i = essential; i < lists_.size(); i++) {
      lists_[i].unit->SeekTo(begin);
      AddScores(*lists_[i].unit, begin, end);
    }
    Collect(begin, end, threshold - others);
    for (size_t i = essential; i-- > 0;) {
      LookUp(*lists_[i].unit, threshold - others);
      others -= lists_[i].bound;
    }
    for (size_t i = 0; i < found_; i++) out.Add(candidates_[i].doc, candidates_[i].score);
  }

  static Quanta WindowBound(Unit& unit, DocId begin, DocId end) {
    if (unit.doc() >= end) return 0;
    DocIterator::Bound bound = unit.BlockBound(begin);
    Quanta most = bound.score;
    while (bound.last < end - 1) {
      bound = unit.BlockBound(bound.last + 1);
      most = std::max(most, bound.score);
    }
    return most;
  }

  void AddScores(TermIterator& term, DocId begin, DocId end) {
    term.AddScores(begin, end, scores_.data(), marks_.data());
  }
  void AddScores(DocIterator& unit, DocId begin, DocId end) {
    for (; unit.doc() < end; unit.Next()) {
      if (!unit.Matches()) continue;
      const DocId at = unit.doc() - begin;
      scores_[at] += unit.Score();
      touched_[at] = 1;
      marks_[at / 64] = 1;
    }
  }

  // The documents of more than a score become candidates, and all cells zero.  A document that lists of terms
  // have is known by its score, which is not zero.
  void Collect(DocId begin, DocId end, int64_t least) {
    const auto score_least = static_cast<Quanta>(std::max<int64_t>(least, kTerms ? 0 : -1));
    found_ = 0;
    for (DocId group = 0; group * 64 < end - begin; group++) {
      if (marks_[group] == 0) continue;
      marks_[group] = 0;
      for (DocId at = group * 64; at < group * 64 + 64; at += kChunk) {
        CollectChunk(begin, at, score_least);
      }
    }
  }
  // Mostly there is nothing in it, as a maximum by vectors tells.
  void CollectChunk(DocId begin, DocId at, Quanta least) {
    Quanta* scores = scores_.data() + at;
    Quanta most = scores[0];
    for (DocId i = 1; i < kChunk; i++) most = std::max(most, scores[i]);
    if (most > least) {
      for (DocId i = 0; i < kChunk; i++) {
        candidates_[found_] = {begin + at + i, scores[i]};
        bool good = scores[i] > least;
        if constexpr (!kTerms) good &= touched_[at + i] != 0;
        found_ += good ? 1 : 0;
      }
    }
    std::fill_n(scores, kChunk, 0);
    if constexpr (!kTerms) std::fill_n(touched_.data() + at, kChunk, uint8_t{0});
  }

  // Adds what a list has, and drops the candidates that do not surpass `least` even if it has its most.
  void LookUp(Unit& unit, int64_t least) {
    size_t kept = 0;
    for (size_t i = 0; i < found_; i++) {
      Candidate candidate = candidates_[i];
      if (candidate.score <= least) continue;
      unit.SeekTo(candidate.doc);
      if (unit.doc() == candidate.doc && unit.Matches()) candidate.score += unit.Score();
      candidates_[kept++] = candidate;
    }
    found_ = kept;
  }

  const bool prune_;
  std::vector<List> lists_;
  size_t found_ = 0;
  alignas(64) std::array<Quanta, kWindow> scores_ = {};
  std::array<uint8_t, kWindow / 64> marks_ = {};  // groups of 64 that have a score
  std::array<uint8_t, kTerms ? 1 : kWindow> touched_ = {};
  std::array<Candidate, kWindow + 1> candidates_;
};

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
  }

  void Run(Stopper& stopper, TopCollector& out) {
    Unit& lead = *units_[0];
    DocId last = 0;  // up to where bounds_ hold
    bool has_bounds = false;
    for (uint32_t steps = 1; lead.doc() < out.documents(); steps++) {
      if (steps % 256 == 0 && stopper.Stop()) return;
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
};

}  // namespace crivello::search
