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

// The ways in which the program opens a collection.  Each is Unavailable if another process has it open.

// To read rows; nothing is made, changed or written, so a full disk or one that may only be read is no
// hindrance.  Others may read at the same time.  NotFound if there is none.
Result<std::unique_ptr<collection::Collection>> OpenToRead(const std::string& directory);
// The same for a process that answers the requests of others: no other has it open.
Result<std::unique_ptr<collection::Collection>> OpenToAnswer(const std::string& directory);
// Tells the listener if a forgetting was cut off: whoever only reads does not finish it.
void WarnOfUnfinished(const collection::Collection& store, Listener& listener);

// To care for what is there (forget, backup): writes to it, and leaves a forgetting as it is.  Like those
// that follow, it waits for a process that only reads.
Result<std::unique_ptr<collection::Collection>> OpenToCare(const std::string& directory);

// The next three finish a forgetting that was cut off, and tell the listener.  A process that has the
// collection open only to read it, as `serve` may, closes it for them.
// To change rows of a collection that is there.
Result<std::unique_ptr<collection::Collection>> OpenToChange(const std::string& directory,
                                                             Listener& listener);
// To add documents, making the collection if there is none.
Result<std::unique_ptr<collection::Collection>> OpenToImport(const std::string& directory,
                                                             Listener& listener);
// To crawl, making the collection if there is none.  Fills in the user agent of the options; tells the
// listener what had to be repaired.
struct OpenToCrawlOptions {
  std::string software;  // the program and its version, "crivello/1.0"
  collection::MemoryPlan::Work work = collection::MemoryPlan::Work::kCrawl;
};
Result<std::unique_ptr<collection::Collection>> OpenToCrawl(const std::string& directory,
                                                            const OpenToCrawlOptions& open,
                                                            crawl::CrawlOptions* options, Listener& listener);

// Lets the process have as many descriptors as the system allows: the usual limit is for programs that use
// select(2).
void RaiseDescriptorLimit();

}  // namespace crivello::engine
