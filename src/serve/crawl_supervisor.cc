// SPDX-License-Identifier: Apache-2.0
#include "serve/crawl_supervisor.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/atomic_file.h"
#include "crawl/seed.h"

namespace crivello::serve {

CrawlSupervisor::CrawlSupervisor(crawl::CrawlStore& store, crawl::CrawlOptions options)
    : store_(store), options_(std::move(options)) {}

Result<std::unique_ptr<CrawlSupervisor>> CrawlSupervisor::Start(crawl::CrawlStore& store,
                                                                crawl::CrawlOptions options) {
  std::vector<std::string> seeds;
  for (const std::string& seed : options.seeds) {
    CRV_ASSIGN(const web::Url url, crawl::SeedUrl(seed));
    seeds.push_back(url.href());
  }
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
      changed_.wait(mu_, [&]() CRV_REQUIRES(mu_) { return stopping_ || (wanted_ && !paused_); });
      if (stopping_) {
        idle_ = true;
        changed_.notify_all();
        return;
      }
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
  CRV_ASSIGN(std::unique_ptr<crawl::Crawler> opened, crawl::Crawler::Open(store_, std::move(options)));
  crawl::Crawler* const crawler = opened.get();
  {
    MutexLock lock(mu_);
    crawler_ = std::move(opened);
    // It may have been told while there was no one to tell.
    if (stopping_ || paused_ || !new_seeds_.empty()) crawler_->Stop(/*at_once=*/false);
  }
  Result<crawl::CrawlEnd> end = crawler->Run();
  MutexLock lock(mu_);
  crawl::AddTotals(crawler_->stats(), &before_);
  crawler_ = nullptr;
  return end;
}

CrawlControl::State CrawlSupervisor::state() const {
  MutexLock lock(mu_);
  if (paused_) return State::kPaused;
  return idle_ && !wanted_ ? State::kFinished : State::kRunning;
}

crawl::CrawlStats CrawlSupervisor::stats() const {
  MutexLock lock(mu_);
  crawl::CrawlStats stats = crawler_ == nullptr ? crawl::CrawlStats() : crawler_->stats();
  crawl::AddTotals(before_, &stats);
  return stats;
}

std::vector<std::string> CrawlSupervisor::seeds() const {
  MutexLock lock(mu_);
  return seeds_;
}

Status CrawlSupervisor::AddSeeds(const std::vector<std::string>& urls) {
  std::vector<std::string> seeds;
  for (const std::string& text : urls) {
    CRV_ASSIGN(const web::Url url, crawl::SeedUrl(text));
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
  // On the disk at once, though the next crawl writes it too: what was answered with "done" is done.
  std::string text;
  for (const std::string& seed : seeds_) text += seed + "\n";
  CRV_TRY(WriteFileAtomically(store_.directory() + "/seeds.txt", AsBytes(text)));
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

}  // namespace crivello::serve
