// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "index/build/segment_merger.h"
#include "index/ranks/rank_pages.h"

namespace crivello::index {

// Orders of documents.  Each takes the sources of a merge and changes their maps, so that the remaining
// documents get other numbers; dropped documents stay dropped.  The order does not affect which documents
// match, but it affects size and speed a lot: neighbours with the same words make small gaps, and good
// documents first let queries stop early.

// By URL, hosts from their top domain down (store/surt.h), so that pages of a site or folder are adjacent.
Status OrderByUrl(std::span<MergeSource> sources);
// By a static score, the greatest first; documents without one have 0.  Ties keep their order.
Status OrderByScore(std::string_view score, std::span<MergeSource> sources);
// By a rank, the greatest first; documents without a value have the median.  Ties keep their order.
void OrderByRank(const RankPages& rank, std::span<MergeSource> sources);

struct BisectionOptions {
  std::string_view field = "body";
  DocId min_frequency = 16;  // rarer terms are ignored: they gain little, and cost time and memory
  unsigned threads = 1;
};
// By recursive graph bisection on the words of a field (graph_bisection.h), from the current order.
Status OrderByBisection(const BisectionOptions& options, std::span<MergeSource> sources);

}  // namespace crivello::index
