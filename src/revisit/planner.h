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
  // The budget of revisits: so many a day, or, if that is 0, this share of the scheduled pages a day.
  double visits_per_day = 0;
  double share_per_day = 0.05;
};

// What a visit brought, as far as schedules go.
struct VisitNews {
  enum class Outcome : uint8_t {
    kUnchanged,
    kChanged,     // or visited for the first time
    kFailed,      // no page: an error, a redirect, no answer
    kPassedOver,  // nobody asked: robots.txt, the scope or a filter forbids it now
  };
  Outcome outcome = Outcome::kChanged;
  int64_t time = 0;  // seconds since 1970
  std::optional<int64_t> last_modified = {};
  uint32_t depth = 0;
  bool sitemap = false;
};

// All pages of one host, where what the host can bear counts.  The caller keeps it beside the schedules of
// the host, which it may have several of.  It then also keeps the trust in the hints about the host here, and
// lends it to the schedule that the planner is given.
struct HostLoad {
  double pages = 0;
  double planned = 0;  // visits a day
  double limit = 0;    // visits a day that the host can bear; 0: as many as anybody plans
  double price = 0;    // of a visit to this host: lambda + mu; 0: lambda, since its limit has never counted
  HintTrusts trust = {};
  uint32_t hinted_since = 0;
};

// Keeps the schedules of all hosts of a collection within one budget: it learns from visits, and says when
// the next one is due.  The caller keeps the schedules.
//
// Sitemaps are scheduled beside the pages, but not by the price: what one says is worth more than the copy of
// it.  The interval of a sitemap is halved if it has changed and grows by half if not, between an hour and a
// month; one that was announced as changed is visited at once.
//
// Thread-safe, for different schedules.  Where a host is given it is the one of the schedule.
class Planner {
 public:
  // How long a page that was put into the queue of its host may stay there before it is put there again:
  // also if the queue was dropped since, or a crash came between.
  static constexpr uint32_t kQueuedHours = 72;
  // A page counts as gone when so many visits in a row brought none.
  static constexpr uint8_t kGoneAfter = 3;

  // InvalidArgument for a policy that does not exist, or limits or budgets that cannot be.
  static Result<std::unique_ptr<Planner>> Make(const PlannerOptions& options);

  // All schedules together.
  struct Load {
    double pages = 0;
    double planned = 0;  // visits a day
  };
  void Add(const Load& change);
  Load load() const;
  double budget() const;  // visits a day

  // What it has learnt of the whole collection.  A page that is unlike all others is not planned better by
  // it, so it may be lost.
  struct Memory {
    double price = 0;  // 0: there was no revisit yet
    RateBelief web = RateBelief::Wide();
  };
  Memory memory() const;
  void Remember(const Memory& memory);

  // A page was visited, for the first time if its last_hour is 0.  Fits the prior again when the visits have
  // grown by half, from all histories of the schedule.
  void OnVisit(const VisitNews& news, HostSchedule* schedule, ScheduledPage* page, const HostLoad& host = {});
  // The hour of the page has come.  Whether it is to be queued: it counts as queued then, and moves the
  // prices.  Else it was planned again, since visits cost more now.
  bool OnDue(uint32_t hour, HostSchedule* schedule, ScheduledPage* page, HostLoad* host = nullptr);
  // The hour of the page has come, but its host has no time for it before `until`.
  static void OnHostBusy(uint32_t until, ScheduledPage* page);
  // Its host does not answer at all, and is asked with another page.
  void OnHostSilent(uint32_t hour, ScheduledPage* page) const;
  // Somebody says that the page has changed.
  void OnHint(HintSource source, uint32_t hour, HostSchedule* schedule, ScheduledPage* page,
              const HostLoad& host = {});
  // The time for it has come: prices have changed, so all pages are planned again.
  void Review(uint32_t hour, HostSchedule* schedule, const HostLoad& host = {});

  // The belief about a page: for people, and inside.
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
  // Takes one of the probes that the budget allows, if there is one.
  bool TakeProbe() CRV_EXCLUDES(mu_);

  const PlannerOptions options_;
  const std::unique_ptr<RevisitPolicy> policy_;

  mutable Mutex mu_;
  Load load_ CRV_GUARDED_BY(mu_);
  PriceFeedback price_ CRV_GUARDED_BY(mu_) = PriceFeedback(0);
  RateBelief web_ CRV_GUARDED_BY(mu_) = RateBelief::Wide();
  double probes_ CRV_GUARDED_BY(mu_) = 0;
};

// Visits a day that are planned for a page.
inline double PlannedOf(const ScheduledPage& page) {
  return page.interval_hours > 0 ? 24.0 / page.interval_hours : 0;
}

}  // namespace crivello::revisit
