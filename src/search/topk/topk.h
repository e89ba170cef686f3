// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "search/query/boolean_iterators.h"
#include "search/query/doc_iterator.h"

namespace crivello::search {

// A document found, among the segments of a snapshot.
struct Hit {
  Quanta score = 0;
  uint32_t segment = 0;
  DocId doc = 0;
  friend bool operator==(const Hit&, const Hit&) = default;
};

// The better first; among equals the one that comes first.
bool ComesBefore(const Hit& a, const Hit& b);

// The best k documents so far: those of higher scores, and among equals those that come first.  Documents
// come in order, so one that has no more than the worst of k is none of them.  One thread at a time.
class TopHits {
 public:
  explicit TopHits(size_t k) : k_(k) { heap_.reserve(k); }
  // What a document must surpass; -1 while there is room.  REQUIRES: k > 0.
  Quanta threshold() const { return heap_.size() < k_ ? -1 : heap_[0].score; }
  // REQUIRES: hit.score > threshold(); segment and document increase from call to call.
  void Add(const Hit& hit);
  size_t size() const { return heap_.size(); }
  // The best first.
  std::vector<Hit> Sorted() const;

 private:
  size_t k_;
  std::vector<Hit> heap_;  // the worst on top
};

// Ends a search early: when time is up, or when nobody waits for it any more.  Asked for once in some
// thousand documents.
class Stopper {
 public:
  Stopper() = default;
  Stopper(const Clock* clock, std::optional<MonotonicTime> deadline, std::stop_token token)
      : clock_(clock), deadline_(deadline), token_(std::move(token)) {}
  bool Stop() {
    if (!stopped_ && (token_.stop_requested() || (deadline_ && clock_->Now() >= *deadline_))) stopped_ = true;
    return stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  const Clock* clock_ = nullptr;
  std::optional<MonotonicTime> deadline_;
  std::stop_token token_;
  bool stopped_ = false;
};

// What a document has besides what the query finds in it: a static rank, freshness.  Added to its score.
class DocumentBonus {
 public:
  virtual ~DocumentBonus() = default;
  virtual Quanta Of(DocId doc) const = 0;
  virtual Quanta max() const = 0;
  // No document from `doc` on has more than `bonus`; from documents behind `last` on it may be less.  Where
  // documents are in the order of their bonus, or nearly, a search can end early by it.
  struct Rest {
    Quanta bonus = 0;
    DocId last = kEndDoc;
  };
  virtual Rest From(DocId /*doc*/) const { return {max(), kEndDoc}; }
  // No document from `begin` on and before `end` has more.
  virtual Quanta MaxIn(DocId /*begin*/, DocId /*end*/) const { return max(); }
};

// A query in one segment: documents with all required parts, in all filters, in none of the excluded parts;
// and with one of the optional, if there are any and nothing is required.  Scores are the sums over required
// and optional parts.
struct SegmentQuery {
  DocIterators required;
  DocIterators filters;
  DocIterators optional;
  DocIterators excluded;
};
std::unique_ptr<DocIterator> ToIterator(SegmentQuery query, DocId documents);

enum class Algorithm : uint8_t {
  kAuto,          // by the cost model
  kExhaustive,    // every document, by iterators: the judge of the others
  kWindows,       // every document of an OR, by windows of accumulators
  kMaxScore,      // windows, less what block maxima show to be in vain
  kBlockMaxWand,  // a document at a time, by pivots
  kBlockMaxAnd,   // AND with block maxima
};
std::string_view AlgorithmName(Algorithm algorithm);
Result<Algorithm> FindAlgorithm(std::string_view name);

struct SegmentSearch {
  uint32_t segment = 0;  // its number, for hits
  DocId documents = 0;
  std::span<const uint64_t> deleted = {};  // a bit a document; empty if none is
  const DocumentBonus* bonus = nullptr;
  Algorithm algorithm = Algorithm::kAuto;
};

// Adds the best documents of a segment to `hits`.  An algorithm that a query is not of the form for falls
// back to one that is.  Returns the one used.
Algorithm FindTop(SegmentQuery query, const SegmentSearch& search, Stopper& stopper, TopHits* hits);

// How many documents a query finds in a segment; fewer if the stopper stopped it.
uint64_t CountDocuments(SegmentQuery query, const SegmentSearch& search, Stopper& stopper);

}  // namespace crivello::search
