// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "collection/collection.h"
#include "crawl/cookie_keeper.h"
#include "crawl/crawl_options.h"
#include "crawl/crawl_policy.h"
#include "crawl/crawl_stats.h"
#include "crawl/near_copies.h"
#include "crawl/seed_watch.h"
#include "dedup/seen_texts.h"
#include "feeds/feed_record.h"
#include "fetch/fetch.h"
#include "frontier/frontier.h"
#include "page/reading_room.h"
#include "page/stage_costs.h"
#include "policy/traps.h"
#include "revisit/planner.h"

namespace crivello::crawl {

// The objects that the threads of a crawl share.  All of them are thread-safe or never change.
struct CrawlContext {
  const CrawlOptions& options;
  const LivePolicy& policy;  // has the current filters; those of the options may be outdated
  const Clock& clock;
  collection::Collection& store;
  frontier::Frontier& frontier;
  const policy::TrapOptions& traps;
  dedup::SeenTexts& seen_texts;
  CookieKeeper& cookies;
  SeedWatch& seeds;
  page::ReadingRoom& reading_room;
  LiveCrawlStats& counters;
  page::StageCosts& costs;
  Revisits& revisits;
  NearCopies* near_copies = nullptr;  // null: pages are not compared
};

// What a fetch carries: the visit that it belongs to.
struct VisitPayload final : fetch::Payload {
  frontier::Visit visit;
  std::unique_ptr<store::Row> before;       // the row of the page, if it was fetched before
  std::unique_ptr<feeds::FeedRecord> feed;  // if the page is a feed that is polled
};

// A visit on its way from the fetcher to a page worker.
struct Fetched {
  frontier::Visit visit = {};
  std::unique_ptr<store::Row> before = {};
  std::unique_ptr<feeds::FeedRecord> feed = {};
  std::unique_ptr<fetch::Fetch> fetch = {};
  frontier::Verdict verdict = frontier::Verdict::kFinish;
};

// The result of a visit, on its way from a page worker (or from the scheduler, if nothing was fetched) to the
// committer: the cells of its row, if it has one, and lines of the ledger.  Its capture is in the archive and
// its links are offered, but neither is synced.
struct Settled {
  frontier::Visit visit;
  std::string row_key;
  bool has_row = false;
  bool not_modified = false;        // the row is still valid, as of `time`
  store::VersionTime time = 0;      // when its request began; 0: there was none
  store::VersionTime compared = 0;  // the version that the answer was compared with; 0: there was none
  store::FetchCell fetch;
  std::string text;  // encoded cells; empty: none
  std::string links;
  std::optional<revisit::VisitNews> news = {};  // for the schedule of the page
  uint64_t text_digest = 0;                     // to be remembered when it is committed; 0: none
  bool first_of_payload = false;                // later captures with the same body may refer to it
  std::vector<store::Event> events;
  // Of a robots.txt, which has no row and is in no queue: what it says, for its origin.
  struct Robots {
    std::string origin;
    collection::RobotsRecord record;
  };
  std::optional<Robots> robots;
  // For a feed that was polled: its new record.
  struct Feed {
    feeds::FeedRecord record;
    bool remove = false;
  };
  std::optional<Feed> feed;
  std::vector<frontier::OutgoingUrl> outgoing;  // links to tablets of other processes
  // Items of a feed that are documents: further rows of the same host, from the same answer.
  struct Part {
    std::string row_key;
    store::FetchCell fetch;
    std::string text;  // encoded cells; empty: none
    std::string links;
  };
  std::vector<Part> parts = {};
  std::shared_ptr<const collection::ForgottenSet>
      allowed_by;           // held until it is committed; null: nothing to commit
  uint64_t body_bytes = 0;  // given back to the memory budget when committed
};

inline bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace crivello::crawl
