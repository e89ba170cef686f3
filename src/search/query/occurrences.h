// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "index/postings/posting_cursor.h"
#include "search/query/doc_iterator.h"
#include "search/topk/indirect_heap.h"

namespace crivello::search {

// Tells whether a document is worth looking into, for who knows how often something may occur there.
class CandidateFilter {
 public:
  virtual ~CandidateFilter() = default;
  virtual bool IsWorth(DocId doc, uint32_t count_bound) const = 0;
};

// Where a word of a query, in any of its forms, or a phrase of such words, occurs in one field of a segment:
// documents, counts, positions.  As a DocIterator, but without a score.  One thread at a time.
class Occurrences {
 public:
  virtual ~Occurrences() = default;
  Occurrences() = default;
  Occurrences(const Occurrences&) = delete;
  Occurrences& operator=(const Occurrences&) = delete;

  DocId doc() const { return doc_; }
  virtual void Next() = 0;
  virtual void SeekTo(DocId d) = 0;
  virtual bool Matches() { return true; }
  // Documents that are not worth it by their count_bound() need not be found.  The filter outlives this.
  virtual void SetFilter(const CandidateFilter*) {}
  // How often, in doc().  REQUIRES: Matches() was called, and is true.
  virtual uint32_t count() = 0;
  // No less than count(), known before Matches().
  virtual uint32_t count_bound() { return count(); }
  // Where, increasing; good until it moves.  REQUIRES: as count(), and the field has positions.
  virtual std::span<const uint32_t> positions() = 0;

  // For loops over all documents, if Matches() is always true: adds the value of the formula in each document
  // before window->end to its cell, or sets the bit of each, document - begin; stops at the first from there
  // on.  REQUIRES: is_lists(), doc() is not before the window.  `lengths` may be nullptr: they are all 0.
  virtual bool is_lists() const { return false; }
  virtual void AddValues(const Formula&, const uint32_t* /*lengths*/, ValueWindow*) {}
  virtual void AddBits(DocId /*begin*/, DocId /*end*/, uint64_t*) {}

  // The largest value of a formula in all documents; and in those from `from` to *last, as BlockBound().
  virtual float MaxValue(const Formula& formula) = 0;
  virtual float BlockValue(const Formula& formula, DocId from, DocId* last) = 0;

  uint64_t cost() const { return cost_; }

 protected:
  DocId doc_ = kEndDoc;
  uint64_t cost_ = 0;
};

// One list.
class TermOccurrences final : public Occurrences {
 public:
  explicit TermOccurrences(index::PostingCursor cursor);
  void Next() override {
    cursor_.Next();
    doc_ = cursor_.doc();
  }
  void SeekTo(DocId d) override {
    cursor_.SeekTo(d);
    doc_ = cursor_.doc();
  }
  uint32_t count() override { return cursor_.count(); }
  std::span<const uint32_t> positions() override { return cursor_.positions(); }
  bool is_lists() const override { return true; }
  void AddValues(const Formula& formula, const uint32_t* lengths, ValueWindow* window) override;
  void AddBits(DocId begin, DocId end, uint64_t* bits) override;
  float MaxValue(const Formula& formula) override;
  float BlockValue(const Formula& formula, DocId from, DocId* last) override;

 private:
  index::PostingCursor cursor_;
};

// Several lists as one: the forms of a word, or all words with a prefix.  A position at which several of them
// stand (a word and its stem are at one position) is one; without positions the count is the largest of
// theirs, which comes to the same for a word and its stem.
class FormOccurrences final : public Occurrences {
 public:
  explicit FormOccurrences(std::vector<index::PostingCursor> cursors);
  void Next() override;
  void SeekTo(DocId d) override;
  uint32_t count() override;
  std::span<const uint32_t> positions() override;
  bool is_lists() const override { return true; }
  void AddValues(const Formula& formula, const uint32_t* lengths, ValueWindow* window) override;
  void AddBits(DocId begin, DocId end, uint64_t* bits) override;
  float MaxValue(const Formula& formula) override;
  float BlockValue(const Formula& formula, DocId from, DocId* last) override;

 private:
  // After the cursors have moved by themselves.
  void MakeHeap();

  std::vector<index::PostingCursor> cursors_;
  IndirectHeap heap_;
  std::vector<uint32_t> positions_;
};

// The words of a phrase, near one another.
class PhraseOccurrences final : public Occurrences {
 public:
  struct Word {
    std::unique_ptr<Occurrences> occurrences;
    uint32_t offset = 0;  // in the phrase
  };
  struct Options {
    bool ordered = true;
    uint32_t slop = 0;  // positions more than the phrase has
  };
  // REQUIRES: words is not empty, offsets increase.
  PhraseOccurrences(std::vector<Word> words, const Options& options);
  void Next() override;
  void SeekTo(DocId d) override;
  bool Matches() override;
  uint32_t count() override { return static_cast<uint32_t>(positions_.size()); }
  uint32_t count_bound() override;
  std::span<const uint32_t> positions() override { return positions_; }  // where each begins
  float MaxValue(const Formula& formula) override;
  float BlockValue(const Formula& formula, DocId from, DocId* last) override;

 private:
  void Align();
  void FindExact();
  uint32_t WindowsPerPlace() const;
  float BoundOfWindows(float value) const;

  static constexpr uint32_t kMostCounted = ~uint32_t{0};
  std::vector<Word> words_;            // in the order of the phrase
  std::vector<Occurrences*> by_cost_;  // the rarest first
  Options options_;
  DocId checked_ = kEndDoc;  // the document of positions_
  std::vector<uint32_t> positions_;
  std::vector<std::pair<uint32_t, size_t>> by_count_;  // the words, the rarest of the document first
};

}  // namespace crivello::search
