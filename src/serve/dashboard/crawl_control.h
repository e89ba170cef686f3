// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "policy/exclusions.h"

namespace crivello::serve {

// The numbers of a crawl that the pages, the API and the metrics show.
struct CrawlStatus {
  // Since the program started.
  uint64_t pages = 0;     // committed, whatever their status
  uint64_t ok = 0;        // of those, answers 2xx
  uint64_t bytes = 0;     // received
  uint64_t links = 0;     // found on pages
  uint64_t refused = 0;   // visits that robots.txt forbade
  uint64_t filtered = 0;  // visits that a filter or the scope forbade
  uint64_t copies = 0;    // pages with the text of another one, or nearly
  uint64_t failures = 0;  // fetches without an answer
  uint64_t retries = 0;
  std::array<uint64_t, 6> statuses{};  // answers by the first digit of their status; 0: others

  // Current values.
  uint64_t in_flight = 0;   // being fetched
  uint64_t to_read = 0;     // fetched and not yet read
  uint64_t to_commit = 0;   // read and not yet committed
  uint64_t to_sift = 0;     // URLs found and in no queue yet
  uint64_t queued = 0;      // URLs in the queues
  uint64_t scheduled = 0;   // URLs that wait for a fetch time of their own
  uint64_t body_bytes = 0;  // of pages in memory
  struct Hosts {
    uint64_t known = 0;     // ever
    uint64_t ready = 0;     // may be fetched from
    uint64_t taken = 0;     // are being fetched from
    uint64_t delayed = 0;   // wait for their own delay or that of their address
    uint64_t waiting = 0;   // wait for DNS, robots.txt or a commit
    uint64_t sleeping = 0;  // on the disk, with URLs in their queues
    uint64_t given_up = 0;
    uint64_t awake = 0;        // in memory
    uint64_t awake_limit = 0;  // how many the memory budget allows
  };
  Hosts hosts = {};
  // What the crawl waits for, or why it has finished, in words; empty if something can be fetched.
  std::string idle = {};

  struct Revisits {
    bool continuous = false;  // pages are revisited when they are due
    uint64_t pages = 0;       // scheduled
    uint64_t queued = 0;      // of those, in the queues of their hosts
    uint64_t failing = 0;     // of those, the last visit got no page
    double planned = 0;       // visits per day
    double budget = 0;        // visits per day
    // Visits so far, by all crawls of the collection.
    uint64_t firsts = 0;  // of new pages
    uint64_t again = 0;
    uint64_t changes = 0;  // of those, that found a change
    // Estimates from a sample of the pages.
    double fresh = 0;     // the share of the copies that are current
    double age_days = 0;  // average time since the last visit
  };
  Revisits revisits = {};
  struct Feeds {
    uint64_t followed = 0;
    uint64_t failing = 0;  // whose last poll failed
    uint64_t polls = 0;    // since the program started
    uint64_t items = 0;    // new ones that were requested since then
  };
  Feeds feeds = {};

  struct Seeds {
    uint64_t failed = 0;  // could not be fetched in this run
    struct Trouble {
      std::string url = {};
      std::string reason = {};
    };
    std::vector<Trouble> troubles = {};  // of those, the first few
  };
  Seeds seeds = {};
};

// URLs that someone asks the crawler to fetch.
struct CrawlOffer {
  std::vector<std::string> urls = {};
  uint8_t priority = 0;   // within a host: 0 is served first, 7 last
  WallTime not_before{};  // a time in the past means now
};

// The limits of a crawl; 0 means unlimited.
struct CrawlLimits {
  uint64_t pages = 0;
  uint64_t bytes = 0;
  uint64_t seconds = 0;        // since the crawl began
  uint64_t per_host = 0;       // URLs of one host ...
  uint64_t per_directory = 0;  // ... or of one of its directories that may ever enter its queue
  uint64_t depth = 0;          // links from a seed

  friend bool operator==(const CrawlLimits&, const CrawlLimits&) = default;
};

// What an exclusion would do.
struct ExclusionPreview {
  uint64_t queued = 0;  // URLs that would be dropped
  uint64_t queued_hosts = 0;
  std::vector<std::string> queued_examples = {};
  uint64_t unsifted = 0;  // URLs in no queue yet: they are checked when they arrive
  uint64_t rows = 0;      // pages that were fetched already, and are kept
  std::vector<std::string> row_examples = {};
  std::vector<std::string> seeds = {};  // seeds that would not be fetched again
};

// Watches and steers a crawl that runs in this process.  Commands apply to the running crawl: it is not
// restarted, and requests that are in progress or scheduled continue.  Thread-safe.
class CrawlControl {
 public:
  virtual ~CrawlControl() = default;
  // Finished: nothing to do until there is a command, or a URL is due (CrawlStatus::idle says more).
  enum class State { kRunning, kPaused, kFinished };
  virtual State state() const = 0;
  virtual CrawlStatus status() const = 0;
  virtual std::vector<std::string> seeds() const = 0;
  // Adds seeds, durably; a finished crawl resumes.  InvalidArgument names the one that is not a URL.
  virtual Status AddSeeds(const std::vector<std::string>& urls) = 0;
  // Fetches these URLs, even if they were fetched before.  Durable.  InvalidArgument names what is wrong.
  virtual Status Offer(const CrawlOffer& offer) = 0;
  virtual CrawlLimits limits() const = 0;
  // They hold until the process ends; the next process takes those of its command line.
  virtual Status SetLimits(const CrawlLimits& limits) = 0;
  // A paused crawl stays paused until it is resumed, even if the program restarts.
  virtual Status Pause() = 0;
  virtual Status Resume() = 0;

  // What the owner of the collection has excluded (policy/exclusions.h).
  virtual std::vector<policy::Exclusion> exclusions() const = 0;
  // What an exclusion would drop, and what it would keep; changes nothing.
  virtual Result<ExclusionPreview> Preview(const policy::Exclusion& exclusion) = 0;
  // Excludes URLs from now on, durably, and drops them from the queues.  Returns how many were dropped;
  // nullopt if dropping is still in progress, because a host whose page is in flight is searched later.
  virtual Result<std::optional<uint64_t>> Exclude(const policy::Exclusion& exclusion) = 0;
  // Revokes an exclusion.  URLs that it dropped stay dropped.  NotFound if there is no such exclusion.
  virtual Status Include(const policy::Exclusion& exclusion) = 0;
};

// Why nothing is being fetched, and nothing will be without a command; empty while the crawl runs.
std::string StandstillOf(CrawlControl::State state, const CrawlStatus& status);

}  // namespace crivello::serve
