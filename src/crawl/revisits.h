// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "collection/collection.h"
#include "collection/page_schedule.h"
#include "frontier/frontier.h"
#include "frontier/host_state.h"
#include "frontier/politeness.h"
#include "revisit/hints.h"
#include "revisit/planner.h"

namespace crivello::crawl {

struct RevisitOptions {
  bool continuous = false;  // visit pages again when they are due
  revisit::PlannerOptions planner = {};
  // The share of the visits that may be revisits while new pages wait; 1: all.
  double share = 0.5;
};

// A hint that a page has changed.
struct PageHint {
  std::string url = {};  // canonical
  revisit::HintSource source = revisit::HintSource::kFeed;
  WallTime time{};
};

// The state of revisits, over all tablets.
struct RevisitStats {
  bool continuous = false;
  std::string policy = {};
  collection::ScheduleStats schedule = {};
  double budget = 0;  // visits a day
  double price = 0;
};

// Connects the schedules of the tablets with the queues.  Pages that are due move from the calendar to the
// queue of their host in one batch, so a crash neither loses nor duplicates one.
//
// The budget limits the number of revisits a day.  New and old pages then compete for two things.
//
//   The time of a host.  In the queue of its host, a revisit comes before new pages.  So each host gets only
//   as many revisits as its delay allows: one every `delay` or, while new pages of the host wait, one every
//   `delay / share`.  It gets those of an hour together, and at least one.
//
//   The connections of the crawl.  While new pages wait in the queues, each committed new page allows
//   share / (1 - share) revisits.  If new pages wait, but none was committed for a quarter of an hour in
//   which no revisit was queued, their hosts hold them up, and only the time of the hosts counts.
//
// The planner gets the same limit for each host.  If the pages of a host are worth more visits than that,
// visits to it have a price of their own.
//
// Memory: 40 bytes for each host that has had its revisits for some time ahead, at most kMostHosts of them.
// Beyond that, hosts are forgotten and may get revisits earlier.
//
// The scheduler's thread calls Release(); everything else is thread-safe.
class Revisits {
 public:
  // The priority class of revisits in the queue of their host.
  static constexpr uint8_t kPriority = 0;

  static Result<std::unique_ptr<Revisits>> Make(collection::Collection& store, const Clock& clock,
                                                const RevisitOptions& options,
                                                const frontier::PolitenessOptions& politeness = {});

  revisit::Planner& planner() { return *planner_; }
  bool continuous() const { return options_.continuous; }

  // Adds pages of the table that are not scheduled yet: imported ones, and those of a collection that is
  // older than its schedule.  Reads all rows if there may be some.
  Status EnterRows();
  // The same for one tablet.
  Status EnterRowsOf(collection::Tablet& tablet);
  // A tablet came or is about to go, while nobody else uses this.
  void Join(const collection::Tablet& tablet);
  void Leave(const collection::Tablet& tablet);
  // Queues durably what is due, within the budget, and returns whether it queued anything.  REQUIRES: this
  // thread is not in the middle of a change of queues.
  Result<bool> Release(frontier::Frontier& frontier);
  // When to call it again, unless a hint comes; nothing: never.
  std::optional<MonotonicTime> again() const { return again_; }

  // Records hints, and returns those about pages that are not scheduled because they were never visited.
  Result<std::vector<PageHint>> Take(std::span<const PageHint> hints);

  RevisitStats stats() const;  // reads nothing from the disk

 private:
  static constexpr size_t kMostHosts = 1 << 16;

  Revisits(collection::Collection& store, const Clock& clock, const RevisitOptions& options,
           const frontier::PolitenessOptions& politeness, std::unique_ptr<revisit::Planner> planner)
      : store_(store),
        clock_(clock),
        options_(options),
        politeness_(politeness),
        planner_(std::move(planner)) {}

  using HostView = collection::PageSchedule::Change::HostView;
  // The hours of its host that a revisit takes; zero: a negligible time.  Infinite: the host gets no
  // revisits.
  double HoursOfRevisit(const frontier::HostState& host) const;
  HostView ViewOf(uint64_t hash, const frontier::HostState& host, MonotonicTime now) const;
  void HasGiven(uint64_t hash, double hours, MonotonicTime now);

  // The number of revisits that may be queued now.
  uint64_t Allowed(MonotonicTime now);
  Result<uint64_t> ReleaseTablet(uint32_t tablet, uint32_t hour, uint64_t limit,
                                 frontier::Frontier& frontier);
  collection::ScheduleStats Sum() const;

  collection::Collection& store_;
  const Clock& clock_;
  const RevisitOptions options_;
  const frontier::PolitenessOptions politeness_;
  const std::unique_ptr<revisit::Planner> planner_;

  std::atomic<bool> news_ = false;  // hints came since the last Release()
  // Of Release().
  std::optional<MonotonicTime> again_ = MonotonicTime();
  std::optional<MonotonicTime> refilled_;
  double tokens_ = 1;                                  // visits that the budget allows now
  double credit_ = 1;                                  // visits that the share allows now
  uint64_t firsts_ = 0;                                // new pages committed, when credit_ was raised
  MonotonicTime progress_{};                           // when the last of these came, or a revisit was queued
  std::unordered_map<uint64_t, MonotonicTime> given_;  // until when hosts have had their revisits
};

}  // namespace crivello::crawl
