// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "crawl/crawler.h"
#include "serve/dashboard/crawl_control.h"

namespace crivello::engine {

// What pages, API and metrics show of a crawl.
serve::CrawlStatus StatusOf(const crawl::CrawlStats& stats, MonotonicTime now);

// Runs the crawl of a collection for as long as the program lives: it can be paused, resumed and given more
// seeds, and goes on when there is something to do again.  A crawl that is to change is ended in order and
// opened anew, which is what a restart of the program does too: there is one way in which a crawl goes on.
//
// The file `paused` in the collection says that the crawl is paused, so that a restart leaves it so.
class CrawlSupervisor final : public serve::CrawlControl {
 public:
  // The store outlives it.  Begins to crawl, unless it is paused.
  static Result<std::unique_ptr<CrawlSupervisor>> Start(collection::Collection& store,
                                                        crawl::CrawlOptions options);
  ~CrawlSupervisor() override;

  State state() const override CRV_EXCLUDES(mu_);
  serve::CrawlStatus status() const override CRV_EXCLUDES(mu_);
  std::vector<std::string> seeds() const override CRV_EXCLUDES(mu_);
  Status AddSeeds(const std::vector<std::string>& urls) override CRV_EXCLUDES(mu_);
  Status Pause() override CRV_EXCLUDES(mu_);
  Status Resume() override CRV_EXCLUDES(mu_);
  std::vector<policy::Exclusion> exclusions() const override CRV_EXCLUDES(mu_);
  Result<serve::ExclusionPreview> Preview(const policy::Exclusion& exclusion) override CRV_EXCLUDES(mu_);
  Result<std::optional<uint64_t>> Exclude(const policy::Exclusion& exclusion) override CRV_EXCLUDES(mu_);
  Status Include(const policy::Exclusion& exclusion) override CRV_EXCLUDES(mu_);

  // The sums of all crawls since the start, and the state of the moment.
  crawl::CrawlStats stats() const CRV_EXCLUDES(mu_);
  // Ends the crawl, in order or at once, and does not begin another; returns when told, not when it has
  // ended.
  void Stop(bool at_once) CRV_EXCLUDES(mu_);
  // Returns when nothing is being crawled: finished, paused, stopped or failed; or after `limit`.  Whether it
  // is so.
  bool WaitUntilIdle(Duration limit) CRV_EXCLUDES(mu_);
  // How the last crawl ended; an error of the disk or of our own.
  Result<crawl::CrawlEnd> end() const CRV_EXCLUDES(mu_);

 private:
  CrawlSupervisor(collection::Collection& store, crawl::CrawlOptions options);
  void Loop() CRV_EXCLUDES(mu_);
  void DropNext() CRV_EXCLUDES(mu_);
  Result<crawl::CrawlEnd> CrawlOnce() CRV_EXCLUDES(mu_);
  std::string PausedPath() const;

  collection::Collection& store_;
  const crawl::CrawlOptions options_;

  mutable Mutex mu_;
  std::condition_variable_any changed_;
  bool paused_ CRV_GUARDED_BY(mu_) = false;
  bool stopping_ CRV_GUARDED_BY(mu_) = false;
  bool wanted_ CRV_GUARDED_BY(mu_) = true;  // there may be something to crawl
  bool idle_ CRV_GUARDED_BY(mu_) = false;
  std::vector<std::string> seeds_ CRV_GUARDED_BY(mu_);      // all
  std::vector<std::string> new_seeds_ CRV_GUARDED_BY(mu_);  // for the next crawl
  std::vector<policy::Exclusion> exclusions_ CRV_GUARDED_BY(mu_);
  // Exclusions whose URLs are to be dropped, when no crawl is open; and how many each has dropped.
  struct Drop {
    policy::Exclusion exclusion;
    std::optional<Result<uint64_t>> dropped;
  };
  std::vector<std::shared_ptr<Drop>> to_drop_ CRV_GUARDED_BY(mu_);
  std::unique_ptr<crawl::Crawler> crawler_ CRV_GUARDED_BY(mu_);
  crawl::CrawlStats before_ CRV_GUARDED_BY(mu_);  // of the crawls that have ended
  Result<crawl::CrawlEnd> end_ CRV_GUARDED_BY(mu_) = crawl::CrawlEnd{};

  std::thread thread_;  // the last member
};

}  // namespace crivello::engine
