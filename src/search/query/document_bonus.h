// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>

#include "search/query/page_dates.h"
#include "search/query/query_plan.h"
#include "search/query/static_scores.h"
#include "search/searcher.h"
#include "search/topk/topk.h"

namespace crivello::search {

// What the documents of each segment have beside the words of the query, as RankingOptions says:
//
//   rank_weight · s^a / (1 + s^a)  +  freshness_weight · 2^(-age / half-life)
//
// s is the document's static score over the median of those above zero, and a is kStaticExponent: a page at
// the median has half of the weight, and the best pages nearly all of it.  (Craswell, Robertson, Zaragoza,
// Taylor: Relevance weighting for query independent evidence, SIGIR 2005: ranks differ by orders of
// magnitude, and what they say of relevance grows with them ever more slowly.)  A document of a segment that
// does not have the score counts as one at the median.
//
// An age is counted from when the page says that it was published, or from when it was fetched.
//
// To sort by a static score, the bonus is the score itself, by its bits, and all else is left out; to sort by
// date it is the date of the page.
class Bonuses {
 public:
  static constexpr float kStaticExponent = 0.6f;

  // `rank` is what RankOf() says; pivots, and what the segments view, outlive it.
  Bonuses(std::span<const SearchedSegment> segments, const RankingOptions& options, std::string rank,
          StaticPivots& pivots, float scale);
  Bonuses(const Bonuses&) = delete;
  Bonuses& operator=(const Bonuses&) = delete;
  // nullptr if nothing is asked for.
  const DocumentBonus* In(size_t segment) const;
  // The numbers of one document.
  Explanation Explain(size_t segment, DocId doc) const;
  // The score that results are sorted by.  REQUIRES: options.sort is not empty.
  double SortedBy(size_t segment, DocId doc) const;

 private:
  class SegmentBonus;
  class SortBonus;
  class DateBonus;
  std::vector<std::shared_ptr<const DocumentBonus>> bonuses_;
  std::vector<StaticColumn> columns_;
  std::vector<PageDates> dates_;  // if results are sorted by date
  RankingOptions options_;
  std::string rank_;
  float pivot_ = 1;
  float scale_;
};

}  // namespace crivello::search
