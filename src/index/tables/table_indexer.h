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

// A tablet to index.
struct IndexedTablet {
  const store::Table* table = nullptr;
  store::ChangeLog* changes = nullptr;
  std::string index;                            // the folder of its index
  const store::DupCells* duplicates = nullptr;  // null: no clusters are known
};

struct TableIndexOptions {
  IndexSettings settings;
  PageFields fields;
  // The order of documents: "url", the order of rows; "bisection"; or the name of a static score or a rank,
  // the greatest first.
  std::string order = "url";
  uint64_t memory_bytes = uint64_t{512} << 20;
  unsigned threads = 2;
  // Collects inlinks, for the field "anchor" and the link counts; null if "anchor" is not a field. Must
  // outlive the build.
  AnchorProvider* anchors = nullptr;
  // The ranks of the collection; null: the new index keeps those of the old one.  Must outlive the build.
  RankSource* ranks = nullptr;
  std::stop_token stop = {};  // stops the build with Unavailable; the old index stays
};

// The result of a build, over all tablets.
struct TableIndexSummary {
  SegmentSummary segments;
  uint64_t rows = 0;  // rows read
  uint64_t index_bytes = 0;
  // The same by part: "documents", "counts", "positions", "terms", "lengths" of all fields, "values",
  // "texts".
  std::map<std::string, uint64_t> parts = {};
};

// Rebuilds the indexes of all tablets from their rows: each becomes one segment, with the texts of links
// from all tablets.  The new index of a tablet replaces the old one when it is complete; until then searches
// use the old one, and a crash keeps it.  NotFound if no static score or rank has the name given as the
// order.
//
// It covers the changes of a table that were written when it began.  Nobody else may write these indexes
// meanwhile.
Result<TableIndexSummary> BuildTableIndexes(std::span<const IndexedTablet> tablets,
                                            const TableIndexOptions& options, Progress& progress);

struct TableRefreshSummary {
  uint64_t changed = 0;  // pages that are new or changed
  uint64_t gone = 0;     // pages that can no longer be found
};

// Applies the changes of the tables since their indexes were built or refreshed, at the cost of those
// changes. The texts of links to changed pages are missing until the next build.  NotFound if a tablet has no
// index.
// If `ranks` is not null, the indexes also get the ranks of the collection.
Result<TableRefreshSummary> RefreshTableIndexes(std::span<const IndexedTablet> tablets, RankSource* ranks,
                                                Progress& progress);

}  // namespace crivello::index
