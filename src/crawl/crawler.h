// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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
    kBudget,    // a limit of the options is reached: `detail` names it
    kStopped,   // Stop() was called
    kDiskFull,  // less than min_free_bytes of disk space is free: `detail` says how much is
  };
  Why why = Why::kFinished;
  std::string detail;
};

// How the URLs of an order are fetched.
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
// call returns, and the scheduler is woken.  docs/url-states.md describes the states of a URL.
//
// One thread schedules (Run), the fetcher's loops move bytes, a few workers read pages, archive them and
// offer their links.  One thread commits all pages that have arrived: it syncs archive and offers, then
// writes the rows and the dequeues in one batch.  So a page is committed completely, or it is fetched again
// after a crash.
//
// Back-pressure: at most twice `connections` visits are taken and not yet committed, and the memory budget
// bounds the bytes of their bodies.  At a limit the scheduler takes no visit until others are done.
//
// Run() is called once.  All other calls are thread-safe, before, during and after it.
class Crawler {
 public:
  // The store outlives the crawler.  The parts of the web come from OpenWebParts(); a test has its own.
  static Result<std::unique_ptr<Crawler>> Open(collection::Collection& store, CrawlOptions options,
                                               CrawlParts parts);
  virtual ~Crawler() = default;

  // Crawls until one of CrawlEnd::Why.  An error comes from the disk or from a defect of the program.  With
  // `wait_for_orders` only Stop() and errors end it; if it was idle then, CrawlEnd says why it was idle.
  virtual Result<CrawlEnd> Run() = 0;

  // Shuts Run() down: it starts no visit, and commits those in progress.  With `at_once` it does not wait for
  // their responses; they are fetched again when the crawl is resumed.  Safe in a signal handler.
  virtual void Stop(bool at_once) = 0;

  virtual CrawlStats stats() const = 0;
  // The seeds that could not be fetched in this run, and why; at most `limit`, in order of URL.
  virtual std::vector<SeedTrouble> SeedTroubles(size_t limit) const = 0;

  // Orders.

  // Fetches these URLs, even if they were fetched before.  URLs that are out of scope, excluded or refused by
  // robots.txt when their turn comes are skipped, and `why` says so.  Durable when it returns.  If one is not
  // a URL, takes none and returns InvalidArgument.
  virtual Status Offer(const std::vector<std::string>& urls, const OfferOptions& options) = 0;
  // Fetches pages that have changed according to a hint, politely and soon.  Leaves out pages that the scope
  // or the filters exclude, that were fetched within the last `least`, or whose hosts have reached their
  // limit.  `urls` are canonical.  Durable when it returns.
  virtual Status OfferChanged(const std::vector<std::string>& urls, Duration least) = 0;
  // Whether the scope and the filters want a URL, by the policy of this moment.
  virtual bool Wants(const std::string& url) const = 0;
  // Adds seeds to the collection and to the scope, durably.  Seeds that were fetched before are not fetched
  // again; those whose host was given up are tried again.  If one is not a URL, adds none and returns
  // InvalidArgument.
  virtual Status AddSeeds(const std::vector<std::string>& urls) = 0;

  // Replaces the exclusions.  The caller keeps their file.  If they are too many for the filter language,
  // changes nothing and returns InvalidArgument.
  virtual Status SetExclusions(const std::vector<policy::Exclusion>& exclusions) = 0;
  // Removes the URLs that match an exclusion from the queues, records each in the ledger, and returns their
  // number.  It waits for the visits of a host before it searches the queue of that host.  If the crawl ends
  // meanwhile, some queues are not searched.  REQUIRES: Run() is or will be called.
  virtual Result<uint64_t> Drop(const policy::Exclusion& exclusion) = 0;

  // Records hints that these pages have changed.  Scheduled pages are visited earlier, as far as hints about
  // their host were right before.  Returns the pages that are not scheduled because they were never visited;
  // the caller may Offer() these.  A hint overrides neither robots.txt nor the scope nor the budget of
  // revisits.  If a URL is not canonical, records none and returns InvalidArgument.
  virtual Result<std::vector<PageHint>> Hint(std::span<const PageHint> hints) = 0;

  // Call it after something other than this crawl has put URLs into a sieve.
  virtual void Arrived() = 0;

  // Tablets of a shared collection that come and go; the others are crawled meanwhile.  REQUIRES: the options
  // name OtherTablets, and Run() is or will be called.  Unavailable if it ends before: then wait until it has
  // returned, and attach or detach the tablet at the collection.

  // Attaches a tablet that somebody has opened, and offers it the seeds of its hosts.
  virtual Status Attach(collection::Tablet& tablet, MonotonicTime rests_until) = 0;
  // Detaches tablets once their visits are committed.  After `limit` their requests are cancelled, and made
  // again by the next owner.  What was offered to them is durable then.  If it may be lost, because another
  // process has a tablet, the crawl ends as Unavailable: pages that are not committed are fetched again.
  virtual Status Detach(const std::vector<const collection::Tablet*>& tablets, Duration limit) = 0;
  // Asks OtherTablets which links are to be offered again, soon.
  virtual void OfferAgainElsewhere() = 0;

  // Pages fetched so far count towards the new limits.  A crawl that waits at a limit continues if it can.
  virtual void SetLimits(const frontier::BudgetOptions& limits) = 0;
  virtual frontier::BudgetOptions limits() const = 0;

  // Starts no visit until Resume(); visits in progress are committed.  Queues and delays are unchanged.
  virtual void Pause() = 0;
  virtual void Resume() = 0;
  virtual bool paused() const = 0;

  // Why there is nothing to do, as the CrawlEnd of a crawl that does not wait for orders.  Nothing while
  // there is work, or while it is paused.
  virtual std::optional<CrawlEnd> idle() const = 0;
  // Waits until no visit is in progress and none will start without an order (idle, paused or ended), or
  // until `limit` has passed.  Returns whether that state was reached.
  virtual bool WaitUntilIdle(Duration limit) const = 0;
};

}  // namespace crivello::crawl
