// SPDX-License-Identifier: Apache-2.0
// Orders to a crawl while it runs.
#include <algorithm>
#include <span>
#include <utility>

#include "base/civil_time.h"
#include "crawl/crawl_loop.h"
#include "crawl/feed_visits.h"
#include "frontier/host_queues.h"
#include "policy/seed.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::crawl {
namespace {

// Hosts whose queues are swept in one commit.
constexpr size_t kHostsPerSweep = 256;

Result<std::vector<web::Url>> ParseAll(const std::vector<std::string>& texts) {
  std::vector<web::Url> urls;
  for (const std::string& text : texts) {
    CRV_ASSIGN(web::Url url, policy::SeedUrl(text));
    urls.push_back(std::move(url));
  }
  return urls;
}

}  // namespace

void CrawlLoop::Ordered() {
  {
    MutexLock lock(mu_);
    ++orders_;
    quiet_ = false;
    idle_ = std::nullopt;
  }
  wakeup_.Notify();
}

Status CrawlLoop::Offer(const std::vector<std::string>& urls, const OfferOptions& options) {
  const collection::Gate::Pass pass(store_.tablets_gate());
  return OfferHere(urls, options);
}

Status CrawlLoop::OfferHere(const std::vector<std::string>& urls, const OfferOptions& options) {
  CRV_ASSIGN(const std::vector<web::Url> parsed, ParseAll(urls));
  const WallTime not_before = std::max(options.not_before, clock_.Wall());
  std::vector<frontier::Appointment> appointments;  // which refer to `parsed`
  for (const web::Url& url : parsed) {
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
    CRV_ASSIGN(const auto newest, tablet->table().Newest(key));
    appointments.push_back({.record = {.url = url.href(), .priority = options.priority},
                            .not_before = not_before,
                            .known = newest.has_value()});
  }
  {
    const collection::Gate::Pass pass(store_.gate());
    CRV_TRY(frontier_->Schedule(appointments));
  }
  Ordered();
  return Status::Ok();
}

bool CrawlLoop::Wants(const std::string& text) const {
  const auto url = web::CanonicalUrl(text);
  if (!url.ok()) return false;
  const std::shared_ptr<const CrawlPolicy> policy = policy_.current();
  const auto forgotten = store_.forgotten().current();
  const Candidate candidate = {.moment = Candidate::Moment::kFound,
                               .url = *url,
                               .in_scope = policy->scope.Contains(*url),
                               .from = &*url};
  return Decide(candidate, {.policy = *policy, .forgotten = *forgotten, .traps = traps_}).yes();
}

Status CrawlLoop::OfferChanged(const std::vector<std::string>& urls, Duration least) {
  const collection::Gate::Pass tablets(store_.tablets_gate());
  const store::VersionTime recent = ToMicroseconds(clock_.Wall() - least);
  std::vector<frontier::Appointment> visits;  // which refer to `urls`
  for (const std::string& text : urls) {
    if (!Wants(text)) continue;
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(text));
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    collection::Tablet* const tablet = store_.Find(url.hostname());
    if (tablet == nullptr) continue;
    CRV_ASSIGN(const auto newest, tablet->table().Newest(key));
    if (newest && *newest > recent) continue;
    CRV_ASSIGN(const bool full, HasReachedLimit(*context_, url));
    if (full) continue;
    visits.push_back(
        {.record = {.url = text, .priority = 0}, .not_before = clock_.Wall(), .known = newest.has_value()});
  }
  if (visits.empty()) return Status::Ok();
  {
    const collection::Gate::Pass pass(store_.gate());
    CRV_TRY(frontier_->Schedule(visits));
  }
  Ordered();
  return Status::Ok();
}

// First the disk, then the scope, then the frontier.  After a crash in between, the next crawl offers all
// seeds.
Status CrawlLoop::AddSeeds(const std::vector<std::string>& urls) {
  CRV_ASSIGN(const std::vector<web::Url> parsed, ParseAll(urls));
  const collection::Gate::Pass tablets(store_.tablets_gate());
  std::vector<std::string> seeds;
  for (const web::Url& url : parsed) seeds.push_back(url.href());
  {
    MutexLock lock(orders_mu_);
    CRV_TRY(store_.AddSeeds(seeds));
    CrawlPolicy policy = *policy_.current();
    for (const web::Url& url : parsed) policy.scope.AddSeed(url);
    policy_.Replace(std::move(policy));
  }
  CRV_TRY(OfferUrls(seeds));
  CRV_TRY(WatchSeeds(seeds));
  CRV_TRY(TryHostsAgain(seeds, seeds));
  Ordered();
  return Status::Ok();
}

Status CrawlLoop::SetExclusions(const std::vector<policy::Exclusion>& exclusions) {
  policy::Filters filters = options_.filters;
  CRV_TRY(policy::AddExclusions(exclusions, &filters));
  {
    MutexLock lock(orders_mu_);
    policy_.Replace({policy_.current()->scope, std::move(filters)});
  }
  Ordered();
  return Status::Ok();
}

Result<std::vector<uint64_t>> CrawlLoop::HostsOf(uint32_t slot, const policy::Exclusion& exclusion) const {
  std::vector<uint64_t> hosts;
  const collection::Gate::Pass tablets(store_.tablets_gate());
  if (store_.tablet(slot) == nullptr) return hosts;
  if (exclusion.kind != policy::Exclusion::Kind::kFilter) {
    std::string name = exclusion.text;
    if (exclusion.kind == policy::Exclusion::Kind::kPrefix) {
      CRV_ASSIGN(const web::Url url, web::CanonicalUrl(exclusion.text));
      name = url.hostname();
    }
    if (store_.SlotOf(name) == slot) hosts.push_back(web::HostHash(name));
    return hosts;
  }
  CRV_TRY(store_.tablet(slot)->queues().ForEachHost([&](uint64_t host, const frontier::HostState& state) {
    if (state.queued() > 0) hosts.push_back(host);
    return true;
  }));
  return hosts;
}

Result<uint64_t> CrawlLoop::SweepOnce(uint32_t slot, const policy::Filter& filter,
                                      std::vector<uint64_t>* hosts) {
  const collection::Gate::Pass tablets(store_.tablets_gate());
  if (store_.tablet(slot) == nullptr) {  // its next owner sweeps it
    hosts->clear();
    return 0;
  }
  collection::Tablet& tablet = *store_.tablet(slot);
  const store::VersionTime now = ToMicroseconds(clock_.Wall());
  frontier::Sweeper sweeper;
  sweeper.goes = [&filter](const frontier::QueueItem& item) {
    const auto url = web::CanonicalUrl(item.url);
    return url.ok() && filter.Accepts({.url = &*url, .depth = item.depth});
  };
  sweeper.note = [&](const frontier::QueueItem& item, kv::Batch& batch) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(item.url));
    CRV_ASSIGN(const std::string key, web::RowKey(url));
    return tablet.ledger().Put(key,
                               {.time = now,
                                .kind = store::EventKind::kFiltered,
                                .number = static_cast<uint64_t>(policy::FilterPoint::kFetch),
                                .text = filter.text()},
                               &batch);
  };
  uint64_t dropped = 0;
  std::vector<uint64_t> busy;
  for (std::span<const uint64_t> rest = *hosts; !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), kHostsPerSweep));
    rest = rest.subspan(some.size());
    const collection::Gate::Pass pass(store_.gate());
    CRV_ASSIGN(const frontier::Frontier::Swept swept, frontier_->Sweep(slot, some, sweeper));
    dropped += swept.urls;
    busy.insert(busy.end(), swept.busy.begin(), swept.busy.end());
  }
  *hosts = std::move(busy);
  return dropped;
}

Result<uint64_t> CrawlLoop::Drop(const policy::Exclusion& exclusion) {
  CRV_ASSIGN(const policy::Filter filter, exclusion.ToFilter());
  uint64_t dropped = 0;
  for (uint32_t slot = 0; slot < store_.map().size(); ++slot) {
    CRV_ASSIGN(std::vector<uint64_t> hosts, HostsOf(slot, exclusion));
    while (!hosts.empty()) {
      uint64_t pumps = 0;
      {
        MutexLock lock(mu_);
        pumps = pumps_;
      }
      CRV_ASSIGN(const uint64_t now, SweepOnce(slot, filter, &hosts));
      dropped += now;
      if (hosts.empty()) break;
      // Pump() puts hosts to sleep; one that began before they were sent there may have missed them.
      wakeup_.Notify();
      MutexLock lock(mu_);
      changed_.wait(mu_, [&]() CRV_REQUIRES(mu_) { return ended_ || pumps_ > pumps; });
      if (ended_) return dropped;
    }
  }
  Ordered();
  return dropped;
}

Result<std::vector<PageHint>> CrawlLoop::Hint(std::span<const PageHint> hints) {
  const collection::Gate::Pass tablets(store_.tablets_gate());
  CRV_ASSIGN(std::vector<PageHint> unknown, revisits_->Take(hints));
  Ordered();
  return unknown;
}

void CrawlLoop::Arrived() { Ordered(); }

void CrawlLoop::SetLimits(const frontier::BudgetOptions& limits) {
  frontier_->SetBudget(limits);
  Ordered();
}

void CrawlLoop::Pause() {
  paused_ = true;
  frontier_->Hold(true);
  Ordered();
}

void CrawlLoop::Resume() {
  paused_ = false;
  frontier_->Hold(false);
  Ordered();
}

std::optional<CrawlEnd> CrawlLoop::idle() const {
  MutexLock lock(mu_);
  return idle_;
}

bool CrawlLoop::WaitUntilIdle(Duration limit) const {
  MutexLock lock(mu_);
  return changed_.wait_for(mu_, limit, [this]() CRV_REQUIRES(mu_) { return quiet_ || over_; });
}

void CrawlLoop::TellStanding(const std::optional<CrawlEnd>& nothing, uint64_t orders) {
  MutexLock lock(mu_);
  if (orders != orders_) return;
  idle_ = nothing;
  quiet_ = nothing || (paused_ && under_way() == 0);
  if (quiet_) changed_.notify_all();
}

}  // namespace crivello::crawl
