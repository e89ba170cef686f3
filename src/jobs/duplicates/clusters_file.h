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

// What the file `by-page` of a tablet says of a page: which cluster it belongs to.
struct PageCluster {
  std::string_view row_key;
  uint64_t text_digest = 0;         // of the text that was compared
  uint64_t members = 0;             // of the cluster
  std::string_view representative;  // its row key
};
// One line, so that lines sort as their row keys do: row key, representative, digest and members, each after
// a space, which no key holds.
std::string LineOfCluster(const PageCluster& page);
// Views of the line.  Corruption if it is none.
Result<PageCluster> ParseClusterLine(std::string_view line);

// Writes such a file: a list of names (graph/names/name_list.h), because it is sorted, front-coded and
// checked.  Format: docs/formats/duplicates.md.  Lines come in their order.
Result<graph::NameListWriter> CreateClustersFile(const std::string& path);

struct TakeClustersSummary {
  uint64_t changed = 0;  // pages whose cell was put or deleted
};

// Takes the file of a tablet into its dup cells, which then say what the file says and nothing else, and
// removes it.  Changed rows are noted for whoever follows them.  In batches; after a crash the file is there
// and is taken in again.  Pages that are forgotten, or whose representative is, get no cell.  Nothing if
// there is no file.
Result<TakeClustersSummary> TakeClusters(collection::Collection& store, collection::Tablet& tablet);

}  // namespace crivello::jobs
