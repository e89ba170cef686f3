// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"
#include "crawl/crawler.h"
#include "engine/collection_ranks.h"
#include "engine/crawl_supervisor.h"
#include "engine/disk_stats.h"
#include "engine/graph_shape.h"
#include "engine/live_host_ranks.h"
#include "engine/live_indexer.h"
#include "engine/live_ranks.h"
#include "engine/push_desk.h"
#include "engine/service_pages.h"
#include "engine/store_forgetter.h"
#include "engine/store_hosts.h"
#include "engine/store_sink.h"
#include "engine/stored_index.h"
#include "jobs/links/link_anchors.h"
#include "search/index_searcher.h"
#include "serve/sources.h"
#include "wire/server.h"

namespace crivello::engine {

struct EngineOptions {
  std::string directory;              // of the collection
  std::string software = "crivello";  // the program and its version, which servers and archives see
  crawl::CrawlOptions crawl = {};     // memory_bytes is the budget of all parts together
  bool ranks = true;                  // StartAll: keep graphs and ranks up to date
};

// How the parts of an engine are doing.
struct EngineHealth {
  crawl::CrawlStats crawl = {};
  Result<crawl::CrawlEnd> end = crawl::CrawlEnd{};  // how the last crawl ended, or why it failed
  bool paused = false;                              // the crawl
  LiveIndexer::Stats index = {};                    // its status says why it has stopped, if it has

  // The first part that has failed.
  Status status() const { return index.status.ok() ? end.status() : index.status; }
};

// The parts of the program, joined for one of three modes.  This is the only place that builds them.
//
//   OpenToCrawl   a collection and a crawl that runs once                              `crawl`
//   StartAll      a collection that is crawled, indexed and searched at the same time  `up`, `demo`
//   OpenToServe   the index that another process commits; the collection is not open   `serve`
//
// Thread-safe, except that Stop() and destruction come last.
class Engine {
 public:
  // The listener must outlive the engine: it is told about seeds that cannot be fetched.
  static Result<std::unique_ptr<Engine>> OpenToCrawl(EngineOptions options, Listener& listener);
  // Starts crawling and indexing immediately.
  static Result<std::unique_ptr<Engine>> StartAll(EngineOptions options, Listener& listener);
  // NotFound if there is no index yet.  `pages` answers for single pages; it must outlive the engine.
  static Result<std::unique_ptr<Engine>> OpenToServe(const std::string& directory, serve::PageSource& pages);

  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The interfaces that a server needs.  REQUIRES: the engine was not opened to crawl only.
  serve::Sources sources();
  EngineHealth Health() const;

  // REQUIRES for the following: the engine was not opened to serve.
  collection::Collection& collection() { return *collection_; }
  // Rebuilds the index when rows are deleted.
  care::IndexKeeper& index();
  // Answers the requests of other processes (docs/formats/wire.md), until Stop().
  Status AnswerOthers();

  // Opened to crawl: crawls until the end or StopCrawl(), in the calling thread.  Once.
  Result<crawl::CrawlEnd> Crawl() { return crawler_->Run(); }
  // Ends the crawl: completes what is in flight, or drops it if `at_once`.  Returns without waiting.
  void StopCrawl(bool at_once);

  // After StartAll: accepts submissions from strangers, until Stop().  Call once.
  feeds::IndexNowDesk& OpenPush(Listener& listener) {
    push_ = std::make_unique<PushDesk>(*collection_, supervisor_->crawler(), listener);
    return push_->index_now();
  }
  // After StartAll: waits until nothing is being crawled, or until `limit` has passed.  Returns whether that
  // state was reached.
  bool WaitUntilCrawled(Duration limit) { return supervisor_->WaitUntilIdle(limit); }
  // After StartAll: waits until all rows are searchable, with the texts of links to them and with ranks.
  Status CatchUp();
  // After OpenToServe: switches to the newest committed index and returns whether it is a newer one.
  // On Unavailable and other errors, it is just being replaced: try again.
  Result<bool> FollowIndex();
  std::shared_ptr<const index::Snapshot> snapshot() const { return searcher_->snapshot(); }

  // Stops all parts, commits, and closes the collection.  `interrupted(limit)` waits that long and returns
  // whether the user asked to stop immediately: then fetches in flight are dropped, and the next start
  // completes a deletion.  Returns the error of the part that failed first.
  Status Stop(const std::function<bool(Duration limit)>& interrupted);

 private:
  Engine() = default;
  serve::IndexStats Facts() const;
  Status StartIndexing(uint64_t memory_bytes, Listener& listener);
  // The ranks of hosts for the crawl, if its options ask for them; warns if they do and there are none.
  void OpenHostRanks(crawl::CrawlOptions* options, bool are_coming, Listener& listener);

  std::string directory_;
  uint64_t memory_budget_ = 0;
  // The parts, each after those it needs; null if the mode does not use it.
  std::unique_ptr<collection::Collection> collection_;
  StoredIndex stored_index_;
  std::unique_ptr<search::IndexSearcher> searcher_;
  std::unique_ptr<jobs::LinkAnchors> anchors_;
  std::unique_ptr<CollectionRanks> ranks_;
  std::unique_ptr<LiveIndexer> indexer_;
  std::unique_ptr<LiveHostRanks> host_ranks_;  // OpenToCrawl, StartAll
  std::unique_ptr<GraphShape> shape_;          // StartAll, OpenToServe
  std::unique_ptr<OwnService> service_;        // OpenToCrawl, StartAll
  std::unique_ptr<ServicePages> own_pages_;
  serve::PageSource* pages_ = nullptr;
  std::unique_ptr<StoreHosts> hosts_;
  std::unique_ptr<DiskWatch> disk_;
  std::unique_ptr<StoreSink> sink_;
  std::unique_ptr<CrawlBacklog> crawl_backlog_;
  std::unique_ptr<crawl::Crawler> crawler_;      // OpenToCrawl
  std::unique_ptr<CrawlSupervisor> supervisor_;  // StartAll
  std::unique_ptr<PushDesk> push_;               // OpenPush
  std::unique_ptr<LiveRanks> live_ranks_;        // StartAll, unless switched off
  std::unique_ptr<StoreForgetter> forgetter_;
  std::unique_ptr<wire::Server> server_;
};

}  // namespace crivello::engine
