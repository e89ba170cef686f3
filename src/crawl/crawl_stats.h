// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/counter.h"
#include "crawl/revisits.h"
#include "crawl/seed_watch.h"
#include "fetch/fetch.h"
#include "fetch/fetcher.h"
#include "fetch/resolver.h"
#include "frontier/frontier.h"

namespace crivello::crawl {

// What a crawl has done since it was opened.
struct CrawlStats {
  uint64_t pages = 0;     // rows committed: a page with an answer of whatever status
  uint64_t ok = 0;        // of these, answers 2xx
  uint64_t bytes = 0;     // received
  uint64_t robots = 0;    // robots.txt fetched
  uint64_t links = 0;     // found on pages
  uint64_t offered = 0;   // of these, offered to the frontier
  uint64_t refused = 0;   // visits that robots.txt forbade
  uint64_t filtered = 0;  // visits that a filter or the scope forbade
  uint64_t revisits = 0;  // identical payloads
  uint64_t copies = 0;    // of these, answers 2xx that another URL had given before
  uint64_t near_copies = 0;
  uint64_t feed_polls = 0;      // answers of feeds, and their failures
  uint64_t feed_items = 0;      // new items of feeds whose pages were requested
  uint64_t feed_documents = 0;  // items that became documents, or new versions of them
  uint64_t failures = 0;        // fetches without an answer, except those that the program refused to make
  uint64_t retries = 0;
  std::array<uint64_t, fetch::kOutcomes> outcomes{};
  std::array<uint64_t, 6> statuses{};  // 1xx to 5xx, 0: others

  uint64_t under_way = 0;  // taken from the frontier and not yet committed; the three that follow are of them
  uint64_t in_flight = 0;  // being fetched
  uint64_t to_read = 0;    // wait for a page worker
  uint64_t to_commit = 0;  // wait for the committer
  uint64_t body_bytes = 0;  // held in memory
  frontier::FrontierStats frontier;
  fetch::Fetcher::Stats fetcher;
  fetch::Resolver::Stats resolver;
  SeedCounts seeds;
  RevisitStats schedule;
  std::vector<Duration> stages;  // CPU time by Stage; empty unless it is measured
};

// The counters from which it is computed.
struct LiveCrawlStats {
  Counter pages, ok, bytes, robots, links, offered, refused, filtered, revisits, copies, near_copies,
      feed_polls, feed_items, feed_documents, failures, retries;
  std::array<Counter, fetch::kOutcomes> outcomes;
  std::array<Counter, 6> statuses;
  Counter body_bytes;
};

}  // namespace crivello::crawl
