// SPDX-License-Identifier: Apache-2.0
#include "engine/crawl_supervisor.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/atomic_file.h"
#include "care/exclusion_work.h"
#include "collection/why_idle.h"
#include "frontier/host_queues.h"
#include "policy/seed.h"

namespace crivello::engine {
namespace {

// How long whoever excludes something waits to hear what was dropped.
constexpr Duration kDropPatience = std::chrono::seconds(5);

}  // namespace

serve::CrawlStatus StatusOf(const crawl::CrawlStats& stats, MonotonicTime now) {
  const frontier::FrontierCounts& hosts = stats.frontier;
  return {.pages = stats.pages,
          .ok = stats.ok,
          .bytes = stats.bytes,
          .links = stats.links,
          .refused = stats.refused,
          .filtered = stats.filtered,
          .copies = stats.revisits + stats.near_copies,
          .failures = stats.failures,
          .retries = stats.retries,
          .statuses = stats.statuses,
          .in_flight = stats.in_flight,
          .to_read = stats.to_read,
          .to_commit = stats.to_commit,
          .to_sift = hosts.sieve_waiting + hosts.sieve_untaken,
          .queued = hosts.queued_urls,
          .body_bytes = stats.body_bytes,
          .hosts = {.known = hosts.known,
                    .ready = hosts.ready,
                    .taken = hosts.taken,
                    .delayed = hosts.host_delay + hosts.address_delay,
                    .waiting = hosts.resolving + hosts.robots + hosts.uncommitted,
                    .sleeping = hosts.sleeping,
                    .given_up = hosts.given_up,
                    .awake = hosts.awake,
                    .awake_limit = hosts.awake_limit},
          .idle = collection::WhyIdle(hosts, now)};
}

CrawlSupervisor::CrawlSupervisor(collection::Collection& store, crawl::CrawlOptions options)
    : store_(store), options_(std::move(options)) {}

Result<std::unique_ptr<CrawlSupervisor>> CrawlSupervisor::Start(collection::Collection& store,
                                                                crawl::CrawlOptions options) {
  std::vector<std::string> seeds;
  for (const std::string& seed : options.seeds) {
    CRV_ASSIGN(const web::Url url, policy::SeedUrl(seed));
    seeds.push_back(url.href());
  }
  CRV_ASSIGN(std::vector<policy::Exclusion> exclusions, policy::ReadExclusions(store.directory()));
  std::unique_ptr<CrawlSupervisor> supervisor(new CrawlSupervisor(store, std::move(options)));
  {
    MutexLock lock(supervisor->mu_);
    supervisor->seeds_ = store.seeds();
    for (const std::string& seed : seeds) {
      if (std::find(supervisor->seeds_.begin(), supervisor->seeds_.end(), seed) == supervisor->seeds_.end()) {
        supervisor->seeds_.push_back(seed);
      }
    }
    supervisor->new_seeds_ = std::move(seeds);
    supervisor->exclusions_ = std::move(exclusions);
    std::error_code error;
    supervisor->paused_ = std::filesystem::exists(supervisor->PausedPath(), error);
  }
  supervisor->thread_ = std::thread([s = supervisor.get()] { s->Loop(); });
  return supervisor;
}

CrawlSupervisor::~CrawlSupervisor() {
  Stop(/*at_once=*/false);
  thread_.join();
}

std::string CrawlSupervisor::PausedPath() const { return store_.directory() + "/paused"; }

void CrawlSupervisor::Loop() {
  for (;;) {
    {
      MutexLock lock(mu_);
      idle_ = !wanted_ || paused_;
      changed_.notify_all();
      changed_.wait(
          mu_, [&]() CRV_REQUIRES(mu_) { return stopping_ || !to_drop_.empty() || (wanted_ && !paused_); });
      if (stopping_) {
        idle_ = true;
        changed_.notify_all();
        return;
      }
    }
    DropNext();
    {
      MutexLock lock(mu_);
      if (!wanted_ || paused_ || stopping_ || !to_drop_.empty()) continue;
      idle_ = false;
      wanted_ = false;
    }
    Result<crawl::CrawlEnd> end = CrawlOnce();
    MutexLock lock(mu_);
    // One that was told to stop has more to do, when it may go on.
    if (end.ok() && end->why == crawl::CrawlEnd::Why::kStopped) wanted_ = true;
    if (!end.ok()) stopping_ = true;
    end_ = std::move(end);
  }
}

Result<crawl::CrawlEnd> CrawlSupervisor::CrawlOnce() {
  crawl::CrawlOptions options = options_;
  {
    MutexLock lock(mu_);
    options.seeds = std::exchange(new_seeds_, {});
  }
  CRV_ASSIGN(crawl::CrawlParts parts, crawl::OpenWebParts(options, store_.memory()));
  CRV_ASSIGN(std::unique_ptr<crawl::Crawler> opened,
             crawl::Crawler::Open(store_, std::move(options), std::move(parts)));
  crawl::Crawler* const crawler = opened.get();
  {
    MutexLock lock(mu_);
    crawler_ = std::move(opened);
    // It may have been told while there was no one to tell.
    if (stopping_ || paused_ || !new_seeds_.empty() || !to_drop_.empty()) crawler_->Stop(/*at_once=*/false);
  }
  Result<crawl::CrawlEnd> end = crawler->Run();
  std::unique_ptr<crawl::Crawler>
      ended;  // goes after the lock: it may have to wait for who copies its queues
  MutexLock lock(mu_);
  crawl::AddTotals(crawler_->stats(), &before_);
  ended = std::move(crawler_);
  return end;
}

serve::CrawlControl::State CrawlSupervisor::state() const {
  MutexLock lock(mu_);
  if (paused_) return State::kPaused;
  return idle_ && !wanted_ ? State::kFinished : State::kRunning;
}

crawl::CrawlStats CrawlSupervisor::stats() const {
  MutexLock lock(mu_);
  crawl::CrawlStats stats;
  if (crawler_ != nullptr) {
    stats = crawler_->stats();
  } else {
    // What is on the disk is there all the same.
    for (collection::Tablet* const tablet : store_.tablets()) {
      const frontier::HostQueuesCounts counts = tablet->queues().counts();
      stats.frontier.known += counts.hosts;
      stats.frontier.sleeping += counts.waiting;
      stats.frontier.given_up += counts.given_up;
      stats.frontier.queued_urls += counts.items;
      const sieve::SievePending sieve = tablet->sieve().pending();
      stats.frontier.sieve_waiting += sieve.waiting;
      stats.frontier.sieve_untaken += sieve.untaken;
    }
  }
  crawl::AddTotals(before_, &stats);
  return stats;
}

serve::CrawlStatus CrawlSupervisor::status() const { return StatusOf(stats(), SystemClock().Now()); }

std::vector<std::string> CrawlSupervisor::seeds() const {
  MutexLock lock(mu_);
  return seeds_;
}

Status CrawlSupervisor::AddSeeds(const std::vector<std::string>& urls) {
  std::vector<std::string> seeds;
  for (const std::string& text : urls) {
    CRV_ASSIGN(const web::Url url, policy::SeedUrl(text));
    seeds.push_back(url.href());
  }
  MutexLock lock(mu_);
  bool any = false;
  for (std::string& seed : seeds) {
    if (std::find(seeds_.begin(), seeds_.end(), seed) != seeds_.end()) continue;
    seeds_.push_back(seed);
    new_seeds_.push_back(std::move(seed));
    any = true;
  }
  if (!any) return Status::Ok();
  // On the disk at once: what was answered with "done" is done.
  CRV_TRY(store_.AddSeeds(seeds_));
  wanted_ = true;
  if (crawler_ != nullptr) crawler_->Stop(/*at_once=*/false);
  changed_.notify_all();
  return Status::Ok();
}

Status CrawlSupervisor::Pause() {
  MutexLock lock(mu_);
  CRV_TRY(WriteFileAtomically(PausedPath(), AsBytes("")));
  paused_ = true;
  if (crawler_ != nullptr) crawler_->Stop(/*at_once=*/false);
  return Status::Ok();
}

Status CrawlSupervisor::Resume() {
  MutexLock lock(mu_);
  std::error_code error;
  std::filesystem::remove(PausedPath(), error);
  if (error) return Status::FromErrno("remove", PausedPath(), error.value());
  if (!paused_) return Status::Ok();
  paused_ = false;
  wanted_ = true;
  changed_.notify_all();
  return Status::Ok();
}

std::vector<policy::Exclusion> CrawlSupervisor::exclusions() const {
  MutexLock lock(mu_);
  return exclusions_;
}

Result<serve::ExclusionPreview> CrawlSupervisor::Preview(const policy::Exclusion& exclusion) {
  CRV_ASSIGN(care::ExclusionPreview preview, care::PreviewExclusion(store_, seeds(), exclusion));
  return serve::ExclusionPreview{.queued = preview.queued,
                                 .queued_hosts = preview.queued_hosts,
                                 .queued_examples = std::move(preview.queued_examples),
                                 .unsifted = preview.unsifted,
                                 .rows = preview.rows,
                                 .row_examples = std::move(preview.row_examples),
                                 .seeds = std::move(preview.seeds)};
}

Result<std::optional<uint64_t>> CrawlSupervisor::Exclude(const policy::Exclusion& exclusion) {
  const auto drop = std::make_shared<Drop>(Drop{exclusion, std::nullopt});
  MutexLock lock(mu_);
  if (std::find(exclusions_.begin(), exclusions_.end(), exclusion) == exclusions_.end()) {
    std::vector<policy::Exclusion> all = exclusions_;
    all.push_back(exclusion);
    // One too many for the language of filters must not be the end of the crawl.
    policy::Filters filters = options_.filters;
    CRV_TRY(policy::AddExclusions(all, &filters));
    CRV_TRY(policy::WriteExclusions(store_.directory(), all));
    exclusions_ = std::move(all);
  }
  to_drop_.push_back(drop);
  if (crawler_ != nullptr) crawler_->Stop(/*at_once=*/false);
  changed_.notify_all();
  changed_.wait_for(mu_, kDropPatience, [&]() CRV_REQUIRES(mu_) { return drop->dropped || stopping_; });
  if (!drop->dropped) return std::optional<uint64_t>();
  CRV_TRY(drop->dropped->status());
  return std::optional<uint64_t>(**drop->dropped);
}

void CrawlSupervisor::DropNext() {
  std::shared_ptr<Drop> drop;
  {
    MutexLock lock(mu_);
    if (to_drop_.empty()) return;
    drop = to_drop_.front();
  }
  Result<uint64_t> dropped = care::DropExcluded(store_, drop->exclusion);
  MutexLock lock(mu_);
  drop->dropped = std::move(dropped);
  to_drop_.erase(to_drop_.begin());
  changed_.notify_all();
}

Status CrawlSupervisor::Include(const policy::Exclusion& exclusion) {
  MutexLock lock(mu_);
  std::vector<policy::Exclusion> left = exclusions_;
  if (std::erase(left, exclusion) == 0)
    return Status::NotFound("nothing is excluded by: " + exclusion.Line());
  CRV_TRY(policy::WriteExclusions(store_.directory(), left));
  exclusions_ = std::move(left);
  wanted_ = true;
  if (crawler_ != nullptr) crawler_->Stop(/*at_once=*/false);
  changed_.notify_all();
  return Status::Ok();
}

void CrawlSupervisor::Stop(bool at_once) {
  MutexLock lock(mu_);
  stopping_ = true;
  if (crawler_ != nullptr) crawler_->Stop(at_once);
  changed_.notify_all();
}

bool CrawlSupervisor::WaitUntilIdle(Duration limit) {
  MutexLock lock(mu_);
  return changed_.wait_for(mu_, limit,
                           [&]() CRV_REQUIRES(mu_) { return idle_ && (!wanted_ || paused_ || stopping_); });
}

Result<crawl::CrawlEnd> CrawlSupervisor::end() const {
  MutexLock lock(mu_);
  return end_;
}

}  // namespace crivello::engine
