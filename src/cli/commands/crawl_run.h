// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"
#include "cli/command.h"
#include "crawl/crawl_options.h"
#include "crawl/crawler.h"
#include "engine/engine.h"

namespace crivello::cli {

// How the engine is opened for a session.
engine::EngineOptions EngineOptionsOf(const Session& session, crawl::CrawlOptions crawl);

// Why a crawl has ended, or has nothing to do, for people.
std::string EndSentence(const crawl::CrawlEnd& end, const crawl::SeedCounts& seeds);

// What the shell is answered at the end of a crawl: kIoFailure if the disk is too full, or if no seed could
// ever be fetched (unless somebody stopped it before that was known).
int CrawlExitCode(const crawl::CrawlEnd& end, const crawl::SeedCounts& seeds);

// Crawls into the collection of the session until it is over or someone stops it (Ctrl-C: in order; twice: at
// once), with a screen for people and a last line that sums up.
Result<int> RunCrawl(const Session& session, crawl::CrawlOptions options);

}  // namespace crivello::cli
