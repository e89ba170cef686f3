// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/progress.h"
#include "base/status.h"
#include "index/build/index_writer.h"
#include "index/segments/index_document.h"
#include "index/segments/live_documents.h"
#include "index/tables/inlinks.h"
#include "index/tables/page_document.h"
#include "index/tables/table_indexer.h"
#include "store/table.h"

namespace crivello::index {

// The steps shared by table_indexer.h, which runs once, and engine/live_indexer.h, which runs continuously.

// Collects the links of all rows, if a field is made from them.  InvalidArgument if there is such a field but
// no provider (options.anchors).
Status GatherAnchors(const TableIndexOptions& options, Progress& progress);
// The links collected for a tablet; null if no field is made from them.
Result<std::unique_ptr<AnchorSource>> OpenAnchors(const TableIndexOptions& options, size_t tablet);

struct TableSegment {
  SegmentSummary summary;
  uint64_t rows = 0;                          // rows read
  std::shared_ptr<const LiveDocuments> live;  // when old versions ended; null if all are current
};
// Writes all rows of a tablet as one segment to a new folder.  `anchors` may be null; `order` is the rank
// named by options.order, if that is a rank.
Result<TableSegment> BuildTableSegment(const IndexedTablet& tablet, const TableIndexOptions& options,
                                       AnchorSource* anchors, const std::string& folder, Progress& progress,
                                       const RankPages* order = nullptr);

// Passes the current state of rows changed since `sequence` to the writer, until there are no more or
// `max_rows` were read; returns the sequence it reached.  The texts of links to them are unknown.
Result<uint64_t> AddChangedRows(const IndexedTablet& tablet, const PageFields& fields, uint64_t sequence,
                                uint64_t max_rows, IndexWriter& writer, TableRefreshSummary* summary);

}  // namespace crivello::index
