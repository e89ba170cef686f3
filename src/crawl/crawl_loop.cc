// SPDX-License-Identifier: Apache-2.0
#include "crawl/crawl_loop.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <utility>

#include "base/civil_time.h"
#include "crawl/feed_visits.h"
#include "crawl/offer_again.h"
#include "crawl/page_worker.h"
#include "crawl/robots_reader.h"
#include "policy/exclusions.h"
#include "policy/seed.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::crawl {
namespace {

using std::chrono::milliseconds;

constexpr Duration kPumpInterval = milliseconds(100);
// The same while no host waits for its time, so that what Pump brings is what there will be to take.  Each
// time may cost a synced write, for however few URLs.
constexpr Duration kIdlePumpInterval = milliseconds(20);
constexpr Duration kDiskInterval = std::chrono::seconds(1);
constexpr Duration kSaveInterval = std::chrono::seconds(30);
// How often feeds are looked for whose entry in the agenda is lost: their host was given up, say.
constexpr Duration kFeedInterval = std::chrono::hours(1);

}  // namespace

std::optional<NearDuplicates> NearDuplicatesOf(std::string_view name) {
  if (name == "off") return NearDuplicates::kOff;
  if (name == "mark") return NearDuplicates::kMark;
  if (name == "nofollow") return NearDuplicates::kNofollow;
  if (name == "skip") return NearDuplicates::kSkip;
  return std::nullopt;
}

CrawlLoop::CrawlLoop(collection::Collection& store, CrawlOptions options, CrawlParts parts)
    : options_(std::move(options)),
      clock_(*parts.clock),
      store_(store),
      policy_({policy::Scope(options_.scope), options_.filters}),
      tablets_(store.Frontier()),
      exchange_(tablets_),
      seeds_(options_.listener),
      reading_room_(store_.memory().reading),
      costs_(options_.measure_stages),
      to_read_(2 * options_.connections),
      to_commit_(2 * options_.connections),
      under_way_of_(store.map().size()),
      leaving_(store.map().size()),
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
  if (!options_.log_file.empty()) {
    CRV_ASSIGN(log_, CrawlLog::Open(options_.log_file));
  }
  fetcher_->Start(*this);
  frontier::FrontierOptions frontier;
  frontier.politeness = options_.politeness;
  frontier.budget = options_.budget;
  frontier.host_ranks = options_.host_ranks;
  frontier.memory_bytes = store_.memory().frontier;
  CRV_ASSIGN(frontier_, frontier::Frontier::Open(tablets_, exchange_, clock_, frontier));
  traps_.max_url_bytes = static_cast<uint32_t>(options_.reader.max_url_bytes);
  traps_.this_year = CivilFromSeconds(ToSeconds(clock_.Wall())).year;
  trap_memory_ = std::make_unique<policy::TrapMemory>(traps_);
  // Not essential: if it is lost or damaged, endless webs are only followed a little longer.
  if (!trap_memory_->Load(TrapMemoryPath()).ok()) trap_memory_ = std::make_unique<policy::TrapMemory>(traps_);
  CRV_TRY(OpenSeenTexts());
  if (options_.near_duplicates != NearDuplicates::kOff) {
    std::vector<std::string> archives;
    for (uint32_t slot = 0; slot < store_.map().size(); slot++) {
      const collection::Tablet* const tablet = store_.tablet(slot);
      archives.push_back(tablet == nullptr ? "" : tablet->archive_directory());
    }
    CRV_ASSIGN(near_copies_, NearCopies::Create(store_.memory().near_copies, archives));
  }
  CRV_ASSIGN(revisits_, Revisits::Make(store_, clock_, options_.revisits, options_.politeness));
  if (revisits_->continuous()) CRV_TRY(revisits_->EnterRows());
  context_.emplace(CrawlContext{options_, policy_, clock_, store_, *frontier_, traps_, *seen_texts_, cookies_,
                                seeds_, reading_room_, counters_, costs_, *revisits_, near_copies_.get()});
  CRV_ASSIGN(const std::vector<policy::Exclusion> exclusions, policy::ReadExclusions(store_.directory()));
  CRV_TRY(SetExclusions(exclusions));
  CRV_TRY(OfferSeeds());
  CRV_TRY(WakeFeeds(*context_, INT64_MAX));
  CRV_TRY(crawl::OfferAgainElsewhere(*context_));
  return OfferAgain(*context_);
}

// Not essential: if it is lost or damaged, copies are only followed once more.
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

Status CrawlLoop::OfferSeeds() {
  std::vector<std::string> seeds;
  std::vector<std::string> sitemaps;
  for (const std::string& sitemap : options_.sitemap_seeds) {
    CRV_ASSIGN(const web::Url url, policy::SeedUrl(sitemap));
    sitemaps.push_back(url.href());
  }
  for (const std::string& seed : options_.seeds) {
    CRV_ASSIGN(const web::Url url, policy::SeedUrl(seed));
    seeds.push_back(url.href());
  }
  std::vector<std::string> all = sitemaps;
  all.insert(all.end(), seeds.begin(), seeds.end());
  CRV_TRY(store_.AddSeeds(all));
  all = store_.seeds();
  policy::Scope scope(options_.scope);
  std::vector<frontier::UrlRecord> records;  // which refer to `sitemaps` and `all`
  for (const std::string& url : sitemaps) {
    records.push_back({.url = url, .kind = frontier::UrlKind::kSitemap, .found = clock_.Wall()});
  }
  for (const std::string& seed : all) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(seed));
    scope.AddSeed(url);
    if (IsHere(url)) records.push_back({.url = seed, .found = clock_.Wall()});
  }
  policy_.Replace({std::move(scope), policy_.current()->filters});
  {
    const collection::Gate::Pass pass(store_.gate());
    CRV_TRY(frontier_->Offer(records));
    CRV_TRY(frontier_->SyncOffers());
  }
  CRV_TRY(WatchSeeds(all));
  CRV_TRY(TryHostsAgain(all, seeds));
  if (!options_.refresh) return Status::Ok();
  // A seed that was never fetched is queued already, or will be like any seed.
  std::vector<std::string> again;
  for (const std::string& seed : seeds.empty() ? all : seeds) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(seed));
    if (!IsHere(url)) continue;
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
    CRV_ASSIGN(const auto newest, tablet->table().Newest(key));
    if (newest) again.push_back(seed);
  }
  return OfferHere(again, {});
}

Status CrawlLoop::OfferUrls(const std::vector<std::string>& urls) {
  std::vector<frontier::UrlRecord> records;  // which refer to `urls`
  for (const std::string& text : urls) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(text));
    if (IsHere(url)) records.push_back({.url = text, .found = clock_.Wall()});
  }
  const collection::Gate::Pass pass(store_.gate());
  CRV_TRY(frontier_->Offer(records));
  return frontier_->SyncOffers();
}

Status CrawlLoop::WatchSeeds(const std::vector<std::string>& urls) {
  bool before = false;
  for (size_t i = 0; i < std::min(urls.size(), SeedWatch::kMostSeeds); ++i) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(urls[i]));
    if (!IsHere(url)) continue;
    seeds_.Add(url.href(), url.hostname());
    if (before) continue;
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
    CRV_ASSIGN(const std::vector<store::Row> rows, tablet->table().Get(key));
    before = !rows.empty() && rows.front().fetch.status < 400;
  }
  if (before) seeds_.FetchedBefore();
  return Status::Ok();
}

Status CrawlLoop::TryHostsAgain(const std::vector<std::string>& urls, const std::vector<std::string>& named) {
  const std::unordered_set<std::string_view> now(named.begin(), named.end());
  std::vector<std::string> again;
  for (size_t i = 0; i < std::min(urls.size(), SeedWatch::kMostSeeds); ++i) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(urls[i]));
    if (!IsHere(url)) continue;
    CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
    if (tablet->queues().counts().given_up == 0) continue;
    CRV_ASSIGN(const auto host, tablet->queues().Load(web::HostHash(url.hostname())));
    if (host && host->given_up && (host->fetched == 0 || now.contains(urls[i]))) again.push_back(urls[i]);
  }
  return again.empty() ? Status::Ok() : OfferHere(again, {});
}

Result<CrawlEnd> CrawlLoop::Run() {
  std::vector<std::thread> workers;
  for (uint32_t i = 0; i < options_.parsers; ++i) workers.emplace_back([this] { ReadPages(); });
  Committer committer(*context_, to_commit_, {.gather = options_.commit_gather, .log = log_.get()},
                      [this](std::span<const Settled> visits) { LeaveAll(visits); });
  std::thread committing([&] {
    Status status = committer.Run([this] { Stop(/*at_once=*/true); });
    if (!status.ok()) Fail(std::move(status));
  });
  // A crash loses half a minute of the memories; a failed save, the time until the next one.
  std::atomic<bool> over = false;
  std::thread saving([&] {
    for (save_.Wait(); !over; save_.Wait()) (void)SaveMemories().ok();
  });

  Result<CrawlEnd> end = Schedule();
  {
    MutexLock lock(mu_);
    ended_ = true;  // no Pump() follows, for which others wait
    while (!moves_.empty()) End(*moves_.front(), Status::Unavailable("the crawl has ended"));
    changed_.notify_all();
  }
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
  over_ = true;
  changed_.notify_all();
  return failure_.ok() ? end : Result<CrawlEnd>(failure_);
}

Result<CrawlEnd> CrawlLoop::Schedule() {
  const page::StageClock stage(costs_, page::Stage::kFrontier);
  std::optional<MonotonicTime> looked;
  MonotonicTime pumped = clock_.Now() - kPumpInterval;
  MonotonicTime saved = clock_.Now();
  MonotonicTime woken = clock_.Now();
  while (true) {
    if (stop_.load() != kGoOn) {
      // A continuous crawl is never finished.
      const std::optional<CrawlEnd> idle = this->idle();
      const bool finished = idle && idle->why == CrawlEnd::Why::kFinished;
      return idle && !(finished && revisits_->continuous()) ? *idle : CrawlEnd{CrawlEnd::Why::kStopped, ""};
    }
    uint64_t orders = 0;
    {
      MutexLock lock(mu_);
      orders = orders_;
    }
    const MonotonicTime now = clock_.Now();
    if (!looked || now - *looked >= kDiskInterval) {
      looked = now;
      CRV_ASSIGN(full_, CheckDisk());
      if (full_ && !options_.wait_for_orders) return *full_;
    }
    if (now - saved >= kSaveInterval) {
      saved = now;
      save_.Notify();
    }
    if (now - woken >= kFeedInterval) {
      woken = now;
      CRV_TRY(WakeFeeds(*context_, ToSeconds(clock_.Wall() - kFeedInterval)));
    }
    CRV_ASSIGN(const bool took, TakeVisits());
    CRV_TRY(MoveTablets());
    if (!paused_) Resolve();
    bool busy = took;
    const Duration pump_interval = took || hosts_wait_ ? kPumpInterval : kIdlePumpInterval;
    const MonotonicTime next_pump = pumped + pump_interval;
    const bool to_pump = next_pump <= now || under_way() == 0;
    if (to_pump) {
      pumped = now;
      const collection::Gate::Pass pass(store_.gate());
      CRV_ASSIGN(const auto pump, frontier_->Pump());
      busy = busy || pump.more || pump.queued > 0 || pump.woken > 0;
      if (pump.again && *pump.again > now) nap_ = std::min<Duration>(nap_, *pump.again - now);
      MutexLock lock(mu_);
      ++pumps_;
      changed_.notify_all();
    }
    if (!paused_ && !full_ && !spent_) {
      const collection::Gate::Pass pass(store_.gate());
      CRV_ASSIGN(const bool released, revisits_->Release(*frontier_));
      busy = busy || released;
      if (const auto again = revisits_->again())
        nap_ = std::clamp<Duration>(*again - clock_.Now(), Duration(0), nap_);
    }
    const std::optional<CrawlEnd> nothing = NothingToDo();
    const bool waits = options_.wait_for_orders ||
                       (revisits_->continuous() && nothing && nothing->why == CrawlEnd::Why::kFinished);
    if (nothing && !waits) return *nothing;
    TellStanding(nothing, orders);
    if (busy) continue;
    const Duration until_pump = to_pump ? pump_interval : next_pump - now;
    if (needs_pump_) {
      WaitForNews(until_pump);
    } else {
      WaitForNews(to_pump ? nap_ : std::min(nap_, until_pump));
    }
  }
}

std::optional<CrawlEnd> CrawlLoop::NothingToDo() const {
  if (paused_ || under_way() > 0) return std::nullopt;
  if (full_) return full_;
  if (spent_) return CrawlEnd{CrawlEnd::Why::kBudget, *spent_};
  return frontier_->Finished() ? std::optional(CrawlEnd{}) : std::nullopt;
}

void CrawlLoop::Drain(bool at_once) {
  while (under_way() > 0) {
    if (at_once || stop_.load() == kAtOnce) fetcher_->Abort();
    WaitForNews(kHeldNap);
  }
}

void CrawlLoop::ReadPages() {
  PageWorker worker(*context_);
  RobotsReader robots(*context_);
  while (std::optional<Fetched> fetched = to_read_.Pop()) {
    const uint64_t bytes = fetched->fetch->response.body.size();
    const frontier::Visit visit = {
        .tablet = fetched->visit.tablet, .kind = fetched->visit.kind, .origin = fetched->visit.origin};
    Result<Settled> settled = [&] {
      const collection::Gate::Pass pass(store_.tablets_gate());
      return visit.kind == frontier::UrlKind::kRobots ? robots.Read(*std::move(fetched))
                                                      : worker.Process(*std::move(fetched));
    }();
    if (settled.ok()) {
      to_commit_.Push(std::move(settled).value());
      continue;
    }
    Fail(settled.status());
    counters_.body_bytes.Subtract(bytes);
    Leave(visit);
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

void CrawlLoop::Leave(const frontier::Visit& visit) {
  const VisitSlots slots = SlotsOf(visit);
  MutexLock lock(mu_);
  under_way_.Subtract(1);
  CountSlots(slots, -1);
  wakeup_.Notify();
}

void CrawlLoop::LeaveAll(std::span<const Settled> visits) {
  std::vector<VisitSlots> slots;
  for (const Settled& settled : visits) slots.push_back(SlotsOf(settled.visit));
  MutexLock lock(mu_);
  under_way_.Subtract(visits.size());
  for (const VisitSlots& one : slots) CountSlots(one, -1);
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
  MutexLock tablets(tablets_mu_);
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
  stats.copies = counters_.copies.value();
  stats.near_copies = counters_.near_copies.value();
  stats.feed_polls = counters_.feed_polls.value();
  stats.feed_items = counters_.feed_items.value();
  stats.feed_documents = counters_.feed_documents.value();
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
  stats.frontier = frontier_->Stats();
  stats.fetcher = fetcher_->stats();
  stats.resolver = resolver_->stats();
  stats.seeds = seeds_.counts();
  stats.schedule = revisits_->stats();
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
  auto loop = std::make_unique<CrawlLoop>(store, std::move(options), std::move(parts));
  CRV_TRY(loop->Open());
  return std::unique_ptr<Crawler>(std::move(loop));
}

}  // namespace crivello::crawl
