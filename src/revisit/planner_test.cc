// SPDX-License-Identifier: Apache-2.0
#include "revisit/planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "revisit/changing_web.h"
#include "revisit/optimum.h"

namespace crivello::revisit {
namespace {

using Outcome = VisitNews::Outcome;
constexpr uint32_t kStart = 495'000;

int64_t SecondsOf(uint32_t hour) { return int64_t{hour} * 3600; }

HostSchedule Pages(Planner& planner, size_t count) {
  HostSchedule schedule;
  for (size_t i = 0; i < count; i++) {
    schedule.pages.push_back({.name = "/" + std::to_string(100'000 + i)});
    planner.OnVisit({.time = SecondsOf(kStart)}, &schedule, &schedule.pages.back());
    planner.Add({.pages = 1, .planned = PlannedOf(schedule.pages.back())});
  }
  return schedule;
}

// Visits pages that are due, hour by hour, within the budget.  Each page changes at a fixed interval.
uint64_t VisitHours(Planner& planner, HostSchedule& schedule, uint32_t hours,
                    const std::vector<uint32_t>& changes_every) {
  uint64_t visits = 0;
  double tokens = 0;
  for (uint32_t hour = kStart + 1; hour <= kStart + hours; hour++) {
    tokens = std::min(tokens + planner.budget() / 24, std::max(1.0, planner.budget() / 24));
    if (hour >= schedule.review_hour) planner.Review(hour, &schedule);
    double planned = 0;
    for (size_t i = 0; i < schedule.pages.size(); i++) {
      ScheduledPage& page = schedule.pages[i];
      if (page.due_hour <= hour && tokens >= 1) {
        const uint32_t last = page.last_hour;
        if (planner.OnDue(hour, &schedule, &page)) {
          tokens -= 1;
          visits++;
          const bool changed = hour / changes_every[i] != last / changes_every[i];
          planner.OnVisit(
              {.outcome = changed ? Outcome::kChanged : Outcome::kUnchanged, .time = SecondsOf(hour)},
              &schedule, &page);
        }
      }
      planned += PlannedOf(page);
    }
    planner.Add({.planned = planned - planner.load().planned});
  }
  return visits;
}

TEST(PlannerTest, KeepsTheBudgetAndVisitsWhatChangesMoreOften) {
  for (const char* const policy : {"fixed", "proportional", "optimal"}) {
    SCOPED_TRACE(policy);
    const auto planner = *Planner::Make({.policy = policy, .share_per_day = 0.1});
    HostSchedule schedule = Pages(*planner, 60);
    // A third changes every five days, a third every forty, a third hardly ever.
    std::vector<uint32_t> every;
    for (size_t i = 0; i < schedule.pages.size(); i++)
      every.push_back(i % 3 == 0 ? 120 : i % 3 == 1 ? 960 : 90'000);
    const uint64_t visits = VisitHours(*planner, schedule, 24 * 400, every);
    // 6 a day.
    EXPECT_LE(visits, 2'410u);
    EXPECT_GE(visits, 600u);
    double fast = 0;
    double never = 0;
    for (size_t i = 0; i < schedule.pages.size(); i++) {
      if (i % 3 == 0) fast += schedule.pages[i].interval_hours;
      if (i % 3 == 2) never += schedule.pages[i].interval_hours;
    }
    if (std::string_view(policy) == "fixed") {
      EXPECT_NEAR(fast, never, 0.3 * never);
    } else {
      EXPECT_LT(fast, never);
    }
    EXPECT_TRUE(schedule.prior.has_value());
  }
}

TEST(PlannerTest, AFailureDoublesTheIntervalAndIsNotAHistory) {
  const auto planner = *Planner::Make({.policy = "fixed", .limits = {.shortest = 1, .longest = 20}});
  HostSchedule schedule = Pages(*planner, 1);
  ScheduledPage& page = schedule.pages[0];
  uint32_t hour = kStart;
  uint32_t before = std::max(page.interval_hours, 24u);
  for (int i = 1; i <= 300; i++) {
    hour = page.due_hour;
    planner->OnVisit({.outcome = Outcome::kFailed, .time = SecondsOf(hour)}, &schedule, &page);
    EXPECT_EQ(page.failures, std::min(i, 255));
    EXPECT_EQ(page.interval_hours, std::min(2 * before, 480u));
    EXPECT_EQ(page.due_hour, hour + page.interval_hours);
    before = page.interval_hours;
  }
  EXPECT_EQ(page.history.visits(), 0);
  planner->OnVisit({.outcome = Outcome::kChanged, .time = SecondsOf(page.due_hour)}, &schedule, &page);
  EXPECT_EQ(page.failures, 0);
  EXPECT_EQ(page.history.visits(), 0);  // what happened in between is not known
}

TEST(PlannerTest, UsesLastModifiedWhereItMakesSense) {
  const auto planner = *Planner::Make({});
  const int64_t now = SecondsOf(kStart + 240);
  struct Case {
    int64_t modified;
    double dated;
  };
  for (const Case& one :
       {Case{now - 86400, 1}, Case{now - 5, 0}, Case{now + 5, 0}, Case{now - 86400 * 30, 0}}) {
    HostSchedule schedule = Pages(*planner, 1);
    planner->OnVisit({.time = now, .last_modified = one.modified}, &schedule, &schedule.pages[0]);
    EXPECT_EQ(schedule.pages[0].history.dated(), one.dated) << one.modified - now;
    EXPECT_EQ(schedule.pages[0].history.changes(), 1);
  }
}

TEST(PlannerTest, APageThatIsPassedOverLearnsNothing) {
  const auto planner = *Planner::Make({});
  HostSchedule schedule = Pages(*planner, 1);
  ScheduledPage& page = schedule.pages[0];
  page.queued = true;
  planner->OnVisit({.outcome = Outcome::kPassedOver, .time = SecondsOf(kStart + 5)}, &schedule, &page);
  EXPECT_FALSE(page.queued);
  EXPECT_EQ(page.last_hour, kStart);
  EXPECT_GE(page.due_hour, kStart + 5 + 24);
  EXPECT_EQ(page.failures, 0);
}

TEST(PlannerTest, ATrustedHintBringsThePageForwardAndAFalseOneLosesItsTrust) {
  const auto planner = *Planner::Make({.share_per_day = 1});
  HostSchedule schedule = Pages(*planner, 2);
  ScheduledPage& page = schedule.pages[0];
  const auto visit_hinted = [&](uint32_t hour, Outcome outcome) {
    planner->OnHint(HintSource::kFeed, hour, &schedule, &page);
    const uint32_t due = page.due_hour;
    planner->OnVisit({.outcome = outcome, .time = SecondsOf(hour + 1)}, &schedule, &page);
    return due - hour;
  };
  uint32_t hour = kStart;
  for (int i = 0; i < 30; i++) visit_hinted(hour += 48, Outcome::kChanged);
  EXPECT_GT(schedule.trust[0]->precision(), 0.8);
  const uint32_t soon = visit_hinted(hour += 48, Outcome::kChanged);
  EXPECT_LE(soon, 1u);
  for (int i = 0; i < 100; i++) visit_hinted(hour += 48, Outcome::kUnchanged);
  EXPECT_LT(schedule.trust[0]->precision(), 0.4);
  EXPECT_FALSE(schedule.trust[1]);
  EXPECT_EQ(page.hints, 0u);
}

TEST(PlannerTest, RefusesWhatCannotBe) {
  EXPECT_FALSE(Planner::Make({.policy = "random"}).ok());
  EXPECT_FALSE(Planner::Make({.limits = {.shortest = 2, .longest = 1}}).ok());
  EXPECT_FALSE(Planner::Make({.limits = {.shortest = 2, .longest = 1e9}}).ok());
  EXPECT_TRUE(Planner::Make({.limits = {.shortest = 1.0 / 24, .longest = 1}}).ok());
  EXPECT_EQ(Planner::Make({.limits = {.shortest = 1.0 / 86400, .longest = 1}}).status().message(),
            "the shortest interval between visits of a page is 1 s, but 1 hour is the least");
  EXPECT_FALSE(Planner::Make({.share_per_day = 0}).ok());
  EXPECT_FALSE(Planner::Make({.visits_per_day = -1}).ok());
}

// A web of 20 hosts with 40 pages each, half of which bear a fifth of what their pages would get.  Returns
// the freshness in the mean over the second half of the time.
double FreshnessWithLimits(bool own_prices, double* optimum) {
  constexpr uint32_t kHosts = 20;
  constexpr uint32_t kDays = 500;
  ChangingWeb web(
      {.seed = 5, .pages = 800, .hosts = kHosts, .median_days = 20, .sigma = 1, .host_share = 0.2});
  const auto planner = *Planner::Make({.share_per_day = 0.1});
  std::vector<double> limits;
  std::vector<RatedPage> rated;
  for (uint32_t host = 0; host < kHosts; host++) limits.push_back(host % 2 == 0 ? 0.8 : 40);
  for (uint32_t i = 0; i < web.pages(); i++)
    rated.push_back({.changes = web.changes_per_day(i), .host = web.host(i)});
  *optimum = SolveOptimum(rated, 80, limits)->freshness;

  std::vector<HostSchedule> schedules(kHosts);
  std::vector<HostLoad> loads(kHosts);
  std::vector<double> room(kHosts);
  for (uint32_t host = 0; host < kHosts; host++) {
    schedules[host] = Pages(*planner, 40);
    loads[host].limit = own_prices ? limits[host] : 0;
  }
  std::vector<bool> stale(web.pages());
  double fresh = 0;
  double tokens = 0;
  for (uint32_t hour = 1; hour <= kDays * 24; hour++) {
    tokens = std::min(tokens + planner->budget() / 24, std::max(1.0, planner->budget() / 24));
    double planned = 0;
    // The first host is not always the same.
    for (uint32_t turn = 0; turn < kHosts; turn++) {
      const uint32_t host = (turn + hour) % kHosts;
      HostSchedule& schedule = schedules[host];
      room[host] = std::min(room[host] + limits[host] / 24, std::max(1.0, limits[host] / 24));
      loads[host].pages = 40;
      loads[host].planned = 0;
      for (const ScheduledPage& page : schedule.pages) loads[host].planned += PlannedOf(page);
      if (kStart + hour >= schedule.review_hour) planner->Review(kStart + hour, &schedule, loads[host]);
      for (uint32_t i = 0; i < 40; i++) {
        const uint32_t number = web.first_page(host) + i;
        bool changed = false;
        for (; web.next_change(number) * 24 <= hour; web.Advance(number)) changed = true;
        stale[number] = stale[number] || changed;
        ScheduledPage& page = schedule.pages[i];
        if (page.due_hour <= kStart + hour && tokens >= 1) {
          if (room[host] < 1) {
            Planner::OnHostBusy(kStart + hour + 1, &page);
          } else if (planner->OnDue(kStart + hour, &schedule, &page, &loads[host])) {
            tokens -= 1;
            room[host] -= 1;
            planner->OnVisit({.outcome = stale[number] ? Outcome::kChanged : Outcome::kUnchanged,
                              .time = SecondsOf(kStart + hour)},
                             &schedule, &page, loads[host]);
            stale[number] = false;
          }
        }
        if (hour > kDays * 12) fresh += stale[number] ? 0 : 1;
        planned += PlannedOf(page);
      }
    }
    planner->Add({.planned = planned - planner->load().planned});
  }
  return fresh / (kDays * 12.0 * web.pages());
}

TEST(PlannerTest, HostsAtTheirLimitHaveAPriceOfTheirOwn) {
  double optimum = 0;
  const double own = FreshnessWithLimits(true, &optimum);
  const double one = FreshnessWithLimits(false, &optimum);
  EXPECT_GT(own, one + 0.005);
  EXPECT_GT(own, 0.88 * optimum)
      << "which knows the rates, while some hosts bear five visits of a page in all";
  EXPECT_LT(own, optimum + 0.01);
}

TEST(PlannerTest, APriceOfAHostIsGivenUpWhenItsLimitNoLongerCounts) {
  const auto planner = *Planner::Make({});
  HostSchedule schedule = Pages(*planner, 10);
  HostLoad host = {.pages = 10, .planned = 10, .limit = 1};
  uint32_t hour = kStart + 24 * 60;
  for (int i = 0; i < 20; i++, hour += 24 * 365) {
    ScheduledPage& page = schedule.pages[static_cast<size_t>(i) % 10];
    page.queued = false;
    planner->OnDue(hour, &schedule, &page, &host);
  }
  EXPECT_GT(host.price, planner->memory().price);
  host.planned = 0.1;
  for (int i = 0; i < 200; i++, hour += 24 * 365) {
    ScheduledPage& page = schedule.pages[static_cast<size_t>(i) % 10];
    page.queued = false;
    planner->OnDue(hour, &schedule, &page, &host);
  }
  EXPECT_EQ(host.price, 0);
}

TEST(PlannerTest, ASitemapIsVisitedAboutAsOftenAsItChanges) {
  const auto planner = *Planner::Make({.share_per_day = 0.001});  // by which a page is visited in three years
  for (const uint32_t every : {1u, 10u, 100u, 100'000u}) {
    HostSchedule schedule = {.pages = {{.name = "/sitemap.xml"}}};
    ScheduledPage& page = schedule.pages[0];
    uint32_t hour = kStart;
    planner->OnVisit({.time = SecondsOf(hour), .sitemap = true}, &schedule, &page);
    EXPECT_EQ(page.due_hour, hour + 24);
    for (int visit = 0; visit < 40; visit++) {
      const uint32_t last = std::exchange(hour, page.due_hour);
      ASSERT_TRUE(planner->OnDue(hour, &schedule, &page));
      const Outcome outcome = hour / every != last / every ? Outcome::kChanged : Outcome::kUnchanged;
      planner->OnVisit({.outcome = outcome, .time = SecondsOf(hour), .sitemap = true}, &schedule, &page);
    }
    const uint32_t expected = std::min(every, 24u * 30);
    EXPECT_GE(page.interval_hours, expected / 6) << every;
    EXPECT_LE(page.interval_hours, expected * 2) << every;
    EXPECT_FALSE(schedule.prior) << "its changes are not those of a page";
    planner->OnHint(HintSource::kSitemap, hour, &schedule, &page);
    EXPECT_LE(page.due_hour, hour + 1) << "an index says that it has changed";
  }
}

}  // namespace
}  // namespace crivello::revisit
