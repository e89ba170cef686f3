// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "cli/command.h"
#include "collection/collection.h"
#include "crawl/crawl_options.h"
#include "crawl/crawler.h"

namespace crivello::cli {

// Opens the collection of the session to crawl into it, and tells what had to be repaired.  Fills in the user
// agent of the options.
Result<std::unique_ptr<collection::Collection>> OpenToCrawl(const Session& session,
                                                            collection::MemoryPlan::Work work,
                                                            crawl::CrawlOptions* options);

// Why a crawl has ended, for people.
std::string EndSentence(const crawl::CrawlEnd& end);

// Lets the process have as many descriptors as the system allows: the usual limit is for programs that ask
// for them with select(2).
void RaiseDescriptorLimit();

// Crawls into the collection of the session until it is over or someone stops it (Ctrl-C: in order; twice: at
// once), with a screen for people and a last line that sums up.
Result<int> RunCrawl(const Session& session, crawl::CrawlOptions options);

}  // namespace crivello::cli
