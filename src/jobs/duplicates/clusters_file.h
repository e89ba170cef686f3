// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "collection/collection.h"
#include "graph/names/name_list_writer.h"

namespace crivello::jobs {

// A page's entry in the file `by-page` of a tablet: the cluster to which it belongs.
struct PageCluster {
  std::string_view row_key;
  uint64_t text_digest = 0;         // of the text that was compared
  uint64_t members = 0;             // of the cluster
  std::string_view representative;  // its row key
};
// One line: row key, representative, digest and number of members, separated by spaces, which no key
// contains, so lines sort like their row keys.
std::string LineOfCluster(const PageCluster& page);
// Views of the line.  Corruption if it is invalid.
Result<PageCluster> ParseClusterLine(std::string_view line);

// Writes such a file as a list of names (graph/names/name_list.h), because that is sorted, front-coded and
// checked.  Format: docs/formats/duplicates.md.  Add lines in sorted order.
Result<graph::NameListWriter> CreateClustersFile(const std::string& path);

struct TakeClustersSummary {
  uint64_t changed = 0;  // pages whose cell was written or deleted
};

// Replaces a tablet's dup cells by the contents of its file, and removes the file.  Changed rows are logged
// for indexes that follow them.  Works in batches; after a crash the file still exists and is processed
// again.  Forgotten pages, and pages whose representative is forgotten, get no cell.  Does nothing if there
// is no file.
Result<TakeClustersSummary> TakeClusters(collection::Collection& store, collection::Tablet& tablet);

}  // namespace crivello::jobs
