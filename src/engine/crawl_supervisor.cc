// SPDX-License-Identifier: Apache-2.0
#include "engine/crawl_supervisor.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/atomic_file.h"
#include "care/exclusion_work.h"
#include "collection/why_idle.h"

namespace crivello::engine {
namespace {

// How long a caller of Exclude() waits to learn how much was dropped.
constexpr Duration kDropPatience = std::chrono::seconds(5);
constexpr size_t kShownSeedTroubles = 50;
// At most 12,800 pages.
constexpr uint64_t kSampledBlocks = 100;
constexpr Duration kSampleEvery = std::chrono::seconds(30);

}  // namespace

serve::CrawlStatus StatusOf(const crawl::CrawlStats& stats, MonotonicTime now) {
  const frontier::FrontierStats& hosts = stats.frontier;
  return {.pages = stats.pages,
          .ok = stats.ok,
          .bytes = stats.bytes,
          .links = stats.links,
          .refused = stats.refused,
          .filtered = stats.filtered,
          .copies = stats.copies + stats.near_copies,
          .failures = stats.failures,
          .retries = stats.retries,
          .statuses = stats.statuses,
          .in_flight = stats.in_flight,
          .to_read = stats.to_read,
          .to_commit = stats.to_commit,
          .to_sift = hosts.sieve_waiting + hosts.sieve_untaken,
          .queued = hosts.queued_urls,
          .scheduled = hosts.scheduled,
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
          .idle = collection::WhyIdle(hosts, now),
          .revisits = {.continuous = stats.schedule.continuous,
                       .pages = stats.schedule.schedule.pages,
                       .queued = stats.schedule.schedule.queued,
                       .failing = stats.schedule.schedule.failing,
                       .planned = stats.schedule.schedule.planned,
                       .budget = stats.schedule.budget,
                       .firsts = stats.schedule.schedule.firsts,
                       .again = stats.schedule.schedule.revisits,
                       .changes = stats.schedule.schedule.changes},
          .feeds = {.polls = stats.feed_polls, .items = stats.feed_items}};
}

Result<std::unique_ptr<CrawlSupervisor>> CrawlSupervisor::Start(collection::Collection& store,
                                                                crawl::CrawlOptions options) {
  CRV_ASSIGN(crawl::CrawlParts parts, crawl::OpenWebParts(options, store.memory()));
  return Start(store, std::move(options), std::move(parts));
}

Result<std::unique_ptr<CrawlSupervisor>> CrawlSupervisor::Start(collection::Collection& store,
                                                                crawl::CrawlOptions options,
                                                                crawl::CrawlParts parts) {
  CRV_ASSIGN(std::vector<policy::Exclusion> exclusions, policy::ReadExclusions(store.directory()));
  options.wait_for_orders = true;
  std::unique_ptr<CrawlSupervisor> supervisor(new CrawlSupervisor(store, *parts.clock));
  CRV_ASSIGN(supervisor->crawler_, crawl::Crawler::Open(store, std::move(options), std::move(parts)));
  {
    MutexLock lock(supervisor->mu_);
    supervisor->exclusions_ = std::move(exclusions);
  }
  std::error_code error;
  if (std::filesystem::exists(supervisor->PausedPath(), error)) supervisor->crawler_->Pause();
  supervisor->running_ = std::thread([s = supervisor.get()] { s->Run(); });
  supervisor->dropping_ = std::thread([s = supervisor.get()] { s->DropAll(); });
  return supervisor;
}

CrawlSupervisor::~CrawlSupervisor() {
  if (!running_.joinable()) return;  // it was never started
  Stop(/*at_once=*/false);
  running_.join();
  dropping_.join();
}

void CrawlSupervisor::Run() {
  Result<crawl::CrawlEnd> end = crawler_->Run();
  MutexLock lock(mu_);
  end_ = std::move(end);
  changed_.notify_all();
}

serve::CrawlControl::State CrawlSupervisor::state() const {
  {
    MutexLock lock(mu_);
    if (end_) return State::kFinished;
  }
  if (crawler_->paused()) return State::kPaused;
  return crawler_->idle() ? State::kFinished : State::kRunning;
}

collection::Freshness CrawlSupervisor::Fresh() const {
  uint64_t place = 0;
  {
    MutexLock lock(mu_);
    // A sample without a page says nothing, and is cheap to take.
    if (sampled_ && fresh_.sampled > 0 && clock_.Now() - *sampled_ < kSampleEvery) return fresh_;
    sampled_ = clock_.Now();
    place = samples_++;
  }
  auto fresh =
      collection::MeasureFreshness(store_, clock_.Wall(), {.most_blocks = kSampledBlocks, .place = place});
  MutexLock lock(mu_);
  if (fresh.ok()) fresh_ = *std::move(fresh);  // `check` reports what is damaged
  return fresh_;
}

serve::CrawlStatus CrawlSupervisor::status() const {
  const crawl::CrawlStats stats = crawler_->stats();
  serve::CrawlStatus status = StatusOf(stats, clock_.Now());
  const collection::Freshness fresh = Fresh();
  status.revisits.fresh = fresh.fresh;
  status.revisits.age_days = fresh.age_days;
  status.seeds.failed = stats.seeds.failed;
  const FeedHealth::Counts feeds = feed_health_.Get();
  status.feeds.followed = feeds.followed;
  status.feeds.failing = feeds.failing;
  for (crawl::SeedTrouble& trouble : crawler_->SeedTroubles(kShownSeedTroubles)) {
    status.seeds.troubles.push_back({std::move(trouble.url), std::move(trouble.reason)});
  }
  const std::optional<crawl::CrawlEnd> idle = crawler_->idle();
  if (idle && idle->why == crawl::CrawlEnd::Why::kBudget) {
    status.idle = fmt::format("the limit --{} is reached; raise it to continue", idle->detail);
  } else if (idle && idle->why == crawl::CrawlEnd::Why::kDiskFull) {
    status.idle = fmt::format("the disk has too little room: {}", idle->detail);
  } else if (idle && idle->why == crawl::CrawlEnd::Why::kFinished) {
    if (stats.seeds.none_fetched()) {
      status.idle = "no seed could be fetched";
    } else if (status.revisits.continuous) {
      status.idle = "waiting for the next page that is due";
    } else {
      status.idle = "nothing is left to fetch; add seeds to continue";
    }
  }
  return status;
}

Status CrawlSupervisor::Offer(const serve::CrawlOffer& offer) {
  if (offer.priority >= frontier::kPriorityClasses) {
    return Status::InvalidArgument(
        fmt::format("priority {}: expected 0 to {}", offer.priority, frontier::kPriorityClasses - 1));
  }
  return crawler_->Offer(offer.urls, {.priority = offer.priority, .not_before = offer.not_before});
}

serve::CrawlLimits CrawlSupervisor::limits() const {
  const frontier::BudgetOptions limits = crawler_->limits();
  return {.pages = limits.pages,
          .bytes = limits.bytes,
          .seconds = static_cast<uint64_t>(limits.time / std::chrono::seconds(1)),
          .per_host = limits.per_host,
          .per_directory = limits.per_directory,
          .depth = limits.depth};
}

Status CrawlSupervisor::SetLimits(const serve::CrawlLimits& limits) {
  frontier::BudgetOptions budget = crawler_->limits();
  budget.pages = limits.pages;
  budget.bytes = limits.bytes;
  // A century is as good as no limit, and does not overflow.
  constexpr uint64_t kCentury = uint64_t{100} * 365 * 24 * 3600;
  budget.time = std::chrono::seconds(std::min(limits.seconds, kCentury));
  budget.per_host = limits.per_host;
  budget.per_directory = limits.per_directory;
  budget.depth = static_cast<uint32_t>(std::min<uint64_t>(limits.depth, UINT32_MAX));
  // A crawl of seeds only stays that way until a depth is set.
  budget.seeds_only = budget.seeds_only && limits.depth == 0;
  crawler_->SetLimits(budget);
  return Status::Ok();
}

// A user's command is on disk before it takes effect, so once it was acknowledged it is durable.
Status CrawlSupervisor::Pause() {
  CRV_TRY(WriteFileAtomically(PausedPath(), AsBytes("")));
  crawler_->Pause();
  return Status::Ok();
}

Status CrawlSupervisor::Resume() {
  std::error_code error;
  std::filesystem::remove(PausedPath(), error);
  if (error) return Status::FromErrno("remove", PausedPath(), error.value());
  crawler_->Resume();
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

Status CrawlSupervisor::Use(std::vector<policy::Exclusion> exclusions) {
  CRV_TRY(crawler_->SetExclusions(exclusions));
  if (const Status status = policy::WriteExclusions(store_.directory(), exclusions); !status.ok()) {
    CRV_TRY(crawler_->SetExclusions(exclusions_));
    return status;
  }
  exclusions_ = std::move(exclusions);
  return Status::Ok();
}

Result<std::optional<uint64_t>> CrawlSupervisor::Exclude(const policy::Exclusion& exclusion) {
  const auto drop = std::make_shared<Drop>(Drop{exclusion, std::nullopt});
  MutexLock lock(mu_);
  if (std::find(exclusions_.begin(), exclusions_.end(), exclusion) == exclusions_.end()) {
    std::vector<policy::Exclusion> all = exclusions_;
    all.push_back(exclusion);
    CRV_TRY(Use(std::move(all)));
  }
  to_drop_.push_back(drop);
  changed_.notify_all();
  changed_.wait_for(mu_, kDropPatience, [&]() CRV_REQUIRES(mu_) { return drop->dropped || stopping_; });
  if (!drop->dropped) return std::optional<uint64_t>();
  CRV_TRY(drop->dropped->status());
  return std::optional<uint64_t>(**drop->dropped);
}

void CrawlSupervisor::DropAll() {
  while (true) {
    std::shared_ptr<Drop> drop;
    {
      MutexLock lock(mu_);
      changed_.wait(mu_, [&]() CRV_REQUIRES(mu_) { return stopping_ || !to_drop_.empty(); });
      if (stopping_) return;
      drop = to_drop_.front();
      to_drop_.pop_front();
    }
    Result<uint64_t> dropped = crawler_->Drop(drop->exclusion);
    MutexLock lock(mu_);
    drop->dropped = std::move(dropped);
    changed_.notify_all();
  }
}

Status CrawlSupervisor::Include(const policy::Exclusion& exclusion) {
  MutexLock lock(mu_);
  std::vector<policy::Exclusion> left = exclusions_;
  if (std::erase(left, exclusion) == 0)
    return Status::NotFound("nothing is excluded by: " + exclusion.Line());
  return Use(std::move(left));
}

void CrawlSupervisor::Stop(bool at_once) {
  crawler_->Stop(at_once);
  MutexLock lock(mu_);
  stopping_ = true;
  changed_.notify_all();
}

bool CrawlSupervisor::WaitUntilEnded(Duration limit) {
  MutexLock lock(mu_);
  return changed_.wait_for(mu_, limit, [&]() CRV_REQUIRES(mu_) { return end_.has_value(); });
}

Result<crawl::CrawlEnd> CrawlSupervisor::end() const {
  {
    MutexLock lock(mu_);
    if (end_) return *end_;
  }
  return crawler_->idle().value_or(crawl::CrawlEnd{});
}

}  // namespace crivello::engine
