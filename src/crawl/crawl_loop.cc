// SPDX-License-Identifier: Apache-2.0
#include "crawl/crawl_loop.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "base/civil_time.h"
#include "crawl/page_worker.h"
#include "crawl/robots_reader.h"
#include "frontier/host_queues.h"
#include "policy/exclusions.h"
#include "policy/seed.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::crawl {
namespace {

using std::chrono::milliseconds;

constexpr Duration kPumpInterval = milliseconds(100);
// The same while no host waits for its time, so that what Pump brings is what there will be to take.  Each
// time may cost a synced write, for however few URLs.
constexpr Duration kIdlePumpInterval = milliseconds(20);
constexpr Duration kDiskInterval = std::chrono::seconds(1);
constexpr Duration kSaveInterval = std::chrono::seconds(30);

}  // namespace

CrawlLoop::CrawlLoop(collection::Collection& store, CrawlOptions options, CrawlParts parts)
    : options_(std::move(options)),
      clock_(*parts.clock),
      store_(store),
      scope_(options_.scope),
      tablets_(store.Frontier()),
      exchange_(tablets_.sieves()),
      costs_(options_.measure_stages),
      to_read_(2 * options_.connections),
      to_commit_(2 * options_.connections),
      resolver_(std::move(parts.resolver)),
      fetcher_(std::move(parts.fetcher)) {}

CrawlLoop::~CrawlLoop() {
  // Those who call the frontier go first; and when it goes it changes the queues once more.
  fetcher_ = nullptr;
  resolver_ = nullptr;
  const collection::Gate::Pass pass(store_.gate());
  frontier_ = nullptr;
}

Status CrawlLoop::Open() {
  fetcher_->Start(*this);
  frontier::FrontierOptions frontier;
  frontier.politeness = options_.politeness;
  frontier.budget = options_.budget;
  frontier.memory_bytes = store_.memory().frontier;
  CRV_TRY(QueueRefreshed());
  CRV_ASSIGN(frontier_, frontier::Frontier::Open(tablets_, exchange_, clock_, frontier));
  traps_.max_url_bytes = static_cast<uint32_t>(options_.reader.max_url_bytes);
  traps_.this_year = CivilFromSeconds(ToSeconds(clock_.Wall())).year;
  trap_memory_ = std::make_unique<policy::TrapMemory>(traps_);
  // Only a help: what is lost or damaged costs that endless webs are followed a little more.
  if (!trap_memory_->Load(TrapMemoryPath()).ok()) trap_memory_ = std::make_unique<policy::TrapMemory>(traps_);
  CRV_TRY(OpenSeenTexts());
  context_.emplace(CrawlContext{options_, scope_, clock_, store_, *frontier_, traps_, *seen_texts_, cookies_,
                                counters_, costs_});
  return AddSeeds();
}

// Only a help: what is lost or damaged costs that copies are followed once more.
Status CrawlLoop::OpenSeenTexts() {
  const dedup::SeenTexts::Options options = {.memory_bytes = store_.memory().seen_texts};
  auto loaded = dedup::SeenTexts::Load(SeenTextsPath(), options);
  if (!loaded.ok()) loaded = dedup::SeenTexts::Create(options);
  CRV_ASSIGN(seen_texts_, std::move(loaded));
  return Status::Ok();
}

Status CrawlLoop::SaveMemories() const {
  CRV_TRY(trap_memory_->Save(TrapMemoryPath()));
  return seen_texts_->Save(SeenTextsPath());
}

Status CrawlLoop::QueueRefreshed() {
  if (!options_.refresh) return Status::Ok();
  std::vector<std::vector<std::string>> urls(store_.map().size());
  for (const std::string& seed : options_.seeds.empty() ? store_.seeds() : options_.seeds) {
    CRV_ASSIGN(const web::Url url, policy::SeedUrl(seed));
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
    CRV_ASSIGN(const auto newest, tablet->table().Newest(key));
    // One that was never fetched is queued, or will be as any seed.
    if (newest) urls[store_.SlotOf(url.hostname())].push_back(url.href());
  }
  const WallTime now = clock_.Wall();
  // Queues know seconds, and drop what was fetched since it was queued: a row of this second must be older.
  const auto found = WallTime(std::chrono::ceil<std::chrono::seconds>(now.time_since_epoch()));
  for (uint32_t i = 0; i < store_.map().size(); ++i) {
    if (urls[i].empty()) continue;
    std::vector<frontier::UrlRecord> records;
    for (const std::string& url : urls[i]) records.push_back({.url = url, .found = found});
    const collection::Gate::Pass pass(store_.gate());
    frontier::HostQueues::Change change = store_.tablet(i)->queues().Begin();
    CRV_TRY(change.Enqueue(records, now).status());
    CRV_TRY(change.Write({.sync = true}));
  }
  return Status::Ok();
}

Status CrawlLoop::AddSeeds() {
  std::vector<std::string> urls;
  std::vector<frontier::UrlRecord> records;
  std::vector<std::string> sitemaps;
  for (const std::string& sitemap : options_.sitemap_seeds) {
    CRV_ASSIGN(const web::Url url, policy::SeedUrl(sitemap));
    urls.push_back(url.href());
    sitemaps.push_back(url.href());
  }
  for (const std::string& url : sitemaps) {
    records.push_back({.url = url, .kind = frontier::UrlKind::kSitemap, .found = clock_.Wall()});
  }
  for (const std::string& seed : options_.seeds) {
    CRV_ASSIGN(const web::Url url, policy::SeedUrl(seed));
    urls.push_back(url.href());
  }
  CRV_TRY(store_.AddSeeds(urls));
  const std::vector<std::string> seeds = store_.seeds();  // which records refer to
  for (const std::string& seed : seeds) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(seed));
    scope_.AddSeed(url);
  }
  // All of them, each time: the sieve knows those that were offered before, and those that a crash took.
  for (const std::string& seed : seeds) records.push_back({.url = seed, .found = clock_.Wall()});
  const collection::Gate::Pass pass(store_.gate());
  CRV_TRY(frontier_->Offer(records));
  return frontier_->SyncOffers();
}

Result<CrawlEnd> CrawlLoop::Run() {
  std::vector<std::thread> workers;
  for (uint32_t i = 0; i < options_.parsers; ++i) workers.emplace_back([this] { ReadPages(); });
  Committer committer(*context_, to_commit_, {.gather = options_.commit_gather},
                      [this](size_t visits) { Leave(visits); });
  std::thread committing([&] {
    Status status = committer.Run([this] { Stop(/*at_once=*/true); });
    if (!status.ok()) Fail(std::move(status));
  });
  // A crash costs half a minute of the memories; a save that fails, until the next.
  std::atomic<bool> over = false;
  std::thread saving([&] {
    for (save_.Wait(); !over; save_.Wait()) (void)SaveMemories().ok();
  });

  Result<CrawlEnd> end = Schedule();
  Drain(/*at_once=*/!end.ok());
  to_read_.Close();
  for (std::thread& worker : workers) worker.join();
  to_commit_.Close();
  committing.join();
  over = true;
  save_.Notify();
  saving.join();
  if (end.ok() && end->why != CrawlEnd::Why::kDiskFull) CRV_TRY(SaveMemories());
  if (!end.ok()) Fail(end.status());
  MutexLock lock(mu_);
  return failure_.ok() ? end : Result<CrawlEnd>(failure_);
}

Result<CrawlEnd> CrawlLoop::Schedule() {
  const page::StageClock stage(costs_, page::Stage::kFrontier);
  std::optional<MonotonicTime> looked;
  MonotonicTime pumped = clock_.Now() - kPumpInterval;
  MonotonicTime saved = clock_.Now();
  while (true) {
    if (stop_.load() != kGoOn) return CrawlEnd{CrawlEnd::Why::kStopped, ""};
    const MonotonicTime now = clock_.Now();
    if (!looked || now - *looked >= kDiskInterval) {
      looked = now;
      CRV_ASSIGN(std::optional<CrawlEnd> full, CheckDisk());
      if (full) return *std::move(full);
    }
    if (now - saved >= kSaveInterval) {
      saved = now;
      save_.Notify();
    }
    CRV_ASSIGN(const bool took, TakeVisits());
    if (spent_ && under_way() == 0) return CrawlEnd{CrawlEnd::Why::kBudget, *spent_};
    Resolve();
    bool busy = took;
    const Duration pump_interval = took || hosts_wait_ ? kPumpInterval : kIdlePumpInterval;
    const MonotonicTime next_pump = pumped + pump_interval;
    const bool to_pump = next_pump <= now || under_way() == 0;
    if (to_pump) {
      pumped = now;
      const collection::Gate::Pass pass(store_.gate());
      CRV_ASSIGN(const auto pump, frontier_->Pump());
      busy = busy || pump.more || pump.queued > 0 || pump.woken > 0;
    }
    if (under_way() == 0 && frontier_->Finished()) return CrawlEnd{};
    if (busy) continue;
    const Duration until_pump = to_pump ? pump_interval : next_pump - now;
    if (needs_pump_) {
      WaitForNews(until_pump);
    } else {
      WaitForNews(to_pump ? nap_ : std::min(nap_, until_pump));
    }
  }
}

void CrawlLoop::Drain(bool at_once) {
  while (under_way() > 0) {
    if (at_once || stop_.load() == kAtOnce) fetcher_->Abort();
    WaitForNews(kLongestNap);
  }
}

void CrawlLoop::ReadPages() {
  PageWorker worker(*context_);
  const RobotsReader robots(*context_);
  while (std::optional<Fetched> fetched = to_read_.Pop()) {
    const uint64_t bytes = fetched->fetch->response.body.size();
    Result<Settled> settled = fetched->visit.kind == frontier::UrlKind::kRobots
                                  ? robots.Read(*std::move(fetched))
                                  : worker.Process(*std::move(fetched));
    if (settled.ok()) {
      to_commit_.Push(std::move(settled).value());
      continue;
    }
    Fail(settled.status());
    counters_.body_bytes.Subtract(bytes);
    Leave(1);
  }
}

void CrawlLoop::Fail(Status status) {
  {
    MutexLock lock(mu_);
    // After one thread's write has failed, those of the others are Unavailable: the cause counts.
    const bool follows = failure_.code() == StatusCode::kUnavailable;
    if (failure_.ok() || (follows && status.code() != StatusCode::kUnavailable)) failure_ = std::move(status);
  }
  Stop(/*at_once=*/true);
  wakeup_.Notify();
}

void CrawlLoop::Leave(size_t visits) {
  MutexLock lock(mu_);
  under_way_.Subtract(visits);
  wakeup_.Notify();
}

Result<std::optional<CrawlEnd>> CrawlLoop::CheckDisk() {
  struct statvfs disk = {};
  if (statvfs(store_.directory().c_str(), &disk) != 0) {
    return Status::FromErrno("look at the free space of", store_.directory(), errno);
  }
  const uint64_t free = uint64_t{disk.f_bavail} * disk.f_frsize;
  if (free >= options_.min_free_bytes) return std::optional<CrawlEnd>();
  return std::optional<CrawlEnd>(
      CrawlEnd{CrawlEnd::Why::kDiskFull, fmt::format("{} MiB are free, less than the {} MiB that must be",
                                                     free >> 20, options_.min_free_bytes >> 20)});
}

CrawlStats CrawlLoop::stats() const {
  CrawlStats stats;
  stats.pages = counters_.pages.value();
  stats.ok = counters_.ok.value();
  stats.bytes = counters_.bytes.value();
  stats.robots = counters_.robots.value();
  stats.links = counters_.links.value();
  stats.offered = counters_.offered.value();
  stats.refused = counters_.refused.value();
  stats.filtered = counters_.filtered.value();
  stats.revisits = counters_.revisits.value();
  stats.near_copies = counters_.near_copies.value();
  stats.failures = counters_.failures.value();
  stats.retries = counters_.retries.value();
  for (size_t i = 0; i < stats.outcomes.size(); ++i) stats.outcomes[i] = counters_.outcomes[i].value();
  for (size_t i = 0; i < stats.statuses.size(); ++i) stats.statuses[i] = counters_.statuses[i].value();
  {
    MutexLock lock(mu_);
    stats.under_way = under_way();
  }
  stats.in_flight = fetcher_->in_flight();
  stats.to_read = to_read_.size();
  stats.to_commit = to_commit_.size();
  stats.body_bytes = counters_.body_bytes.value();
  stats.frontier = frontier_->Counts();
  stats.fetcher = fetcher_->stats();
  stats.resolver = resolver_->stats();
  if (costs_.on()) {
    const auto cpu = costs_.cpu();
    stats.stages.assign(cpu.begin(), cpu.end());
    // The fetcher's threads also run OnFetched(), which is charged to kFrontier.
    const Duration in_sink(static_cast<int64_t>(sink_cpu_.value()));
    stats.stages[static_cast<size_t>(page::Stage::kNetwork)] = fetcher_->Cpu() - in_sink;
  }
  return stats;
}

Result<std::unique_ptr<Crawler>> Crawler::Open(collection::Collection& store, CrawlOptions options,
                                               CrawlParts parts) {
  CRV_ASSIGN(const std::vector<policy::Exclusion> exclusions, policy::ReadExclusions(store.directory()));
  CRV_TRY(policy::AddExclusions(exclusions, &options.filters));
  auto loop = std::make_unique<CrawlLoop>(store, std::move(options), std::move(parts));
  CRV_TRY(loop->Open());
  return std::unique_ptr<Crawler>(std::move(loop));
}

}  // namespace crivello::crawl
