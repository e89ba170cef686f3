// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/status.h"
#include "index/build/index_writer.h"
#include "index/segments/index_document.h"
#include "index/segments/live_documents.h"
#include "index/tables/inlinks.h"
#include "index/tables/page_document.h"
#include "index/tables/table_indexer.h"
#include "store/table.h"
#include "web/url/url.h"

namespace crivello::index {

// The steps shared by table_indexer.h, which runs once, and engine/live_indexer.h, which runs continuously.

// The links of the rows of all tablets, sorted for each by target.
class LinkTurner {
 public:
  LinkTurner(std::span<const IndexedTablet> tablets, uint64_t memory_bytes);
  Status Run(const std::stop_token& stop, Progress& progress);
  // Of what points to rows of that tablet.
  InlinkSorter& sorter(size_t tablet) { return *sorters_[tablet]; }

 private:
  std::span<const IndexedTablet> tablets_;
  int bits_ = 0;
  std::vector<std::unique_ptr<InlinkSorter>> sorters_;
  web::Url target_;  // scratch
};

struct TableSegment {
  SegmentSummary summary;
  uint64_t rows = 0;                          // looked at
  std::shared_ptr<const LiveDocuments> live;  // where old versions have ended; null if all are current
};
// Writes all rows of a tablet as one segment into a folder, which is made anew.  `inlinks` may be null.
Result<TableSegment> BuildTableSegment(const IndexedTablet& tablet, const TableIndexOptions& options,
                                       InlinkSorter* inlinks, const std::string& folder, Progress& progress);

// Gives the writer the rows that have changed since `sequence`, as they are now, until there are no more or
// `max_rows` were read; returns the sequence that it has come to.  Texts of links to them are not known.
Result<uint64_t> AddChangedRows(const IndexedTablet& tablet, const PageFields& fields, uint64_t sequence,
                                uint64_t max_rows, IndexWriter& writer, TableRefreshSummary* summary);

}  // namespace crivello::index
