// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/clock.h"
#include "base/status.h"
#include "collection/memory_plan.h"
#include "crawl/crawl_options.h"
#include "fetch/fetcher.h"
#include "fetch/resolver.h"

namespace crivello::crawl {

// The connections of a crawl to the outside world.  The crawler owns fetcher and resolver; the clock must
// outlive it.
struct CrawlParts {
  std::unique_ptr<fetch::Fetcher> fetcher;  // not yet started
  std::unique_ptr<fetch::Resolver> resolver;
  const Clock* clock = &SystemClock();
};

// The parts for the web, from the options about connections, names and certificates.
Result<CrawlParts> OpenWebParts(const CrawlOptions& options, const collection::MemoryPlan& memory);

}  // namespace crivello::crawl
