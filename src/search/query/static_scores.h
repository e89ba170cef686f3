// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "index/segments/score_table.h"
#include "search/query/query_plan.h"
#include "search/searcher.h"

namespace crivello::search {

// A static score of the documents of a segment: a rank beside it (index/ranks), or a score that the segment
// has itself ("inlinks", "depth").  Views; the segment outlives it.
struct StaticColumn {
  const index::ScoreTable* table = nullptr;  // null: the segment has no such score
  std::span<const uint8_t> codes;
  const index::RankColumn* rank = nullptr;  // if it is one

  float operator[](DocId doc) const { return (*table)[codes[doc]]; }
};
StaticColumn FindStaticColumn(const SearchedSegment& searched, std::string_view name);

// The names of all that some segment has.
std::set<std::string> StaticNames(std::span<const SearchedSegment> segments);
// The name of the static score that options mean, empty for none.  NotFound if the segments do not have what
// they name, here or to sort by; of an index without documents all that is known is that nothing is found.
Result<std::string> RankOf(const RankingOptions& options, std::span<const SearchedSegment> segments);

// What a score is divided by before it is weighed: the median of those above zero.  A rank brings it along;
// of scores in segments it is computed when it is first asked for, some nanosecond a document, and kept.
// Thread-safe; good for the segments that it is first called with.
class StaticPivots {
 public:
  float Of(std::string_view name, std::span<const SearchedSegment> segments) CRV_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::map<std::string, float, std::less<>> pivots_ CRV_GUARDED_BY(mutex_);
};

}  // namespace crivello::search
