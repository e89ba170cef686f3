// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>

#include "index/postings/posting_cursor.h"
#include "search/query/doc_iterator.h"
#include "search/topk/score_window.h"

namespace crivello::search {

// The documents of one posting list: a word in one field and form.  Most queries have nothing else, so this
// is the class that the loops of topk.cc are compiled for: final, and inline, so that no posting costs a
// virtual call.
class TermIterator final : public DocIterator {
 public:
  // `lengths` has the divisor of each document's counts: usually its length.  It outlives the iterator.
  TermIterator(index::PostingCursor cursor, const Formula& formula, const uint32_t* lengths)
      : cursor_(std::move(cursor)), formula_(formula), lengths_(lengths) {
    doc_ = cursor_.doc();
    cost_ = cursor_.frequency();
    max_score_ = cost_ == 0 ? 0 : ListBound();
  }

  void Next() override {
    cursor_.Next();
    doc_ = cursor_.doc();
  }
  void SeekTo(DocId d) override {
    cursor_.SeekTo(d);
    doc_ = cursor_.doc();
  }
  Quanta Score() override {
    return formula_.Score(static_cast<float>(cursor_.count()), static_cast<float>(lengths_[doc_]));
  }
  Quanta ScoreBound() override { return Score(); }
  Bound BlockBound(DocId from) override {
    if (from > bound_.last || !has_bound_) {
      cursor_.SeekBlock(from);
      has_bound_ = true;
      bound_.last = cursor_.block_last();
      bound_.score = is_short_ ? max_score_ : Formula::Rounded(formula_.Bound(cursor_.block_max()));
      if (bound_.last == kEndDoc) bound_.score = 0;
    }
    return bound_;
  }

  // The documents from doc() to the end of its block; the scores of the first n of them, all at once, which
  // costs a fraction of one by one; and to the next after these.
  std::span<const DocId> block_rest() const { return cursor_.block_rest(); }
  void ScoreBlock(size_t n, Quanta* scores);
  void SkipInBlock(size_t n) {
    cursor_.SkipInBlock(static_cast<uint32_t>(n));
    doc_ = cursor_.doc();
  }

  void AddScores(const ScoreWindow& window) override;
  // Sets the bit of each document before `end`; or of each whose bit in `among` is set; or counts these.
  void AddBits(DocId begin, DocId end, uint64_t* bits) override {
    AddBitsOf(cursor_, begin, end, bits);
    doc_ = cursor_.doc();
  }
  void AddCommonBits(DocId begin, DocId end, const uint64_t* among, uint64_t* bits);
  uint64_t CountCommonBits(DocId begin, DocId end, const uint64_t* among);

 private:
  Quanta ListBound();

  index::PostingCursor cursor_;
  Formula formula_;
  const uint32_t* lengths_;
  Bound bound_ = {};
  bool has_bound_ = false;
  bool is_short_ = false;
};

}  // namespace crivello::search
