// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/bounded_queue.h"
#include "base/mutex.h"
#include "base/random.h"
#include "base/wakeup.h"
#include "crawl/committer.h"
#include "crawl/crawl_context.h"
#include "crawl/crawl_log.h"
#include "crawl/crawler.h"
#include "crawl/decision.h"
#include "crawl/revisits.h"
#include "frontier/exchange.h"

namespace crivello::crawl {

// The one Crawler: its threads and what flows between them.  crawl_loop.cc has the life of a crawl,
// crawl_visits.cc that of a visit until it reaches a page worker, crawl_orders.cc what it is told meanwhile,
// crawl_tablets.cc how tablets come and go.
class CrawlLoop final : public Crawler, private fetch::FetchSink {
 public:
  CrawlLoop(collection::Collection& store, CrawlOptions options, CrawlParts parts);
  ~CrawlLoop() override;

  Status Open();
  Result<CrawlEnd> Run() override;
  void Stop(bool at_once) override { stop_.store(at_once ? kAtOnce : kInOrder); }
  CrawlStats stats() const override CRV_EXCLUDES(tablets_mu_);
  std::vector<SeedTrouble> SeedTroubles(size_t limit) const override { return seeds_.troubles(limit); }

  Status Offer(const std::vector<std::string>& urls, const OfferOptions& options) override;
  Status OfferChanged(const std::vector<std::string>& urls, Duration least) override;
  bool Wants(const std::string& url) const override;
  Status AddSeeds(const std::vector<std::string>& urls) override CRV_EXCLUDES(orders_mu_);
  Status SetExclusions(const std::vector<policy::Exclusion>& exclusions) override CRV_EXCLUDES(orders_mu_);
  Result<uint64_t> Drop(const policy::Exclusion& exclusion) override;
  Result<std::vector<PageHint>> Hint(std::span<const PageHint> hints) override;
  void Arrived() override;
  Status Attach(collection::Tablet& tablet, MonotonicTime rests_until) override CRV_EXCLUDES(mu_);
  Status Detach(const std::vector<const collection::Tablet*>& tablets, Duration limit) override
      CRV_EXCLUDES(mu_);
  void OfferAgainElsewhere() override;
  void SetLimits(const frontier::BudgetOptions& limits) override;
  frontier::BudgetOptions limits() const override { return frontier_->budget(); }
  void Pause() override;
  void Resume() override;
  bool paused() const override { return paused_; }
  std::optional<CrawlEnd> idle() const override CRV_EXCLUDES(mu_);
  bool WaitUntilIdle(Duration limit) const override CRV_EXCLUDES(mu_);

 private:
  // The longest wait while the backlog is full, and for fetches that are being aborted.
  static constexpr Duration kHeldNap = std::chrono::milliseconds(20);
  // How long until a host whose tablet may not fetch is tried again, and an address that must wait for its
  // turn.
  static constexpr Duration kForbiddenNap = std::chrono::milliseconds(100);
  static constexpr Duration kTurnNap = std::chrono::milliseconds(20);
  enum StopKind : int { kGoOn, kInOrder, kAtOnce };

  // Creates the policy and offers all seeds.  The sieve knows which of them were offered before, and which a
  // crash has lost.
  Status OfferSeeds();
  // Whether this process has the tablet of a URL.  The owners of other tablets take their own seeds.
  bool IsHere(const web::Url& url) { return store_.Find(url.hostname()) != nullptr; }
  // Offers those that are here, durably.
  Status OfferUrls(const std::vector<std::string>& urls);
  Status WatchSeeds(const std::vector<std::string>& urls);
  // Schedules seeds again whose host was given up: always if they are given now, otherwise if the host has
  // never answered.
  Status TryHostsAgain(const std::vector<std::string>& urls, const std::vector<std::string>& named);
  Status OpenSeenTexts();
  std::string Memories() const { return options_.memories.empty() ? store_.directory() : options_.memories; }
  std::string SeenTextsPath() const { return Memories() + "/seen-texts"; }
  std::string TrapMemoryPath() const { return Memories() + "/trap-memory"; }
  // Saves the memories of texts and traps, which are not part of any commit.
  Status SaveMemories() const;
  // Runs until there is nothing to do or to wait for, and returns how it ended.
  Result<CrawlEnd> Schedule();
  // Why there is nothing to do, if that is so, and no order is needed to end that.
  std::optional<CrawlEnd> NothingToDo() const;
  // Publishes why there is nothing to do, if so, unless an order came since `orders` of them had come.
  void TellStanding(const std::optional<CrawlEnd>& nothing, uint64_t orders) CRV_EXCLUDES(mu_);
  // Waits until everything under way is committed or aborted.
  void Drain(bool at_once);
  // Waits until another thread has news, but no longer than `limit`.
  void WaitForNews(Duration limit) { clock_.Wait(wakeup_, clock_.Now() + limit); }

  // The scheduler's steps.
  Result<bool> TakeVisits();  // whether it took any
  bool HasRoom() const;
  Status Start(frontier::Visit visit);
  Status TryStart(frontier::Visit visit);
  // Whether a visit may be made now; otherwise it is put back.
  bool MayVisit(const frontier::Visit& visit);
  // Ends a visit that must not be made; `key` is that of its row.
  Status PassOver(frontier::Visit visit, const std::string& key, const Decision& decision,
                  const std::shared_ptr<const collection::ForgottenSet>& forgotten);
  void PassOverFeed(frontier::Visit visit, const std::string& key,
                    const std::shared_ptr<const collection::ForgottenSet>& forgotten);
  Status PassOverRobots(const frontier::Visit& visit);
  Status Submit(std::unique_ptr<VisitPayload> payload, web::Url url);
  void Resolve();
  Result<std::optional<CrawlEnd>> CheckDisk();

  // Tablets that come and go.  The scheduler carries that out, so it needs to exclude only the other threads.
  struct Move {
    collection::Tablet* comes = nullptr;  // null: the tablet of the slot goes
    uint32_t slot = 0;
    MonotonicTime until =
        {};                  // if it comes, its hosts rest until then; if it goes, its requests are cancelled
    bool cancelled = false;  // used by the scheduler
    bool done = false;       // with mu_
    Status status = {};      // with mu_
  };
  // Waits until they are done.
  Status Make(const std::vector<std::shared_ptr<Move>>& moves) CRV_EXCLUDES(mu_);
  // What can be done now.
  Status MoveTablets() CRV_EXCLUDES(mu_);
  void End(Move& move, Status status) CRV_REQUIRES(mu_);
  Status Join(const Move& move);
  void Remove(uint32_t slot);
  // Whether no visit of a tablet is in progress.
  bool IsFree(uint32_t slot) const CRV_EXCLUDES(mu_);
  void CancelRequests(uint32_t slot) CRV_EXCLUDES(mu_);
  // The tablets that a visit needs: that of its host, and that of the host whose robots.txt it is.
  struct VisitSlots {
    uint32_t host = 0;
    uint32_t origin = 0;
    bool Have(uint32_t slot) const { return host == slot || origin == slot; }
  };
  VisitSlots SlotsOf(const frontier::Visit& visit) const;
  void CountSlots(const VisitSlots& slots, int change);

  // Orders.
  // Offer() for a thread that passes, or need not pass, the gate of the tablets.
  Status OfferHere(const std::vector<std::string>& urls, const OfferOptions& options);
  // Called after an order was carried out, because there may be something to do now.
  void Ordered() CRV_EXCLUDES(mu_);
  // The hosts, by slot of their tablet, that may have queued URLs to which an exclusion applies.
  Result<std::vector<uint64_t>> HostsOf(uint32_t tablet, const policy::Exclusion& exclusion) const;
  // Removes excluded URLs of the hosts, leaves busy hosts in `hosts`, and returns the number of removed URLs.
  Result<uint64_t> SweepOnce(uint32_t tablet, const policy::Filter& filter, std::vector<uint64_t>* hosts);

  // Of the other threads.
  void OnFetched(std::unique_ptr<fetch::Fetch> fetch) override;
  void PassOn(std::unique_ptr<fetch::Fetch> fetch);
  void TellSeeds(const frontier::Visit& visit, const fetch::Response& response, frontier::Verdict verdict);
  void ReadPages();
  void Fail(Status status) CRV_EXCLUDES(mu_);
  // These visits were committed or dropped.  The scheduler is notified at the same moment.  So a thread
  // that sees in stats() that they are gone knows that the scheduler will look again.
  void Leave(const frontier::Visit& visit) CRV_EXCLUDES(mu_);
  void LeaveAll(std::span<const Settled> visits) CRV_EXCLUDES(mu_);
  uint64_t under_way() const { return under_way_.value(); }

  const CrawlOptions options_;
  const Clock& clock_;
  SeededRandom nonces_{RandomSeed()};  // of the scheduler's thread
  collection::Collection& store_;
  LivePolicy policy_;
  frontier::Tablets tablets_;
  frontier::LocalExchange exchange_;
  std::unique_ptr<frontier::Frontier> frontier_;
  policy::TrapOptions traps_;
  std::unique_ptr<policy::TrapMemory> trap_memory_;
  std::unique_ptr<dedup::SeenTexts> seen_texts_;
  std::unique_ptr<NearCopies> near_copies_;
  std::unique_ptr<Revisits> revisits_;
  CookieKeeper cookies_;
  SeedWatch seeds_;
  page::ReadingRoom reading_room_;
  LiveCrawlStats counters_;
  std::unique_ptr<CrawlLog> log_;  // null: none
  page::StageCosts costs_;
  std::optional<CrawlContext> context_;

  BoundedQueue<Fetched> to_read_;
  BoundedQueue<Settled> to_commit_;
  Counter under_way_;                  // taken and not yet committed
  std::vector<Counter> under_way_of_;  // the same by slot
  Counter sink_cpu_;  // nanoseconds that the fetcher's threads spent in OnFetched(), if costs are measured
  Wakeup wakeup_;     // of the scheduler
  Wakeup save_;       // of the thread that saves the memories
  std::atomic<int> stop_ = kGoOn;
  std::atomic<bool> paused_ = false;
  std::atomic<bool> offer_again_ = false;

  Mutex orders_mu_;  // held by an order that changes the policy

  // Held while tablets are added or removed, and by stats(), which does not wait for the gate of the tablets.
  mutable Mutex tablets_mu_;

  mutable Mutex mu_;
  mutable std::condition_variable_any changed_;
  uint64_t orders_ CRV_GUARDED_BY(mu_) = 0;  // given so far
  uint64_t pumps_ CRV_GUARDED_BY(mu_) = 0;   // finished
  bool ended_ CRV_GUARDED_BY(mu_) = false;   // there will be no further Pump()
  bool over_ CRV_GUARDED_BY(mu_) = false;    // Run() has ended
  bool quiet_ CRV_GUARDED_BY(mu_) = false;   // nothing is under way, or will be without an order
  std::optional<CrawlEnd> idle_ CRV_GUARDED_BY(mu_);
  std::vector<frontier::Visit> next_ CRV_GUARDED_BY(mu_);  // to be fetched at once, over a kept connection
  std::vector<std::shared_ptr<Move>> moves_ CRV_GUARDED_BY(mu_);           // that are not done
  std::unordered_map<uint64_t, VisitSlots> requests_ CRV_GUARDED_BY(mu_);  // if tablets may go: in flight
  Status failure_ CRV_GUARDED_BY(mu_);

  // The scheduler's own.
  std::vector<bool> leaving_;         // by slot: starts no visits
  std::optional<std::string> spent_;  // the limit that is reached
  std::optional<CrawlEnd> full_;      // the disk has too little free space
  bool hosts_wait_ = false;           // after the last Take(): hosts wait for their delay
  bool needs_pump_ = false;  // a host is due and was not taken: it sleeps on the disk, and Pump() wakes it
  Duration nap_{};

  // Last, so that no callback comes after the rest is destroyed.
  std::unique_ptr<fetch::Resolver> resolver_;
  std::unique_ptr<fetch::Fetcher> fetcher_;
};

}  // namespace crivello::crawl
