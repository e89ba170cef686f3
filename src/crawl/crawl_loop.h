// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bounded_queue.h"
#include "base/mutex.h"
#include "base/wakeup.h"
#include "crawl/committer.h"
#include "crawl/crawl_context.h"
#include "crawl/crawler.h"
#include "frontier/exchange.h"

namespace crivello::crawl {

// The one Crawler: its threads and what flows between them.  crawl_loop.cc has the life of a crawl,
// crawl_visits.cc that of a visit until it reaches a page worker.
class CrawlLoop final : public Crawler, private fetch::FetchSink {
 public:
  CrawlLoop(collection::Collection& store, CrawlOptions options, CrawlParts parts);
  ~CrawlLoop() override;

  Status Open();
  Result<CrawlEnd> Run() override;
  void Stop(bool at_once) override { stop_.store(at_once ? kAtOnce : kInOrder); }
  CrawlStats stats() const override;

 private:
  // The longest wait for news; and while the backlog is full.
  static constexpr Duration kLongestNap = std::chrono::milliseconds(200);
  static constexpr Duration kHeldNap = std::chrono::milliseconds(20);
  enum StopKind : int { kGoOn, kInOrder, kAtOnce };

  Status AddSeeds();
  // Queues the seeds that were asked for again and have a row: the sieve would not let them through.
  Status QueueRefreshed();
  Status OpenSeenTexts();
  std::string SeenTextsPath() const { return store_.directory() + "/seen-texts"; }
  std::string TrapMemoryPath() const { return store_.directory() + "/trap-memory"; }
  // Writes down what is known of texts and traps, which no commit holds.
  Status SaveMemories() const;
  // Until there is nothing to do or to wait for; says how it ended.
  Result<CrawlEnd> Schedule();
  // Waits until all that is under way is committed, or cut off.
  void Drain(bool at_once);
  // Until another thread has news, but no longer than `limit`.
  void WaitForNews(Duration limit) { clock_.Wait(wakeup_, clock_.Now() + limit); }

  // The scheduler's steps.
  Result<bool> TakeVisits();  // whether it took any
  bool HasRoom() const;
  Status Start(frontier::Visit visit);
  Status TryStart(frontier::Visit visit);
  Status PassOverRobots(const frontier::Visit& visit);
  // Why a page is not to be fetched, as a line for the ledger; nothing if it is.
  // `newest`: when its row was put last, if ever.
  Result<std::optional<store::Event>> WhyNot(const frontier::Visit& visit, const web::Url& url,
                                             const collection::RobotsKeeper::Rules& rules,
                                             std::optional<store::VersionTime> newest);
  void Submit(std::unique_ptr<VisitPayload> payload, web::Url url);
  void Resolve();
  Result<std::optional<CrawlEnd>> CheckDisk();

  // Of the other threads.
  void OnFetched(std::unique_ptr<fetch::Fetch> fetch) override;
  void PassOn(std::unique_ptr<fetch::Fetch> fetch);
  void ReadPages();
  void Fail(Status status) CRV_EXCLUDES(mu_);
  // These many visits are committed, or have come to nothing.  The scheduler is told in the same moment, so
  // that whoever sees by stats() that they are gone knows that it will look again.
  void Leave(size_t visits) CRV_EXCLUDES(mu_);
  uint64_t under_way() const { return under_way_.value(); }

  const CrawlOptions options_;
  const Clock& clock_;
  collection::Collection& store_;
  policy::Scope scope_;
  frontier::Tablets tablets_;
  frontier::LocalExchange exchange_;
  std::unique_ptr<frontier::Frontier> frontier_;
  policy::TrapOptions traps_;
  std::unique_ptr<policy::TrapMemory> trap_memory_;
  std::unique_ptr<dedup::SeenTexts> seen_texts_;
  CookieKeeper cookies_;
  CrawlCounters counters_;
  page::StageCosts costs_;
  std::optional<CrawlContext> context_;

  BoundedQueue<Fetched> to_read_;
  BoundedQueue<Settled> to_commit_;
  Counter under_way_;  // taken and not yet committed
  Counter sink_cpu_;   // nanoseconds that the fetcher's threads spent in OnFetched(), if costs are measured
  Wakeup wakeup_;      // of the scheduler
  Wakeup save_;        // of the thread that saves the memories
  std::atomic<int> stop_ = kGoOn;

  mutable Mutex mu_;
  std::vector<frontier::Visit> next_ CRV_GUARDED_BY(mu_);  // to be fetched at once, over a kept connection
  Status failure_ CRV_GUARDED_BY(mu_);

  // The scheduler's own.
  std::optional<std::string> spent_;  // the limit that is reached
  bool hosts_wait_ = false;           // when it took last: there are some, each for its time
  bool needs_pump_ = false;  // a host is due and was not taken: it sleeps on the disk, and Pump() wakes it
  Duration nap_{};

  // Last, so that no callback comes when the rest is gone.
  std::unique_ptr<fetch::Resolver> resolver_;
  std::unique_ptr<fetch::Fetcher> fetcher_;
};

}  // namespace crivello::crawl
