// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/command.h"
#include "collection/collection.h"

namespace crivello::index {
class Snapshot;
struct IndexSettings;
struct IndexedTablet;
}  // namespace crivello::index

namespace crivello::cli {

// Runs `action` on the collection of the session (-C), for commands that only read it.  If another process
// has it open, that one is asked to run the whole command instead (owner_socket.h), and the answer is the
// same.
Result<int> OnCollection(const Session& session,
                         const std::function<Result<int>(collection::Collection&)>& action);

// Opens a collection that is there, for work on its rows, and ends what was cut off (FinishCare). Unavailable
// if another process has it open.
Result<std::unique_ptr<collection::Collection>> OpenExisting(const Session& session);

// How a collection is opened to be crawled into.
collection::CollectionOptions StoreOptions(const Session& session);

// The index of the collection as it was committed last, of all tablets: read from its files, whoever has the
// collection open.  NotFound says how to make one.
Result<std::shared_ptr<const index::Snapshot>> OpenSnapshot(const Session& session);

// The generation of the snapshot that OpenSnapshot() would open: what has changed can be told by it, and
// costs little.
Result<uint64_t> IndexGeneration(const Session& session);

// Of an index that nobody has said anything about.
Result<index::IndexSettings> DefaultIndexSettings();

// Its tablets, as those who index them see them.
std::vector<index::IndexedTablet> IndexedTablets(collection::Collection& store);

}  // namespace crivello::cli
