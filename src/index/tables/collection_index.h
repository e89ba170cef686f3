// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "index/segments/snapshot.h"

namespace crivello::index {

// The folders in which the tablets of a collection have their indexes, or would have them.  NotFound if it is
// not a collection, Corruption if a tablet is missing.
Result<std::vector<std::string>> IndexFolders(const std::string& collection);

// The index of a collection's folder as it was committed last, of all tablets: read from its files, whoever
// has the collection open.  NotFound says how to make one.
Result<std::shared_ptr<const Snapshot>> OpenCollectionIndex(const std::string& collection);

// The generation of the snapshot that OpenCollectionIndex() would open: what has changed can be told by it,
// and costs little.
Result<uint64_t> CollectionGeneration(const std::string& collection);

}  // namespace crivello::index
