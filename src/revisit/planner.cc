// SPDX-License-Identifier: Apache-2.0
#include "revisit/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace crivello::revisit {
namespace {

constexpr uint32_t kDayHours = 24;
constexpr double kMostWaitingProbes = 1000;
constexpr uint32_t kMostWaitingHints = 1000;
// A server that says "modified just now" says so for every answer.
constexpr int64_t kJustNow = 60;
// How far the belief of one site moves that of the whole web.
constexpr double kWebStep = 0.02;
// The number of visits from which a schedule has a prior of its own.
constexpr double kFirstFit = 16;
constexpr double kLongestReview = 60;       // days
constexpr double kLongestInterval = 36500;  // days
constexpr double kLongestSitemap = 30;      // days

uint32_t HourOf(int64_t seconds) {
  return static_cast<uint32_t>(std::clamp<int64_t>(seconds / 3600, 1, UINT32_MAX / 2));
}
double DaysBetween(uint32_t from, uint32_t to) {
  return static_cast<double>(std::max(to, from + 1) - from) / kDayHours;
}

}  // namespace

Result<std::unique_ptr<Planner>> Planner::Make(const PlannerOptions& options) {
  if (!(options.visits_per_day >= 0 && options.share_per_day > 0 && std::isfinite(options.visits_per_day) &&
        std::isfinite(options.share_per_day))) {
    return Status::InvalidArgument(fmt::format("invalid budget of revisits: {} a day, or {} of the pages",
                                               options.visits_per_day, options.share_per_day));
  }
  if (!(options.limits.longest <= kLongestInterval)) {
    return Status::InvalidArgument(
        fmt::format("the longest interval between visits of a page is {} days, but at most {} are possible",
                    options.limits.longest, kLongestInterval));
  }
  // Visits are planned by the hour.
  if (options.limits.shortest > 0 && options.limits.shortest < 0.999 / kDayHours) {
    return Status::InvalidArgument(
        fmt::format("the shortest interval between visits of a page is {:.0f} s, but 1 hour is the least",
                    options.limits.shortest * 86400));
  }
  CRV_ASSIGN(auto policy, MakeRevisitPolicy(options.policy, options.limits));
  return std::unique_ptr<Planner>(new Planner(options, std::move(policy)));
}

void Planner::Add(const Load& change) {
  MutexLock lock(mu_);
  load_.pages = std::max(0.0, load_.pages + change.pages);
  load_.planned = std::max(0.0, load_.planned + change.planned);
}

Planner::Load Planner::load() const {
  MutexLock lock(mu_);
  return load_;
}

double Planner::Budget() const {
  return options_.visits_per_day > 0 ? options_.visits_per_day
                                     : options_.share_per_day * std::max(1.0, load_.pages);
}
double Planner::budget() const {
  MutexLock lock(mu_);
  return Budget();
}
double Planner::Cycle() const { return std::max(1.0, load_.pages) / Budget(); }

// Before the first revisit, a price at which about as many visits are planned as the budget allows.
double Planner::Price() const {
  if (price_.price() > 0) return price_.price();
  return policy_->name() == "optimal" ? Cycle() / 4 : policy_->name() == "fixed" ? Cycle() : 1;
}
double Planner::price() const {
  MutexLock lock(mu_);
  return Price();
}

Planner::Memory Planner::memory() const {
  MutexLock lock(mu_);
  return {.price = price_.price(), .web = web_};
}
void Planner::Remember(const Memory& memory) {
  MutexLock lock(mu_);
  price_ = PriceFeedback(memory.price);
  web_ = memory.web;
}

uint32_t Planner::HoursOf(double days) const {
  const double bounded = std::clamp(days, options_.limits.shortest, options_.limits.longest);
  return static_cast<uint32_t>(std::max(1.0, std::round(bounded * kDayHours)));
}

uint32_t Planner::NextReview(uint32_t hour) const {
  MutexLock lock(mu_);
  return hour + static_cast<uint32_t>(kDayHours * std::clamp(2 * Cycle(), 1.0, kLongestReview));
}

bool Planner::TakeProbe() {
  MutexLock lock(mu_);
  if (probes_ < 1) return false;
  probes_ -= 1;
  return true;
}

PageBelief Planner::BeliefOf(uint32_t hour, const HostSchedule& schedule, const ScheduledPage& page,
                             const HostLoad& host) const {
  PageBelief belief;
  if (schedule.prior) {
    belief.changes = schedule.prior->After(page.history);
  } else {
    MutexLock lock(mu_);
    belief.changes = web_.After(page.history);
  }
  const auto& trust = schedule.trust[static_cast<size_t>(page.hinted_by)];
  if (!trust) return belief;
  belief.hints.precision = trust->precision();
  // The hints are those of all pages of the host.
  belief.hints.per_day = (trust->hints() + 0.5) / (DaysBetween(schedule.hinted_since, hour) + 30) /
                         std::max(static_cast<double>(schedule.pages.size()), host.pages);
  belief.hints.waiting = page.hints;
  return belief;
}

void Planner::Learn(const VisitNews& news, HostSchedule* schedule, ScheduledPage* page) {
  const uint32_t hour = HourOf(news.time);
  const double days = DaysBetween(page->last_hour, hour);
  const bool changed = news.outcome == VisitNews::Outcome::kChanged;
  const double before = page->history.visits();
  double share = 1;
  for (size_t i = 0; i < kHintSources; i++) {
    if (!schedule->trust[i]) continue;
    const bool by_this = static_cast<size_t>(page->hinted_by) == i;
    const double unhinted = schedule->trust[i]->OnVisit(days, by_this ? page->hints : 0, changed,
                                                        RateBelief::Wide().After(page->history));
    if (by_this && page->hints > 0) share = unhinted;
  }
  if (!changed) {
    page->history.AddUnchanged(days);
  } else {
    const int64_t ago = news.time - news.last_modified.value_or(news.time);
    const bool dated = page->hints == 0 && ago > kJustNow && static_cast<double>(ago) < days * 86400;
    if (dated) {
      page->history.AddDated(days, static_cast<double>(ago) / 86400);
    } else {
      page->history.AddPartlyChanged(days, share);
    }
  }
  if (page->history.visits() < before) page->probes = 0;
}

// A page that fails is visited less and less often.
void Planner::BackOff(uint32_t hour, ScheduledPage* page) const {
  page->failures = static_cast<uint8_t>(std::min(page->failures + 1, UINT8_MAX));
  const uint32_t twice = std::min(std::max(page->interval_hours, kDayHours), UINT32_MAX / 4) * 2;
  page->interval_hours = std::min(twice, HoursOf(options_.limits.longest));
  page->last_hour = hour;
  page->due_hour = hour + page->interval_hours;
  page->queued = false;
  page->probing = false;
}

void Planner::OnVisit(const VisitNews& news, HostSchedule* schedule, ScheduledPage* page,
                      const HostLoad& host) {
  const uint32_t hour = HourOf(news.time);
  if (news.outcome == VisitNews::Outcome::kPassedOver) {
    page->queued = false;
    page->probing = false;
    page->due_hour = std::max(page->last_hour, hour) + std::max(page->interval_hours, kDayHours);
    return;
  }
  if (news.outcome == VisitNews::Outcome::kFailed) return BackOff(hour, page);
  const bool first = page->last_hour == 0;
  // After failures, nobody knows when the page changed.
  if (!first && page->failures == 0) Learn(news, schedule, page);
  page->last_hour = hour;
  page->depth = news.depth;
  page->failures = 0;
  page->hints = 0;
  page->queued = false;
  page->probing = false;
  page->sitemap = news.sitemap;
  if (page->sitemap) {
    PlanSitemap(hour, first ? std::nullopt : std::optional(news.outcome == VisitNews::Outcome::kChanged),
                page);
    if (schedule->review_hour == 0) schedule->review_hour = NextReview(hour);
    return;
  }
  Fit(schedule);
  Plan(hour, *schedule, host, page);
  if (schedule->review_hour == 0) schedule->review_hour = NextReview(hour);
}

// `changed`: whether the visit of this hour found a change; nothing if there was no visit, or it was the
// first.
void Planner::PlanSitemap(uint32_t hour, std::optional<bool> changed, ScheduledPage* page) {
  if (changed) {
    const double hours = page->interval_hours * (*changed ? 0.5 : 1.5);
    page->interval_hours =
        static_cast<uint32_t>(std::clamp(std::round(hours), 1.0, kLongestSitemap * kDayHours));
  } else if (page->history.visits() < 1) {
    page->interval_hours = kDayHours;
  }
  page->due_hour = page->last_hour + page->interval_hours;
  if (page->hints > 0) page->due_hour = std::min(page->due_hour, std::max(hour, page->last_hour + 1));
}

void Planner::Fit(HostSchedule* schedule) {
  double visits = 0;
  for (const ScheduledPage& page : schedule->pages) visits += page.sitemap ? 0 : page.history.visits();
  // The sum falls when histories are halved.
  if (visits < schedule->fitted_at) schedule->fitted_at = static_cast<uint32_t>(visits);
  if (visits < std::max(kFirstFit, 1.5 * schedule->fitted_at)) return;
  std::vector<History> histories;
  for (const ScheduledPage& page : schedule->pages) {
    if (!page.sitemap) histories.push_back(page.history);
  }
  const RateBelief web = memory().web;
  schedule->prior = FitSite(histories, {.start = schedule->prior.value_or(web), .web = web});
  schedule->fitted_at = static_cast<uint32_t>(visits);
  RateBelief::Mixture mixture;
  mixture.Add(web, 1 - kWebStep);
  mixture.Add(*schedule->prior, kWebStep);
  MutexLock lock(mu_);
  web_ = mixture.Finish();
}

void Planner::Plan(uint32_t hour, const HostSchedule& schedule, const HostLoad& host, ScheduledPage* page) {
  if (page->sitemap) return PlanSitemap(hour, std::nullopt, page);
  PageBelief belief = BeliefOf(hour, schedule, *page, host);
  const double now = std::max(price(), host.price);
  if (page->hints > 0) {
    // It is visited once, early; that is not its rate of visits.
    page->due_hour =
        std::min(page->due_hour, std::max(hour, page->last_hour + HoursOf(policy_->Interval(belief, now))));
    page->probing = false;
    return;
  }
  const double days = policy_->Interval(belief, now);
  page->interval_hours = HoursOf(days);
  page->due_hour = page->last_hour + page->interval_hours;
  if (page->history.visits() == 0) {
    // Pages of a new host are all visited on the same day.  Their second visits are spread, so that the
    // budget is not first unused and then too small.
    const double part = static_cast<double>(Hash64(page->name) >> 11) * 0x1p-53;
    page->due_hour = page->last_hour + HoursOf(days * (0.1 + 0.9 * part));
    return;
  }
  if (page->probes >= kMostProbes) return;
  const std::optional<double> probe = policy_->Probe(belief, now);
  if (!probe || !TakeProbe()) return;
  page->probes++;
  page->probing = true;
  page->due_hour = page->last_hour + HoursOf(*probe);
}

bool Planner::OnDue(uint32_t hour, HostSchedule* schedule, ScheduledPage* page, HostLoad* host) {
  const uint32_t due = page->due_hour;
  if (!page->queued && page->failures == 0 && !page->probing && page->hints == 0) {
    Plan(hour, *schedule, host == nullptr ? HostLoad() : *host, page);
    if (page->due_hour > hour) return false;
  }
  const double late = page->queued ? 0 : DaysBetween(due, std::max(hour, due)) - 1.0 / kDayHours;
  page->queued = true;
  page->due_hour = std::max(page->last_hour, hour) + kQueuedHours;
  MutexLock lock(mu_);
  price_ = PriceFeedback(Price());
  price_.OnVisit(
      {.budget = Budget(), .planned = load_.planned, .pages = std::max(1.0, load_.pages), .late_days = late});
  probes_ = std::min(probes_ + kProbeShare, kMostWaitingProbes);
  if (host != nullptr && (host->limit > 0 || host->price > 0)) {
    PriceFeedback own(std::max(host->price, price_.price()));
    if (host->limit > 0) {
      own.OnVisit({.budget = host->limit, .planned = host->planned, .pages = std::max(1.0, host->pages)},
                  price_.price());
    }
    // A price that is not above the common one is not stored.
    host->price = host->limit > 0 && own.price() > price_.price() ? own.price() : 0;
  }
  return true;
}

void Planner::OnHostBusy(uint32_t until, ScheduledPage* page) { page->due_hour = until; }

void Planner::OnHostSilent(uint32_t hour, ScheduledPage* page) const { BackOff(hour, page); }

void Planner::OnHint(HintSource source, uint32_t hour, HostSchedule* schedule, ScheduledPage* page,
                     const HostLoad& host) {
  auto& trust = schedule->trust[static_cast<size_t>(source)];
  if (!trust) trust = HintTrust();
  if (schedule->hinted_since == 0) schedule->hinted_since = hour;
  page->hinted_by = source;
  page->hints = std::min(page->hints + 1, kMostWaitingHints);
  if (!page->queued && page->failures == 0) Plan(hour, *schedule, host, page);
}

void Planner::Review(uint32_t hour, HostSchedule* schedule, const HostLoad& host) {
  for (ScheduledPage& page : schedule->pages) {
    if (page.failures == 0 && !page.queued && !page.probing) Plan(hour, *schedule, host, &page);
  }
  schedule->review_hour = NextReview(hour);
}

}  // namespace crivello::revisit
