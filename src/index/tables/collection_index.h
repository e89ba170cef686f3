// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "index/segments/snapshot.h"

namespace crivello::index {

// The folders of the indexes of a collection's tablets, whether or not they exist.  NotFound if it is not a
// collection, Corruption if a tablet is missing.
Result<std::vector<std::string>> IndexFolders(const std::string& collection);

// The last committed index in a collection's folder, of all tablets.  Reads its files, whichever process has
// the collection open.  NotFound says how to create one.
Result<std::shared_ptr<const Snapshot>> OpenCollectionIndex(const std::string& collection);

// The generation of the snapshot that OpenCollectionIndex() would open: a cheap way to see whether the index
// has changed.
Result<uint64_t> CollectionGeneration(const std::string& collection);

}  // namespace crivello::index
