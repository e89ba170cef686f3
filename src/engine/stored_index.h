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

// The tablets of a collection, in the form that indexing needs.  The collection must outlive them.
std::vector<index::IndexedTablet> IndexedTablets(collection::Collection& store);

// The settings of an index if nobody has chosen any.
Result<index::IndexSettings> DefaultIndexSettings();

// Rebuilds the index files of a collection that no live indexer follows, with their existing settings.
// Thread-safe.
class StoredIndex final : public care::IndexKeeper {
 public:
  StoredIndex() = default;
  // Takes the settings of the index in another collection's folder, or the default ones if those are
  // unreadable. Builds nothing if that collection has no index.  For a repaired collection.
  explicit StoredIndex(std::string like) : like_(std::move(like)) {}

  Status Rebuild(collection::Collection& store, Progress& progress) override;

 private:
  const std::string like_;
};

struct IndexUpdateOptions {
  index::TableIndexOptions build;  // for a build; settings and order only if no index or new_settings
  bool rebuild = false;            // even if a refresh would be enough
  bool new_settings = false;       // build with the settings of `build`
};
struct IndexUpdate {
  bool refreshed = false;  // otherwise it was built
  index::TableRefreshSummary refresh = {};
  index::TableIndexSummary built = {};
};
// Brings the index of a collection up to date: refreshes or builds it, as index_policy.h decides.
Result<IndexUpdate> UpdateIndex(collection::Collection& store, IndexUpdateOptions options,
                                Progress& progress);

}  // namespace crivello::engine
