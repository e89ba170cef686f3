// SPDX-License-Identifier: Apache-2.0
// OR by windows, a template: compiled once for lists of terms, where nothing is virtual, and once for
// anything.  Included by topk.cc only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "search/query/term_iterator.h"
#include "search/topk/topk_collector.h"

namespace crivello::search {

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
    for (Unit* unit : units) {
      lists_.push_back({unit, 0});
      most_ += unit->max_score();
    }
    if constexpr (!kTerms) values_ = std::make_unique<ValueWindow>();
  }

  void Run(DocId documents, Stopper& stopper, TopCollector& out) {
    DocId begin = 0;
    while (begin < documents && !stopper.Stop()) {
      DocId first = kEndDoc;
      for (const List& list : lists_) first = std::min(first, list.unit->doc());
      begin = std::max(begin, first);
      if (begin >= documents) return;
      out.MoveTo(begin);
      if (prune_ && most_ <= out.threshold()) return;
      const DocId end = documents - begin > kWindow ? begin + kWindow : documents;
      RunWindow(begin, end, out);
      begin = end;
    }
  }

 private:
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
    const Quanta threshold = out.ThresholdIn(begin, end);
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
      lists_[i].unit->AddScores({begin, end, scores_.data(), touched_.data(), marks_.data(), values_.get()});
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

  // The documents of more than a score become candidates, and all cells zero.  A document that lists of terms
  // have is known by its score, which is not zero.
  void Collect(DocId begin, DocId end, int64_t least) {
    const auto score_least = static_cast<Quanta>(std::max<int64_t>(least, kTerms ? 0 : -1));
    found_ = 0;
    for (DocId group = 0; group * kWindowGroup < end - begin; group++) {
      if (marks_[group] == 0) continue;
      marks_[group] = 0;
      for (DocId at = group * kWindowGroup; at < (group + 1) * kWindowGroup; at += kChunk) {
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
        if constexpr (!kTerms) good &= scores[i] > 0 || touched_[at + i] != 0;
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
  int64_t most_ = 0;  // that a document can have
  size_t found_ = 0;
  alignas(64) std::array<Quanta, kWindow> scores_ = {};
  std::array<uint8_t, kWindow / kWindowGroup> marks_ = {};  // groups that have a score
  std::array<uint8_t, kTerms ? 1 : kWindow> touched_ = {};
  std::array<Candidate, kWindow + 1> candidates_;
  std::unique_ptr<ValueWindow> values_;
};

}  // namespace crivello::search
