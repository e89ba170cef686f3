// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/command.h"
#include "crawl/crawl_store.h"

namespace crivello::index {
class Snapshot;
struct IndexedTablet;
}  // namespace crivello::index

namespace crivello::cli {

// Runs `action` on the collection of the session (-C), for commands that only read it.  If another process
// has it open, that one is asked to run the whole command instead (owner_socket.h), and the answer is the
// same.
Result<int> OnCollection(const Session& session,
                         const std::function<Result<int>(crawl::CrawlStore&)>& action);

// How a collection is opened to be written.
crawl::CrawlStoreOptions StoreOptions(const Session& session);

// The index of the collection as it was committed last, of all tablets: read from its files, whoever has the
// collection open.  NotFound says how to make one.
Result<std::shared_ptr<const index::Snapshot>> OpenSnapshot(const Session& session);

// Its tablets, as those who index them see them.
std::vector<index::IndexedTablet> IndexedTablets(crawl::CrawlStore& store);

}  // namespace crivello::cli
