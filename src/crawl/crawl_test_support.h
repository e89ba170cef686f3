// SPDX-License-Identifier: Apache-2.0
// What the tests of the crawl share; included by _test.cc files only.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/test_support.h"
#include "collection/collection.h"
#include "crawl/crawl_context.h"
#include "crawl/scripted_web.h"
#include "frontier/exchange.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::crawl {

struct TestStoreOptions {
  uint32_t tablets = 1;
  uint64_t memory_bytes = 64 << 20;  // so much that no database is written out behind a test's back
  FileSystem* fs = nullptr;
};
// The sieve decides at once, so that a test's clock does not run ahead of it.
inline Result<std::unique_ptr<collection::Collection>> TryOpenTestStore(const std::string& directory,
                                                                        const TestStoreOptions& options) {
  collection::CollectionOptions store;
  store.directory = directory;
  store.tablets = options.tablets;
  store.sieve = "memory";
  store.work = collection::MemoryPlan::Work::kCrawl;
  store.memory_bytes = options.memory_bytes;
  store.fs = options.fs;
  if (options.fs != nullptr) store.archive.fs = options.fs;
  return collection::Collection::Open(store);
}
inline std::unique_ptr<collection::Collection> OpenTestStore(const std::string& directory,
                                                             const TestStoreOptions& options = {}) {
  auto store = TryOpenTestStore(directory, options);
  EXPECT_TRUE(store.ok()) << store.status().ToString();
  return store.ok() ? *std::move(store) : nullptr;
}

inline CrawlOptions SeedOf(const std::string& url) {
  CrawlOptions options;
  options.seeds = {url};
  return options;
}

// What a collection holds of a page, as far as it does not depend on when it was fetched.
struct StoredPage {
  int status = 0;
  std::string location = {};
  Sha1 payload = {};
  uint64_t text_digest = 0;
  std::string text = {};  // title and all blocks
  std::vector<store::OutLink> links = {};
  size_t versions = 0;

  friend bool operator==(const StoredPage&, const StoredPage&) = default;
};

inline std::string UrlOfKey(std::string_view key) {
  const auto url = web::UrlOfRowKey(key);
  return url.ok() ? url->href() : "?";
}
inline std::string KeyOfUrl(const std::string& text) {
  const auto url = web::CanonicalUrl(text);
  const auto key = url.ok() ? web::RowKey(*url) : url.status();
  EXPECT_TRUE(key.ok()) << text;
  return key.ok() ? *key : "";
}
inline collection::Tablet& TabletOfUrl(collection::Collection& store, const std::string& url) {
  return *store.Find(web::CanonicalUrl(url)->hostname());
}

inline std::map<std::string, StoredPage> PagesOf(collection::Collection& store) {
  std::map<std::string, StoredPage> pages;
  for (collection::Tablet* const tablet : store.tablets()) {
    const store::Table& table = tablet->table();
    store::RowCursor cursor = table.Scan();
    for (; cursor.valid(); cursor.NextRow()) {
      const auto rows = table.Get(cursor.key(), {.versions = 100, .text = true, .links = true});
      EXPECT_TRUE(rows.ok()) << rows.status().ToString();
      if (!rows.ok() || rows->empty()) continue;
      const store::Row& row = rows->front();
      StoredPage page = {.status = row.fetch.status,
                         .location = row.fetch.location,
                         .payload = row.fetch.payload,
                         .text_digest = row.fetch.text_digest,
                         .versions = rows->size()};
      if (row.text) {
        page.text = (*row.text)->title;
        for (const store::TextBlock& block : (*row.text)->blocks) page.text.append("\n").append(block.text);
      }
      if (row.links) page.links = *row.links;
      pages[UrlOfKey(cursor.key())] = std::move(page);
    }
    EXPECT_TRUE(cursor.status().ok()) << cursor.status().ToString();
  }
  return pages;
}

inline std::vector<store::Event> EventsOf(collection::Collection& store, const std::string& url) {
  auto events = TabletOfUrl(store, url).ledger().Get(KeyOfUrl(url));
  EXPECT_TRUE(events.ok()) << events.status().ToString();
  return events.ok() ? *std::move(events) : std::vector<store::Event>();
}
// The text of the event of that kind; "none" if there is none.
inline std::string EventText(collection::Collection& store, const std::string& url, store::EventKind kind) {
  for (const store::Event& event : EventsOf(store, url)) {
    if (event.kind == kind) return event.text + event.url;
  }
  return "none";
}

// All that the stages of a crawl share, without the loop: for tests of one stage.
class TestStages {
 public:
  explicit TestStages(std::unique_ptr<collection::Collection> opened, CrawlOptions given = {})
      : options(std::move(given)),
        store(std::move(opened)),
        policy(PolicyOf(options)),
        tablets(store->Frontier()),
        exchange(tablets),
        frontier(*frontier::Frontier::Open(tablets, exchange, clock, {.robots = false})),
        seen_texts(*dedup::SeenTexts::Create({.memory_bytes = 1 << 20})),
        near_copies(*NearCopies::Create(
            4 << 20, {store->tablet(0)->archive_directory()})),  // of as many tablets as tests of stages have
        costs(false),
        revisits(*Revisits::Make(*store, clock, options.revisits)),
        context{options, policy, clock, *store,   *frontier, traps,     *seen_texts,
                cookies, seeds,  room,  counters, costs,     *revisits, near_copies.get()} {}

  static CrawlPolicy PolicyOf(const CrawlOptions& options) {
    policy::Scope scope(options.scope);
    for (const std::string& seed : options.seeds) scope.AddSeed(*web::CanonicalUrl(seed));
    return {std::move(scope), options.filters};
  }

  // A visit that the frontier does not know.
  frontier::Visit MadeUp(const std::string& url) const {
    const auto parsed = web::CanonicalUrl(url);
    return {.url = parsed->href(),
            .host = std::string(parsed->hostname()),
            .address = "192.0.2.1",
            .origin = parsed->origin(),
            .queued = clock.Wall()};
  }
  // One that it gave out, and whose request has ended.
  frontier::Visit Visited(const std::string& url) {
    const frontier::UrlRecord record = {.url = url, .found = clock.Wall()};
    EXPECT_TRUE(frontier->Offer({&record, 1}).ok());
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(frontier->Pump().ok());
      for (const std::string& host : frontier->NeedsAddress(10)) {
        frontier->Resolved(host, "192.0.2.1", clock.Wall() + std::chrono::hours(1));
      }
      auto taken = frontier->Take();
      EXPECT_TRUE(taken.ok());
      if (taken->visit) {
        EXPECT_TRUE(
            frontier->Fetched(*taken->visit, {.status = 200, .started = clock.Now(), .ended = clock.Now()})
                .ok());
        return *std::move(taken->visit);
      }
      clock.Advance(std::chrono::seconds(10));
    }
    ADD_FAILURE() << "no visit of " << url;
    return {};
  }
  Fetched Answered(frontier::Visit visit, const Answer& answer) const {
    Fetched fetched = {.visit = std::move(visit), .fetch = std::make_unique<fetch::Fetch>()};
    EXPECT_TRUE(fetched.fetch->request.url.Parse(fetched.visit.url));
    fetched.fetch->request.addresses = {*fetch::IpAddress::Parse("192.0.2.1")};
    FillResponse(answer, clock, *fetched.fetch);
    return fetched;
  }
  // What was offered since it was asked last: "URL depth", and " sitemap".
  std::vector<std::string> Offered() {
    std::vector<std::string> all;
    for (collection::Tablet* const tablet : store->tablets()) {
      sieve::Sieve& sieve = tablet->sieve();
      EXPECT_TRUE(sieve
                      .Take(1000,
                            [&](std::string_view bytes) {
                              const auto record = frontier::ParseUrlRecord(bytes);
                              all.push_back(std::string(record->url) + " " + std::to_string(record->depth) +
                                            (record->kind == frontier::UrlKind::kSitemap ? " sitemap" : ""));
                            })
                      .ok());
      EXPECT_TRUE(sieve.Release().ok());
    }
    return all;
  }

  ScriptedClock clock{WallTime(std::chrono::hours(24 * 365 * 56))};
  CrawlOptions options;
  std::unique_ptr<collection::Collection> store;
  LivePolicy policy;
  frontier::Tablets tablets;
  frontier::LocalExchange exchange;
  std::unique_ptr<frontier::Frontier> frontier;
  policy::TrapOptions traps;
  std::unique_ptr<dedup::SeenTexts> seen_texts;
  std::unique_ptr<NearCopies> near_copies;
  CookieKeeper cookies;
  SeedWatch seeds{nullptr};
  page::ReadingRoom room{64 << 20};
  LiveCrawlStats counters;
  page::StageCosts costs;
  std::unique_ptr<Revisits> revisits;
  CrawlContext context;
};

}  // namespace crivello::crawl
