// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/progress.h"
#include "crawl/backlog.h"
#include "crawl/other_tablets.h"
#include "crawl/revisits.h"
#include "fetch/curl_fetcher.h"
#include "fetch/fetch.h"
#include "fetch/hosts_file.h"
#include "frontier/frontier.h"
#include "frontier/priority.h"
#include "page/page_reader.h"
#include "policy/filter.h"
#include "policy/scope.h"
#include "store/warc_encoder.h"
#include "web/http/bot_identity.h"

namespace crivello::crawl {

// What a crawl does with a page that is nearly equal to another one.
enum class NearDuplicates : uint8_t {
  kOff,       // does not look for any
  kMark,      // notes which page it is like
  kNofollow,  // and follows only its links within its own host
  kSkip,      // and keeps no row of it, nor an archived answer
};
// Nothing if it is not one of off, mark, nofollow, skip.
std::optional<NearDuplicates> NearDuplicatesOf(std::string_view name);

// Settings of a single host, besides its delay (PolitenessOptions::host_delays).
struct HostSettings {
  std::vector<fetch::RequestField> fields;  // sent with each request; the archive does not get them
};

// All options of a crawl.  The defaults are polite.
struct CrawlOptions {
  std::vector<std::string> seeds;  // as people write them: "example.org" means https://example.org/
  policy::ScopeKind scope = policy::ScopeKind::kHost;
  policy::Filters filters;
  frontier::PolitenessOptions politeness;
  frontier::BudgetOptions budget;
  frontier::PriorityOptions priority;
  // Whose `visits` go with priority.host_rank; must outlive the crawl.
  frontier::HostRankUse host_ranks;
  std::string host_rank = "host-pagerank";  // the rank that host_ranks is to be, by name

  std::string user_agent;                            // empty: the program, its version and the contact
  std::string contact;                               // a mail address or a URL: required unless allow_private
  std::shared_ptr<const web::BotIdentity> identity;  // which requests are signed with; null: they are not
  std::map<std::string, HostSettings, std::less<>> host_settings;  // by name
  bool allow_private = false;
  bool sitemaps = true;                    // those that robots.txt names
  std::vector<std::string> sitemap_seeds;  // sitemaps to start from
  bool follow_feeds = false;               // the feeds that pages name are added to those of the collection
  bool feed_items = false;  // items of feeds that have a full text and no page become documents
  bool refresh = false;     // seeds that were fetched before (those given, or all) are offered again
  bool cookies = true;
  NearDuplicates near_duplicates = NearDuplicates::kMark;

  uint32_t connections = 256;                   // open at the same time
  uint32_t parsers = 2;                         // threads that read pages
  uint32_t tablets = 0;                         // of a new collection; 0: one, or what the collection has
  std::string sieve;                            // of a new collection; empty: the default
  uint64_t memory_bytes = uint64_t{512} << 20;  // of sieve, frontier, database and pages together
  uint64_t min_free_bytes = uint64_t{1} << 30;  // stop before the disk has less
  bool measure_stages = false;                  // CPU time by stage, in CrawlStats
  // How long the first page of a commit waits for others.  Each commit costs three syncs, whatever its number
  // of pages, and only hosts whose robots.txt is in it wait for it.
  Duration commit_gather = std::chrono::milliseconds(50);
  // Whether a crawl with nothing to do waits for orders (crawler.h) and for what becomes due.  Otherwise it
  // ends.
  bool wait_for_orders = false;
  // While it waits, how long it takes at most until it notices Stop().
  Duration longest_nap = std::chrono::milliseconds(200);
  RevisitOptions revisits = {};
  uint64_t keep_versions = 0;        // texts and links of a row: those of its newest versions; 0: all
  const Backlog* backlog = nullptr;  // while it is full, nothing is fetched; must outlive the crawl
  OtherTablets* others = nullptr;    // null: no other process crawls this collection; must outlive the crawl
  std::string memories = {};         // folder of the memories of texts and traps; empty: the collection's
  Listener* listener = nullptr;      // is told about seeds that cannot be fetched; must outlive the crawl

  fetch::Limits limits;
  page::PageReaderOptions reader;
  store::WarcCompression compression = store::WarcCompression::kGzip;
  uint64_t warc_bytes = uint64_t{1} << 30;  // of a file of the archive
  std::string warc_prefix = "crivello";     // of the names of these files
  bool archive_robots = true;               // answers to requests for robots.txt too
  std::string log_file = {};                // a line for each fetch (crawl_log.h); empty: none
  std::vector<fetch::HostsEntry> hosts;
  std::vector<std::string> dns_servers;
  fetch::CertificatePolicy certificates = fetch::CertificatePolicy::kRequire;
  std::string authorities;
  std::string proxy;
};

}  // namespace crivello::crawl
