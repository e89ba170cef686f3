// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "index/postings/posting_format.h"
#include "search/topk/score.h"
#include "search/topk/score_window.h"

namespace crivello::search {

// The documents of a segment that a part of a query finds, in order, each with its score; lazy: nothing is
// read before it is asked for.
//
// Documents are candidates first, found by what is cheap (the lists); Matches() then tells, by what is dear
// (positions), whether the candidate is one.  Bounds let a search for the best few pass over documents, and
// blocks of them, that cannot be among these.  One thread at a time.
class DocIterator {
 public:
  virtual ~DocIterator() = default;
  DocIterator() = default;
  DocIterator(const DocIterator&) = delete;
  DocIterator& operator=(const DocIterator&) = delete;

  // The candidate; kEndDoc at the end.
  DocId doc() const { return doc_; }
  // To the next candidate.  REQUIRES: not at the end.
  virtual void Next() = 0;
  // To the first candidate not before d, if this one is.
  virtual void SeekTo(DocId d) = 0;
  // Whether the candidate is one of the documents.  REQUIRES: not at the end, as for all that follow.
  virtual bool Matches() { return true; }
  // REQUIRES: Matches() was called, and is true.
  virtual Quanta Score() = 0;
  // No less than the score of the candidate, known before Matches().
  virtual Quanta ScoreBound() { return max_score_; }

  // Candidates whose ScoreBound() is not above this one need not be found from now on.  It never falls.
  virtual void SetThreshold(Quanta) {}

  // No document from `from` to `last` has a higher score.  `from` may run ahead of doc(), and never goes
  // back.
  struct Bound {
    Quanta score = 0;
    DocId last = kEndDoc;
  };
  virtual Bound BlockBound(DocId) { return {max_score_, kEndDoc}; }

  // For loops over all documents, where a call for each is most of the cost: adds the score of each document
  // before window.end to its cell, and stops at the first from there on; or sets the bit of each, document -
  // begin.  REQUIRES: doc() is not before the window.
  virtual void AddScores(const ScoreWindow& window);
  virtual void AddBits(DocId begin, DocId end, uint64_t* bits);
  // Whether these cost much less than to go from document to document.
  virtual bool scores_many() const { return false; }

  // No document has a higher score.
  Quanta max_score() const { return max_score_; }
  // How many candidates there are, or somewhat more: what it costs to go through all.
  uint64_t cost() const { return cost_; }

 protected:
  DocId doc_ = kEndDoc;
  Quanta max_score_ = 0;
  uint64_t cost_ = 0;
};

}  // namespace crivello::search
