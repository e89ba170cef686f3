// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "collection/schedule_report.h"
#include "crawl/crawler.h"
#include "engine/feed_health.h"
#include "serve/dashboard/crawl_control.h"

namespace crivello::engine {

// The numbers of a crawl that pages, API and metrics show.
serve::CrawlStatus StatusOf(const crawl::CrawlStats& stats, MonotonicTime now);

// Runs the crawl of a collection in a thread, as long as the program lives, and passes commands of users to
// it. There is one crawl from start to end, and no command restarts it.  This class stores what must outlive
// the process: the file `paused` in the collection keeps a crawl paused after a restart, and `exclusions.txt`
// lists what is excluded.
class CrawlSupervisor final : public serve::CrawlControl {
 public:
  // The store must outlive this.  Starts crawling, unless paused.  The parts default to those for the real
  // web; a test passes its own.
  static Result<std::unique_ptr<CrawlSupervisor>> Start(collection::Collection& store,
                                                        crawl::CrawlOptions options);
  static Result<std::unique_ptr<CrawlSupervisor>> Start(collection::Collection& store,
                                                        crawl::CrawlOptions options, crawl::CrawlParts parts);
  ~CrawlSupervisor() override;

  State state() const override CRV_EXCLUDES(mu_);
  serve::CrawlStatus status() const override;
  std::vector<std::string> seeds() const override { return store_.seeds(); }
  Status AddSeeds(const std::vector<std::string>& urls) override { return crawler_->AddSeeds(urls); }
  Status Offer(const serve::CrawlOffer& offer) override;
  serve::CrawlLimits limits() const override;
  Status SetLimits(const serve::CrawlLimits& limits) override;
  Status Pause() override;
  Status Resume() override;
  std::vector<policy::Exclusion> exclusions() const override CRV_EXCLUDES(mu_);
  Result<serve::ExclusionPreview> Preview(const policy::Exclusion& exclusion) override;
  Result<std::optional<uint64_t>> Exclude(const policy::Exclusion& exclusion) override CRV_EXCLUDES(mu_);
  Status Include(const policy::Exclusion& exclusion) override CRV_EXCLUDES(mu_);

  crawl::Crawler& crawler() { return *crawler_; }
  crawl::CrawlStats stats() const { return crawler_->stats(); }
  // Ends the crawl, cleanly or at once; returns without waiting for the end.
  void Stop(bool at_once) CRV_EXCLUDES(mu_);
  // Waits until nothing is being crawled (nothing to do, paused, stopped or failed), or until `limit` has
  // passed. Returns whether that state was reached.
  bool WaitUntilIdle(Duration limit) { return crawler_->WaitUntilIdle(limit); }
  // Waits until Stop() or an error has ended the crawl, or until `limit`.  Returns whether it has ended.
  bool WaitUntilEnded(Duration limit) CRV_EXCLUDES(mu_);
  // How the crawl ended, or why it has nothing to do; an error of the disk or an internal one.
  Result<crawl::CrawlEnd> end() const CRV_EXCLUDES(mu_);

 private:
  CrawlSupervisor(collection::Collection& store, const Clock& clock)
      : store_(store), clock_(clock), feed_health_(store, clock) {}
  void Run() CRV_EXCLUDES(mu_);
  // A sample of the schedule, at most half a minute old.
  collection::Freshness Fresh() const CRV_EXCLUDES(mu_);
  void DropAll() CRV_EXCLUDES(mu_);
  // Applies these and writes them to disk, or does neither.
  Status Use(std::vector<policy::Exclusion> exclusions) CRV_REQUIRES(mu_);
  std::string PausedPath() const { return store_.directory() + "/paused"; }

  collection::Collection& store_;
  const Clock& clock_;
  mutable FeedHealth feed_health_;
  std::unique_ptr<crawl::Crawler> crawler_;

  mutable Mutex mu_;
  mutable collection::Freshness fresh_ CRV_GUARDED_BY(mu_);
  mutable std::optional<MonotonicTime> sampled_ CRV_GUARDED_BY(mu_);
  mutable uint64_t samples_ CRV_GUARDED_BY(mu_) = 0;
  std::condition_variable_any changed_;
  bool stopping_ CRV_GUARDED_BY(mu_) = false;
  std::optional<Result<crawl::CrawlEnd>> end_ CRV_GUARDED_BY(mu_);
  std::vector<policy::Exclusion> exclusions_ CRV_GUARDED_BY(mu_);
  // Exclusions whose URLs must still be dropped, and how many each has dropped.
  struct Drop {
    policy::Exclusion exclusion;
    std::optional<Result<uint64_t>> dropped;
  };
  std::deque<std::shared_ptr<Drop>> to_drop_ CRV_GUARDED_BY(mu_);

  std::thread running_;
  std::thread dropping_;  // the last members
};

}  // namespace crivello::engine
