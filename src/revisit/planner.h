// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/status.h"
#include "revisit/host_schedule.h"
#include "revisit/policy.h"
#include "revisit/price.h"

namespace crivello::revisit {

struct PlannerOptions {
  std::string policy = "optimal";
  RevisitPolicy::Limits limits = {};
  // The budget of revisits: a number per day or, if that is 0, a share of the scheduled pages per day.
  double visits_per_day = 0;
  double share_per_day = 0.05;
};

// The result of a visit, as the schedule needs it.
struct VisitNews {
  enum class Outcome : uint8_t {
    kUnchanged,
    kChanged,     // or visited for the first time
    kFailed,      // no page: an error, a redirect, no answer
    kPassedOver,  // not requested: robots.txt, the scope or a filter forbids it now
  };
  Outcome outcome = Outcome::kChanged;
  int64_t time = 0;  // seconds since 1970
  std::optional<int64_t> last_modified = {};
  uint32_t depth = 0;
  bool sitemap = false;
};

// All pages of one host, for the limit of the host.  The caller keeps it beside the schedules of the host. If
// there are several schedules, the caller also keeps the trust in hints about the host here, and lends it to
// the schedule that it gives to the planner.
struct HostLoad {
  double pages = 0;
  double planned = 0;  // visits a day
  double limit = 0;    // visits a day that the host can bear; 0: any number
  double price =
      0;  // of a visit to this host: lambda + mu; 0: lambda, since its limit has never been reached
  HintTrusts trust = {};
  uint32_t hinted_since = 0;
};

// Keeps the schedules of all hosts of a collection within one budget.  It learns from visits and decides when
// the next visit of a page is due.  The caller stores the schedules.
//
// Sitemaps are scheduled beside the pages, but not by the price, because what a sitemap says is worth more
// than a fresh copy of it.  The interval of a sitemap is halved if it has changed and grows by half if not,
// between an hour and a month.  A sitemap that was announced as changed is visited at once.
//
// Thread-safe for different schedules.  A function's `host` is the host of its `schedule`.
class Planner {
 public:
  // How long a page may stay in the queue of its host before it is queued again, because the queue may have
  // been dropped, or a crash may have lost it.
  static constexpr uint32_t kQueuedHours = 72;
  // A page counts as gone after so many visits in a row without a page.
  static constexpr uint8_t kGoneAfter = 3;

  // InvalidArgument for an unknown policy, or impossible limits or budgets.
  static Result<std::unique_ptr<Planner>> Make(const PlannerOptions& options);

  // All schedules together.
  struct Load {
    double pages = 0;
    double planned = 0;  // visits a day
  };
  void Add(const Load& change);
  Load load() const;
  double budget() const;  // visits a day

  // What it has learnt about the whole collection.  Losing it makes plans worse for a while, but no page is
  // lost.
  struct Memory {
    double price = 0;  // 0: there was no revisit yet
    RateBelief web = RateBelief::Wide();
  };
  Memory memory() const;
  void Remember(const Memory& memory);

  // Call it after each visit of a page; the first visit is the one with last_hour 0.  When the number of
  // visits has grown by half, it fits the prior again from all histories of the schedule.
  void OnVisit(const VisitNews& news, HostSchedule* schedule, ScheduledPage* page, const HostLoad& host = {});
  // Call it when a page is due.  True: the caller must queue the page, which counts as queued now, and the
  // prices have moved.  False: visits cost more now, so the page was planned again for later.
  bool OnDue(uint32_t hour, HostSchedule* schedule, ScheduledPage* page, HostLoad* host = nullptr);
  // The page is due, but its host has no time for it before `until`.
  static void OnHostBusy(uint32_t until, ScheduledPage* page);
  // The page is due, but its host does not answer at all, and another of its pages is tried.
  void OnHostSilent(uint32_t hour, ScheduledPage* page) const;
  // A hint says that the page has changed.
  void OnHint(HintSource source, uint32_t hour, HostSchedule* schedule, ScheduledPage* page,
              const HostLoad& host = {});
  // Plans all pages again, because prices have changed.  Call it at the schedule's review_hour.
  void Review(uint32_t hour, HostSchedule* schedule, const HostLoad& host = {});

  // The belief about a page, also for reports.
  PageBelief BeliefOf(uint32_t hour, const HostSchedule& schedule, const ScheduledPage& page,
                      const HostLoad& host = {}) const;
  std::string_view policy() const { return policy_->name(); }

 private:
  Planner(const PlannerOptions& options, std::unique_ptr<RevisitPolicy> policy)
      : options_(options), policy_(std::move(policy)) {}

  void Learn(const VisitNews& news, HostSchedule* schedule, ScheduledPage* page);
  void BackOff(uint32_t hour, ScheduledPage* page) const;
  void Plan(uint32_t hour, const HostSchedule& schedule, const HostLoad& host, ScheduledPage* page);
  static void PlanSitemap(uint32_t hour, std::optional<bool> changed, ScheduledPage* page);
  void Fit(HostSchedule* schedule);
  uint32_t NextReview(uint32_t hour) const;
  uint32_t HoursOf(double days) const;
  double price() const CRV_EXCLUDES(mu_);
  double Price() const CRV_REQUIRES(mu_);
  double Cycle() const CRV_REQUIRES(mu_);  // days in which all pages can be visited once
  double Budget() const CRV_REQUIRES(mu_);
  // Takes one of the probes that the budget allows; false if there is none.
  bool TakeProbe() CRV_EXCLUDES(mu_);

  const PlannerOptions options_;
  const std::unique_ptr<RevisitPolicy> policy_;

  mutable Mutex mu_;
  Load load_ CRV_GUARDED_BY(mu_);
  PriceFeedback price_ CRV_GUARDED_BY(mu_) = PriceFeedback(0);
  RateBelief web_ CRV_GUARDED_BY(mu_) = RateBelief::Wide();
  double probes_ CRV_GUARDED_BY(mu_) = 0;
};

// The number of visits a day that are planned for a page.
inline double PlannedOf(const ScheduledPage& page) {
  return page.interval_hours > 0 ? 24.0 / page.interval_hours : 0;
}

}  // namespace crivello::revisit
