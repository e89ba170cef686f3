// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "search/query/query_plan.h"
#include "search/searcher.h"
#include "search/topk/topk.h"

namespace crivello::search {

// What the documents of each segment have beside the words of the query, as RankingOptions says:
//
//   rank_weight · rank / largest rank of the collection  +  freshness_weight · 2^(-age / half-life)
//
// An age is counted from when the page says that it was published, or from when it was fetched.  The largest
// is over all segments, so that the bonus does not depend on how documents are cut into segments.
class Bonuses {
 public:
  Bonuses(std::span<const SearchedSegment> segments, const RankingOptions& options, float scale);
  Bonuses(const Bonuses&) = delete;
  Bonuses& operator=(const Bonuses&) = delete;
  // nullptr if nothing is asked for.
  const DocumentBonus* In(size_t segment) const;
  // The numbers of one document.
  Explanation Explain(size_t segment, DocId doc) const;

 private:
  class SegmentBonus;
  std::vector<std::shared_ptr<const SegmentBonus>> bonuses_;
  RankingOptions options_;
  float scale_;
};

}  // namespace crivello::search
