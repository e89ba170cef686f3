// SPDX-License-Identifier: Apache-2.0
// AND, OR and NOT of parts of a query, as the lecture notes have them: lazy, a document at a time.
#pragma once

#include <memory>
#include <vector>

#include "index/postings/posting_cursor.h"
#include "search/query/doc_iterator.h"
#include "search/topk/indirect_heap.h"

namespace crivello::search {

using DocIterators = std::vector<std::unique_ptr<DocIterator>>;

// All documents below a number, each of score 0: what NOT is taken from.
class AllDocuments final : public DocIterator {
 public:
  explicit AllDocuments(DocId documents);
  void Next() override { SeekTo(doc_ + 1); }
  void SeekTo(DocId d) override;
  Quanta Score() override { return 0; }

 private:
  DocId documents_;
};

// The documents of a list, each of score 0: a filter.
class FilterIterator final : public DocIterator {
 public:
  explicit FilterIterator(index::PostingCursor cursor);
  void Next() override;
  void SeekTo(DocId d) override;
  Quanta Score() override { return 0; }

 private:
  index::PostingCursor cursor_;
};

// OR, by an indirect heap.  The score is the sum over those parts that match.
class Disjunction final : public DocIterator {
 public:
  explicit Disjunction(DocIterators parts);
  void Next() override;
  void SeekTo(DocId d) override;
  bool Matches() override;
  Quanta Score() override;
  Quanta ScoreBound() override;

 private:
  DocIterators parts_;
  IndirectHeap heap_;
  std::vector<uint32_t> matching_;
};

// AND: lists are advanced in order to the document of the first, the rarest; at the first that passes it the
// first is advanced to where that one is, and so on from the start.  A list that turns out to pass often
// moves towards the front: frequencies are only guesses where parts are not lists of terms.
class Conjunction final : public DocIterator {
 public:
  // REQUIRES: parts is not empty.
  explicit Conjunction(DocIterators parts);
  void Next() override;
  void SeekTo(DocId d) override;
  bool Matches() override;
  Quanta Score() override;
  Quanta ScoreBound() override;
  Bound BlockBound(DocId from) override;

 private:
  struct Part {
    std::unique_ptr<DocIterator> iterator;
    uint64_t passes = 0;  // how often it was not on the document of the first
  };
  void Align();
  void CountPass(size_t i);

  std::vector<Part> parts_;
};

// Documents of `base` that are not excluded, with what the optional parts add to their scores.
class Adjusted final : public DocIterator {
 public:
  Adjusted(std::unique_ptr<DocIterator> base, DocIterators optional, DocIterators excluded);
  void Next() override;
  void SeekTo(DocId d) override;
  bool Matches() override;
  Quanta Score() override;
  Quanta ScoreBound() override;

 private:
  std::unique_ptr<DocIterator> base_;
  DocIterators optional_;
  DocIterators excluded_;
  Quanta optional_max_ = 0;
};

// Whether a document is one of those of an iterator, which moves there.  REQUIRES: documents do not decrease.
inline bool Contains(DocIterator& iterator, DocId doc) {
  iterator.SeekTo(doc);
  return iterator.doc() == doc && iterator.Matches();
}

}  // namespace crivello::search
