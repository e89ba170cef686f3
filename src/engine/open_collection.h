// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/progress.h"
#include "base/status.h"
#include "care/index_keeper.h"
#include "collection/collection.h"
#include "crawl/crawl_options.h"

namespace crivello::engine {

// The modes in which the program opens a collection.  Each is Unavailable if another process has it open.

// Opens to read rows.  Creates, changes and writes nothing, so a full or read-only disk does not matter.
// Several processes may read at the same time.  NotFound if there is none.
Result<std::unique_ptr<collection::Collection>> OpenToRead(const std::string& directory);
// The same for a process that answers the requests of others: no other process may have it open.
Result<std::unique_ptr<collection::Collection>> OpenToAnswer(const std::string& directory);
// Warns the listener if a deletion was interrupted: a process that only reads does not finish it.
void WarnOfUnfinished(const collection::Collection& store, Listener& listener);

// For maintenance of existing data (forget, backup): writes to it, and leaves an interrupted deletion as it
// is. Like those that follow, it waits for a process that only reads.
Result<std::unique_ptr<collection::Collection>> OpenToCare(const std::string& directory);

// The next three finish an interrupted deletion and tell the listener.  If a process has the collection open
// only to read it, as `serve` may, that process closes it for them. OpenToChange() changes rows of an
// existing collection.
Result<std::unique_ptr<collection::Collection>> OpenToChange(const std::string& directory,
                                                             Listener& listener);
// To add documents; creates the collection if there is none.
Result<std::unique_ptr<collection::Collection>> OpenToImport(const std::string& directory,
                                                             Listener& listener);
// To crawl; creates the collection if there is none.  Fills in the user agent of the options, and tells the
// listener what had to be repaired.
struct OpenToCrawlOptions {
  std::string software;  // the program and its version, "crivello/1.0"
  collection::MemoryPlan::Work work = collection::MemoryPlan::Work::kCrawl;
};
Result<std::unique_ptr<collection::Collection>> OpenToCrawl(const std::string& directory,
                                                            const OpenToCrawlOptions& open,
                                                            crawl::CrawlOptions* options, Listener& listener);

// Raises the limit of file descriptors as far as the system allows: the usual limit is meant for programs
// that use select(2).
void RaiseDescriptorLimit();

}  // namespace crivello::engine
