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

// Why a crawl has ended, for people.
std::string EndSentence(const crawl::CrawlEnd& end);

// Crawls into the collection of the session until it is over or someone stops it (Ctrl-C: in order; twice: at
// once), with a screen for people and a last line that sums up.
Result<int> RunCrawl(const Session& session, crawl::CrawlOptions options);

}  // namespace crivello::cli
