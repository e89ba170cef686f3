// SPDX-License-Identifier: Apache-2.0
#include "crawl/revisits.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "base/civil_time.h"
#include "frontier/host_queues.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::crawl {
namespace {

// Queued in one batch: few enough to hold back commits for some milliseconds only.
constexpr uint64_t kMostAtOnce = 256;
constexpr uint64_t kRowsAtOnce = 4096;
// How often to look, at least: commits bring what is due earlier.
constexpr Duration kLookAtLeast = std::chrono::minutes(5);
constexpr Duration kLookAtMost = std::chrono::seconds(1);
// Without a new page for so long, those that wait cannot be had.
constexpr Duration kStalled = std::chrono::minutes(15);
constexpr double kMostCredit = 1000;
constexpr double kHoursADay = 24;
// Of what a host can bear, the rest being for answers that take their time.
constexpr double kBearable = 0.9;
constexpr double kNever = std::numeric_limits<double>::infinity();
// A host with less of a delay than that bears any number of revisits.
constexpr double kLeastHours = 0.01 / 3600;
constexpr double kMostHours = 24 * 365;

uint32_t HourOfTime(WallTime time) {
  return static_cast<uint32_t>(std::max<int64_t>(ToSeconds(time), 0) / 3600);
}
// A version without an answer: the page leaves the index, and its versions stay.
Status PutGone(const store::Table& table, const std::string& key, WallTime now, kv::Batch* batch) {
  CRV_ASSIGN(const std::vector<store::Row> rows, table.Get(key));
  if (rows.empty() || rows.front().fetch.status < 200 || rows.front().fetch.status > 299) return Status::Ok();
  const store::FetchCell nothing;
  return table.Put(key, {.time = ToMicroseconds(now), .fetch = &nothing}, batch);
}

WallTime TimeOfHour(uint32_t hour) { return WallTime(std::chrono::hours(hour)); }

}  // namespace

Result<std::unique_ptr<Revisits>> Revisits::Make(collection::Collection& store, const Clock& clock,
                                                 const RevisitOptions& options,
                                                 const frontier::PolitenessOptions& politeness) {
  if (!(options.share >= 0 && options.share <= 1))
    return Status::InvalidArgument("the share of revisits must be between 0 and 100%");
  CRV_ASSIGN(std::unique_ptr<revisit::Planner> planner, revisit::Planner::Make(options.planner));
  std::unique_ptr<Revisits> revisits(new Revisits(store, clock, options, politeness, std::move(planner)));
  // What most pages have taught counts.
  uint64_t most = 0;
  for (const collection::Tablet* const tablet : store.tablets()) {
    const collection::ScheduleStats stats = tablet->schedule().stats();
    revisits->planner_->Add({.pages = static_cast<double>(stats.pages), .planned = stats.planned});
    if (stats.pages < most || stats.pages == 0) continue;
    most = stats.pages;
    revisits->planner_->Remember(tablet->schedule().memory());
  }
  revisits->firsts_ = revisits->Sum().firsts;
  return revisits;
}

collection::ScheduleStats Revisits::Sum() const {
  collection::ScheduleStats sum;
  for (const collection::Tablet* const tablet : store_.tablets()) {
    const collection::ScheduleStats one = tablet->schedule().stats();
    sum.pages += one.pages;
    sum.blocks += one.blocks;
    sum.queued += one.queued;
    sum.failing += one.failing;
    sum.planned += one.planned;
    sum.firsts += one.firsts;
    sum.revisits += one.revisits;
    sum.changes += one.changes;
  }
  return sum;
}

Status Revisits::EnterRows() {
  for (collection::Tablet* const tablet : store_.tablets()) CRV_TRY(EnterRowsOf(*tablet));
  return Status::Ok();
}

Status Revisits::EnterRowsOf(collection::Tablet& tablet) {
  if (tablet.schedule().complete()) return Status::Ok();
  store::RowCursor row = tablet.table().Scan();
  do {
    collection::PageSchedule::Change change = tablet.schedule().Begin();
    for (uint64_t rows = 0; rows < kRowsAtOnce && row.valid(); row.NextRow(), ++rows) {
      CRV_ASSIGN(const store::FetchCell fetch, row.fetch());
      if (fetch.status < 200 || fetch.status > 299) continue;
      CRV_TRY(change.Enter(row.key(), row.time() / 1'000'000, *planner_));
    }
    CRV_TRY(row.status());
    if (!row.valid()) change.SetComplete(true);
    kv::Batch batch;
    CRV_TRY(change.Fill(&batch, planner_.get()));
    CRV_TRY(tablet.db().Write(batch, {.sync = !row.valid()}));
    change.Done(planner_.get());
  } while (row.valid());
  return Status::Ok();
}

void Revisits::Join(const collection::Tablet& tablet) {
  const collection::ScheduleStats stats = tablet.schedule().stats();
  planner_->Add({.pages = static_cast<double>(stats.pages), .planned = stats.planned});
  // What an agent has learnt from many pages counts more than what it learns from few.
  if (static_cast<double>(stats.pages) > planner_->load().pages / 2)
    planner_->Remember(tablet.schedule().memory());
  firsts_ += stats.firsts;
  again_ = clock_.Now();
}

void Revisits::Leave(const collection::Tablet& tablet) {
  const collection::ScheduleStats stats = tablet.schedule().stats();
  planner_->Add({.pages = -static_cast<double>(stats.pages), .planned = -stats.planned});
  firsts_ -= std::min(firsts_, stats.firsts);
}

uint64_t Revisits::Allowed(MonotonicTime now) {
  const double per_day = planner_->budget();
  if (refilled_) {
    const double days = std::chrono::duration<double>(now - *refilled_).count() / 86400;
    // What was not used within an hour is lost.
    tokens_ = std::min(tokens_ + per_day * days, std::max(1.0, per_day / kHoursADay));
  }
  refilled_ = now;
  const collection::ScheduleStats sum = Sum();
  if (sum.firsts != firsts_) {
    const double each = options_.share < 1 ? options_.share / (1 - options_.share) : kMostCredit;
    credit_ = std::min(credit_ + each * static_cast<double>(sum.firsts - firsts_), kMostCredit);
    firsts_ = sum.firsts;
    progress_ = now;
  }
  uint64_t queued = 0;
  for (collection::Tablet* const tablet : store_.tablets()) queued += tablet->queues().counts().items;
  // Revisits that are queued may be what holds new pages up.
  if (sum.queued > 0) progress_ = now;
  const bool new_pages_wait = queued > sum.queued && now - progress_ < kStalled && options_.share < 1;
  const double allowed = new_pages_wait ? std::min(tokens_, credit_) : tokens_;
  return std::min(static_cast<uint64_t>(std::max(allowed, 0.0)), kMostAtOnce);
}

Result<bool> Revisits::Release(frontier::Frontier& frontier) {
  if (!options_.continuous) {
    again_ = std::nullopt;
    return false;
  }
  const MonotonicTime now = clock_.Now();
  if (!news_.exchange(false) && again_ && now < *again_) return false;
  const WallTime wall = clock_.Wall();
  const uint32_t hour = HourOfTime(wall);
  uint64_t allowed = Allowed(now);
  again_ = now + kLookAtLeast;
  const double per_day = planner_->budget();
  if (allowed == 0) {
    // Until the budget has another visit; the share's may come with any commit.
    const double seconds = std::max(0.0, 1 - tokens_) / per_day * 86400;
    const auto until =
        std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::min(seconds, 3600.0)));
    again_ = now + std::clamp<Duration>(until, kLookAtMost, kLookAtLeast);
    return false;
  }
  uint64_t released = 0;
  for (uint32_t slot = 0; slot < store_.map().size(); ++slot) {
    const collection::Tablet* const tablet = store_.tablet(slot);
    if (tablet == nullptr) continue;
    CRV_ASSIGN(const std::optional<uint32_t> first, tablet->schedule().FirstDueHour());
    if (!first) continue;
    if (*first > hour) {
      again_ = std::min(*again_, now + (TimeOfHour(*first) - wall));
      continue;
    }
    if (allowed == released) {
      again_ = now;
      continue;
    }
    CRV_ASSIGN(const uint64_t queued, ReleaseTablet(slot, hour, allowed - released, frontier));
    released += queued;
    again_ = std::min(*again_, now + kLookAtMost);
  }
  tokens_ -= static_cast<double>(released);
  credit_ = std::max(0.0, credit_ - static_cast<double>(released));
  return released > 0;
}

double Revisits::HoursOfRevisit(const frontier::HostState& host) const {
  frontier::Manners manners = {.crawl_delay = host.crawl_delay};
  const auto own = politeness_.host_delays.find(host.name);
  if (own != politeness_.host_delays.end()) manners.own_delay = own->second;
  const double delay = std::chrono::duration<double>(HostDelay(politeness_, manners)).count() / 3600 /
                       std::max(1U, politeness_.burst_requests);
  if (delay < kLeastHours) return 0;
  // Class 0 has revisits, and little else.
  const bool new_pages_wait = host.queued() > host.queues[kPriority].items;
  if (!new_pages_wait) return delay;
  return options_.share > 0 ? std::min(delay / options_.share, kMostHours) : kNever;
}

Revisits::HostView Revisits::ViewOf(uint64_t hash, const frontier::HostState& host, MonotonicTime now) const {
  HostView view = {.silent = host.given_up};
  const double each = HoursOfRevisit(host);
  if (each == 0) return view;
  if (each == kNever) {
    view.room = 0;
    view.wait_hours = kHoursADay;
    return view;
  }
  view.most_per_day = kBearable * kHoursADay / each;
  view.each_hours = each;
  const auto given = given_.find(hash);
  if (given != given_.end() && given->second > now) {
    view.room = 0;
    view.wait_hours = std::chrono::duration<double>(given->second - now).count() / 3600;
  } else {
    view.room = std::max<size_t>(1, static_cast<size_t>(1 / each));
    view.wait_hours = std::max(1.0, each);
  }
  return view;
}

void Revisits::HasGiven(uint64_t hash, double hours, MonotonicTime now) {
  if (given_.size() >= kMostHosts && !given_.contains(hash)) {
    std::erase_if(given_, [now](const auto& host) { return host.second <= now; });
    if (given_.size() >= kMostHosts) given_.clear();
  }
  MonotonicTime& until = given_.try_emplace(hash, now).first->second;
  until = std::max(until, now) +
          std::chrono::duration_cast<Duration>(std::chrono::duration<double>(hours * 3600));
}

Result<uint64_t> Revisits::ReleaseTablet(uint32_t slot, uint32_t hour, uint64_t limit,
                                         frontier::Frontier& frontier) {
  collection::Tablet& tablet = *store_.tablet(slot);
  const MonotonicTime now = clock_.Now();
  std::map<uint64_t, double> hours;  // that a revisit takes of its host, by the host
  const auto look = [&](std::string_view row_key) -> Result<HostView> {
    CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(row_key));
    const uint64_t hash = web::HostHash(url.hostname());
    CRV_ASSIGN(const auto host, tablet.queues().Load(hash));
    if (!host) return HostView{};
    const HostView view = ViewOf(hash, *host, now);
    if (view.each_hours > 0) hours[hash] = view.each_hours;
    return view;
  };
  const auto commit = frontier.Begin(slot);
  collection::PageSchedule::Change change = tablet.schedule().Begin();
  CRV_ASSIGN(const auto due, change.TakeDue(hour, limit, *planner_, look));
  if (change.empty()) return 0;
  std::vector<std::string> urls;
  urls.reserve(due.size());
  std::vector<frontier::UrlRecord> records;  // which refer to `urls`
  for (const auto& page : due) {
    if (page.gone) {
      CRV_TRY(PutGone(tablet.table(), page.row_key, clock_.Wall(), &commit->batch()));
      continue;
    }
    CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(page.row_key));
    urls.emplace_back(url.href());
    const auto taken = hours.find(web::HostHash(url.hostname()));
    if (taken != hours.end()) HasGiven(taken->first, taken->second, now);
    records.push_back({.url = urls.back(),
                       .kind = page.sitemap ? frontier::UrlKind::kSitemap : frontier::UrlKind::kPage,
                       .priority = kPriority,
                       .depth = page.depth,
                       .found = clock_.Wall()});
  }
  if (!records.empty()) CRV_TRY(commit->Requeue(records).status());
  CRV_TRY(change.Fill(&commit->batch(), planner_.get()));
  CRV_TRY(commit->Write({.sync = true}));
  change.Done(planner_.get());
  return records.size();
}

Result<std::vector<PageHint>> Revisits::Take(std::span<const PageHint> hints) {
  const WallTime now = clock_.Wall();
  std::vector<PageHint> unknown;
  std::map<collection::Tablet*, std::vector<std::pair<std::string, const PageHint*>>> by_tablet;
  for (const PageHint& hint : hints) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(hint.url));
    CRV_ASSIGN(std::string key, web::RowKey(url));
    CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
    by_tablet[tablet].emplace_back(std::move(key), &hint);
  }
  for (const auto& [tablet, some] : by_tablet) {
    collection::PageSchedule::Change change = tablet->schedule().Begin();
    for (const auto& [key, hint] : some) {
      CRV_ASSIGN(const bool known,
                 change.Hint(key, hint->source, HourOfTime(std::min(hint->time, now)), *planner_));
      if (!known) unknown.push_back(*hint);
    }
    if (change.empty()) continue;
    kv::Batch batch;
    CRV_TRY(change.Fill(&batch, planner_.get()));
    // Without a sync: a hint that a crash of the machine takes costs no more than one that never came.
    CRV_TRY(tablet->db().Write(batch, {.sync = false}));
    change.Done(planner_.get());
  }
  news_ = true;
  return unknown;
}

RevisitStats Revisits::stats() const {
  return {.continuous = options_.continuous,
          .policy = std::string(planner_->policy()),
          .schedule = Sum(),
          .budget = planner_->budget(),
          .price = planner_->memory().price};
}

}  // namespace crivello::crawl
