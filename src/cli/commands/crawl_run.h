// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"
#include "cli/command.h"
#include "crawl/crawl_options.h"
#include "crawl/crawler.h"
#include "engine/engine.h"

namespace crivello::cli {

// The options of the engine for a session.
engine::EngineOptions EngineOptionsOf(const Session& session, crawl::CrawlOptions crawl);

// Why a crawl has ended, or has nothing to do, for people.
std::string EndSentence(const crawl::CrawlEnd& end, const crawl::SeedCounts& seeds);

// The exit code of a crawl: kIoFailure if the disk is too full, or if no seed could ever be fetched (unless
// the user stopped it before that was known).
int CrawlExitCode(const crawl::CrawlEnd& end, const crawl::SeedCounts& seeds);

// Crawls into the collection of the session until it is finished or the user stops it (Ctrl-C: cleanly;
// twice: immediately), with a progress display and a final summary line.
Result<int> RunCrawl(const Session& session, crawl::CrawlOptions options);

}  // namespace crivello::cli
