// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "base/status.h"
#include "care/index_keeper.h"
#include "collection/collection.h"
#include "index/tables/table_indexer.h"

namespace crivello::engine {

// The tablets of a collection as those who index them see them.  The collection outlives them.
std::vector<index::IndexedTablet> IndexedTablets(collection::Collection& store);

// The settings of an index that nobody has chosen settings for.
Result<index::IndexSettings> DefaultIndexSettings();

// Rebuilds the index files of a collection that no live indexer follows, with the settings that they have.
// Thread-safe.
class StoredIndex final : public care::IndexKeeper {
 public:
  StoredIndex() = default;
  // With the settings of the index in another collection's folder, or the default ones if those cannot be
  // read; nothing is built if that has no index.  For a collection that is repaired.
  explicit StoredIndex(std::string like) : like_(std::move(like)) {}

  Status Rebuild(collection::Collection& store, Progress& progress) override;

 private:
  const std::string like_;
};

struct IndexUpdateOptions {
  index::TableIndexOptions build;  // if it is built; its settings only if there is no index or new_settings
  bool rebuild = false;            // even if a refresh would do
  bool new_settings = false;       // build it with the settings of `build`
};
struct IndexUpdate {
  bool refreshed = false;  // else built
  index::TableRefreshSummary refresh = {};
  index::TableIndexSummary built = {};
};
// Brings the index of a collection up to its rows: refreshes or builds it, as index_policy.h decides.
Result<IndexUpdate> UpdateIndex(collection::Collection& store, IndexUpdateOptions options,
                                Progress& progress);

}  // namespace crivello::engine
