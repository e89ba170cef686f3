// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "index/segments/snapshot.h"
#include "search/query/query_plan.h"
#include "search/query/static_scores.h"
#include "search/searcher.h"
#include "search/suggest/suggester.h"
#include "text/terms/analyser.h"

namespace crivello::search {

// Searches the segments of a snapshot in this process.  A new snapshot replaces the old one between two
// searches; those under way keep theirs.
//
// Results are those of the ranking, in order; paging, folding and grouping look at all that come before, so a
// page neither skips nor repeats what another shows, as long as the snapshot is the same.  Thread-safe; each
// search runs in its caller's thread.
class IndexSearcher final : public Searcher {
 public:
  // Deeper than this no page goes.
  static constexpr size_t kMaxDepth = 10000;
  // Up to as many postings are counted to tell the number of results; beyond it is estimated.
  static constexpr uint64_t kMaxCounted = 2'000'000;
  // Of texts that were shown lately, decompressed.
  static constexpr size_t kTextCacheBytes = 16 << 20;

  // InvalidArgument if the snapshot was made by an analyser that this program does not have.
  static Result<std::unique_ptr<IndexSearcher>> Create(std::shared_ptr<const index::Snapshot> snapshot,
                                                       const Clock& clock = SystemClock());
  void Use(std::shared_ptr<const index::Snapshot> snapshot) CRV_EXCLUDES(mutex_);
  std::shared_ptr<const index::Snapshot> snapshot() const CRV_EXCLUDES(mutex_);

  Result<SearchAnswer> Search(const SearchRequest& request) override CRV_EXCLUDES(mutex_);
  // The first call waits until suggestions are made (suggester.h).
  Result<std::vector<std::string>> Suggest(std::string_view typed, size_t count) override
      CRV_EXCLUDES(mutex_);
  void PrepareSuggestions() override CRV_EXCLUDES(mutex_);
  Result<SearchAnswer> Similar(const SimilarRequest& request) override CRV_EXCLUDES(mutex_);
  // The best hits and nothing else: no text is read.  What evaluations and benchmarks ask for.
  Result<std::vector<Hit>> Top(const SearchRequest& request) CRV_EXCLUDES(mutex_);
  // How many documents the query finds, exactly.
  Result<uint64_t> Count(const SearchRequest& request) CRV_EXCLUDES(mutex_);

 private:
  struct State {
    std::shared_ptr<const index::Snapshot> snapshot;
    std::vector<SearchedSegment> segments;
    CollectionStatistics statistics;
    std::unique_ptr<MaximumCounts> maximum_counts;
    std::unique_ptr<StaticPivots> pivots;
    index::TextCache* texts = nullptr;
  };
  class Run;

  explicit IndexSearcher(const Clock& clock) : clock_(clock), suggester_(clock) {}
  // A run of the request on the state of the moment, for `ask` to plan and to ask.
  template <typename Ask>
  auto With(const SearchRequest& request, Ask ask) -> decltype(ask(std::declval<Run&>()));
  std::shared_ptr<const State> state() const CRV_EXCLUDES(mutex_);
  Result<text::Analyser> TakeAnalyser(const std::string& description) CRV_EXCLUDES(mutex_);
  void ReturnAnalyser(text::Analyser analyser) CRV_EXCLUDES(mutex_);

  const Clock& clock_;
  Suggester suggester_;
  index::TextCache texts_{kTextCacheBytes};
  mutable Mutex mutex_;
  std::shared_ptr<const State> state_ CRV_GUARDED_BY(mutex_);
  std::vector<text::Analyser> analysers_ CRV_GUARDED_BY(mutex_);  // not in use
};

}  // namespace crivello::search
