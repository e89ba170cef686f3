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

// Has the links of all rows gathered, if a field is made of them.  InvalidArgument if there is one and
// nobody to gather them (options.anchors).
Status GatherAnchors(const TableIndexOptions& options, Progress& progress);
// What was gathered for a tablet; null if no field is made of it.
Result<std::unique_ptr<AnchorSource>> OpenAnchors(const TableIndexOptions& options, size_t tablet);

struct TableSegment {
  SegmentSummary summary;
  uint64_t rows = 0;                          // looked at
  std::shared_ptr<const LiveDocuments> live;  // where old versions have ended; null if all are current
};
// Writes all rows of a tablet as one segment into a new folder.  `anchors` may be null; `order` is the rank
// that options.order names, if it is one.
Result<TableSegment> BuildTableSegment(const IndexedTablet& tablet, const TableIndexOptions& options,
                                       AnchorSource* anchors, const std::string& folder, Progress& progress,
                                       const RankPages* order = nullptr);

// Gives the writer the rows that have changed since `sequence`, as they are now, until there are no more or
// `max_rows` were read; returns the sequence that it has come to.  Texts of links to them are not known.
Result<uint64_t> AddChangedRows(const IndexedTablet& tablet, const PageFields& fields, uint64_t sequence,
                                uint64_t max_rows, IndexWriter& writer, TableRefreshSummary* summary);

}  // namespace crivello::index
