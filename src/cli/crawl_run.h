// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "cli/command.h"
#include "crawl/crawl_options.h"

namespace crivello::cli {

// Crawls into the collection of the session until it is over or someone stops it (Ctrl-C: in order; twice: at
// once), with a screen for people and a last line that sums up.
Result<int> RunCrawl(const Session& session, crawl::CrawlOptions options);

}  // namespace crivello::cli
