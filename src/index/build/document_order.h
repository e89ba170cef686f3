// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "index/build/segment_merger.h"
#include "index/ranks/rank_pages.h"

namespace crivello::index {

// Orders of documents.  Each takes the sources of a merge and changes their maps, so that those that stay are
// numbered otherwise; those that are dropped remain so.  The order says nothing about what is found, and much
// about size and speed: neighbours that have the same words make small gaps, and good documents first let
// queries stop early.

// By the URL, hosts from their top domain down (store/surt.h), so that a site, and its folders, lie together.
Status OrderByUrl(std::span<MergeSource> sources);
// By a static score, the greatest first; documents without it have 0.  Equals stay as they were.
Status OrderByScore(std::string_view score, std::span<MergeSource> sources);
// By a rank, the greatest first; documents without a value have the median.  Equals stay as they were.
void OrderByRank(const RankPages& rank, std::span<MergeSource> sources);

struct BisectionOptions {
  std::string_view field = "body";
  DocId min_frequency = 16;  // rarer terms do not count: they have little to gain, and take time and memory
  unsigned threads = 1;
};
// By recursive graph bisection over the words of a field (graph_bisection.h), from the order that there is.
Status OrderByBisection(const BisectionOptions& options, std::span<MergeSource> sources);

}  // namespace crivello::index
