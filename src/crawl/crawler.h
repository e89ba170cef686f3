// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "collection/collection.h"
#include "crawl/crawl_options.h"
#include "crawl/crawl_parts.h"
#include "crawl/crawl_stats.h"

namespace crivello::crawl {

// How a crawl ended.
struct CrawlEnd {
  enum class Why : uint8_t {
    kFinished,  // nothing is left to fetch
    kBudget,    // a limit that was asked for is reached: `detail` names it
    kStopped,   // it was told to
    kDiskFull,  // the disk has less room than min_free_bytes: `detail` says how much
  };
  Why why = Why::kFinished;
  std::string detail;
};

// The loop that joins the stages:
//
//   frontier ─Take─> fetcher ─> page workers (threads) ─> committer (thread) ─> rows, archive, dequeues
//      ^                             │
//      └──────── links, offered ─────┘
//
// One thread schedules (Run), the fetcher's loops move bytes, a few workers read pages, archive them and
// offer their links, one commits: it syncs archive and offers, then writes the rows together with the
// dequeues, for all pages that have come meanwhile.  So what was committed is whole, and what was not is
// fetched again.
//
// Back-pressure: visits that were taken and not yet committed are bounded in number (connections, and as many
// again on their way), and the bytes of their bodies by the memory budget; the scheduler takes no more until
// some are done.
//
// Run() is called once.  Stop() and stats() are thread-safe.
class Crawler {
 public:
  // The store outlives the crawler.  The parts of the web come from OpenWebParts(); a test has its own.
  static Result<std::unique_ptr<Crawler>> Open(collection::Collection& store, CrawlOptions options,
                                               CrawlParts parts);
  virtual ~Crawler() = default;

  // Crawls until one of CrawlEnd::Why; an error is one of the disk or of our own.
  virtual Result<CrawlEnd> Run() = 0;

  // Ends Run() in order: no new visits; those under way are ended and committed.  `at_once`: their answers
  // are not waited for, and come again when the crawl goes on.  Safe in a signal handler.
  virtual void Stop(bool at_once) = 0;

  virtual CrawlStats stats() const = 0;
};

}  // namespace crivello::crawl
