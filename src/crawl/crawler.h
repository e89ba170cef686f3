// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "collection/collection.h"
#include "crawl/crawl_options.h"
#include "crawl/crawl_parts.h"
#include "crawl/crawl_stats.h"
#include "frontier/budget.h"
#include "policy/exclusions.h"

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

// How URLs are to be fetched that someone asked for.
struct OfferOptions {
  uint8_t priority =
      0;  // class in the queue of its host: 0 is served first; below frontier::kPriorityClasses
  WallTime not_before{};  // in the past: now
};

// The loop that joins the stages:
//
//   frontier ─Take─> fetcher ─> page workers (threads) ─> committer (thread) ─> rows, archive, dequeues
//      ^                             │
//      └──────── links, offered ─────┘
//
// It takes orders while it runs: URLs, seeds, exclusions, limits, pause and resume.  An order never ends
// Run(), and requests that are in flight or scheduled continue.  What an order changes is in force when its
// call returns, and the scheduler is woken.  docs/url-states.md tells what becomes of a URL.
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
// Run() is called once.  All other calls are thread-safe, before, during and after it.
class Crawler {
 public:
  // The store outlives the crawler.  The parts of the web come from OpenWebParts(); a test has its own.
  static Result<std::unique_ptr<Crawler>> Open(collection::Collection& store, CrawlOptions options,
                                               CrawlParts parts);
  virtual ~Crawler() = default;

  // Crawls until one of CrawlEnd::Why; an error is one of the disk or of our own.  With `wait_for_orders`
  // only Stop() and errors end it, and if it was idle then, the reason for that is the reason of the end.
  virtual Result<CrawlEnd> Run() = 0;

  // Ends Run() in order: no new visits; those under way are ended and committed.  `at_once`: their answers
  // are not waited for, and come again when the crawl goes on.  Safe in a signal handler.
  virtual void Stop(bool at_once) = 0;

  virtual CrawlStats stats() const = 0;
  // The seeds that could not be fetched in this run, and why; at most `limit`, in order of URL.
  virtual std::vector<SeedTrouble> SeedTroubles(size_t limit) const = 0;

  // Orders.

  // Has these URLs fetched, also if they were fetched before, but for what the policy forbids when their turn
  // comes: what is out of scope, excluded, or refused by robots.txt is passed over, and `why` tells.  Durable
  // when it returns.  InvalidArgument, and none is taken, if one is not a URL.
  virtual Status Offer(const std::vector<std::string>& urls, const OfferOptions& options) = 0;
  // Adds seeds to the collection, durably; the scope grows by them.  Those that were fetched before are not
  // fetched again; those whose host was given up are tried again.  InvalidArgument, and none is added, if one
  // is not a URL.
  virtual Status AddSeeds(const std::vector<std::string>& urls) = 0;

  // Leaves these out from now on, and nothing else by its owner's word.  (The file of exclusions is the
  // caller's.)  InvalidArgument if they are too many for the language of filters: nothing has changed then.
  virtual Status SetExclusions(const std::vector<policy::Exclusion>& exclusions) = 0;
  // Takes out of the queues what that exclusion means, each URL with a line of the ledger, and returns how
  // many those were.  Returns when all queues are looked through; the queues of hosts that are being visited
  // are, when that has ended.  Fewer if the crawl ends meanwhile.  REQUIRES: Run() is or will be called.
  virtual Result<uint64_t> Drop(const policy::Exclusion& exclusion) = 0;

  // What was fetched so far counts.  A crawl that had reached a limit continues if it no longer has.
  virtual void SetLimits(const frontier::BudgetOptions& limits) = 0;
  virtual frontier::BudgetOptions limits() const = 0;

  // No visit begins from now on; those under way are ended and committed.  Queues and delays stay.
  virtual void Pause() = 0;
  virtual void Resume() = 0;
  virtual bool paused() const = 0;

  // Why nothing is left to do, as it would end a crawl that does not wait for orders; nothing while there is
  // something to do, or it is paused.
  virtual std::optional<CrawlEnd> idle() const = 0;
  // Returns when nothing is under way and nothing will be without an order: idle, paused, or ended; or after
  // `limit`.  Whether it is so.
  virtual bool WaitUntilIdle(Duration limit) const = 0;
};

}  // namespace crivello::crawl
