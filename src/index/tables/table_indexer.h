// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>

#include "base/progress.h"
#include "base/status.h"
#include "index/build/segment_builder.h"
#include "index/segments/manifest.h"
#include "index/tables/inlinks.h"
#include "index/tables/page_document.h"
#include "index/tables/rank_source.h"
#include "store/change_log.h"
#include "store/dup_cells.h"
#include "store/table.h"

namespace crivello::index {

// A tablet whose rows are indexed.
struct IndexedTablet {
  const store::Table* table = nullptr;
  store::ChangeLog* changes = nullptr;
  std::string index;                            // the folder of its index
  const store::DupCells* duplicates = nullptr;  // null: no clusters are known
};

struct TableIndexOptions {
  IndexSettings settings;
  PageFields fields;
  // Of documents: "url", as rows come; "bisection"; or the name of a static score or a rank, the greatest
  // first.
  std::string order = "url";
  uint64_t memory_bytes = uint64_t{512} << 20;
  unsigned threads = 2;
  // Gathers what links say, for the field "anchor" and the counts of links; null if that is not a field.
  // Outlives the build.
  AnchorProvider* anchors = nullptr;
  // The ranks of the collection; null: the new index has those of the old one.  Outlives the build.
  RankSource* ranks = nullptr;
  std::stop_token stop = {};  // then it ends as Unavailable, and what there was is as it was
};

// What was built, of all tablets together.
struct TableIndexSummary {
  SegmentSummary segments;
  uint64_t rows = 0;  // looked at
  uint64_t index_bytes = 0;
  // Of that, by part: "documents", "counts", "positions", "terms", "lengths" of all fields, "values",
  // "texts".
  std::map<std::string, uint64_t> parts = {};
};

// Builds the indexes of all tablets anew from their rows: each becomes one segment, with the texts of links
// from all tablets.  The new index of a tablet takes the place of the old one when it is complete; searches
// go on in the old one until then, and a crash leaves it.  NotFound if there is no static score or rank of
// the name of the order.
//
// It covers the changes of a table up to those that were written when it began.  Nobody else writes these
// indexes meanwhile.
Result<TableIndexSummary> BuildTableIndexes(std::span<const IndexedTablet> tablets,
                                            const TableIndexOptions& options, Progress& progress);

struct TableRefreshSummary {
  uint64_t changed = 0;  // pages that are new or have changed
  uint64_t gone = 0;     // that are not to be found any more
};

// Brings the indexes up to the changes of their tables since they were built or refreshed: the cost is that
// of the changes.  Texts of links to the pages that changed are known again after the next build.  NotFound
// if a tablet has no index.
// `ranks` may be null; else the indexes have the ranks of the collection, too.
Result<TableRefreshSummary> RefreshTableIndexes(std::span<const IndexedTablet> tablets, RankSource* ranks,
                                                Progress& progress);

}  // namespace crivello::index
