// SPDX-License-Identifier: Apache-2.0
#include "collection/schedule_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/civil_time.h"
#include "web/url/row_key.h"

namespace crivello::collection {
namespace {

constexpr int64_t kHourSeconds = 3600;

std::string Span(double days) {
  if (days >= 1.5) return fmt::format("{:.0f} days", days);
  if (days >= 2.0 / 24) return fmt::format("{:.0f} hours", days * 24);
  return "hour";
}

std::string ReasonOfVisit(const PageSchedule::Page& scheduled) {
  const revisit::ScheduledPage& page = scheduled.page;
  if (page.queued) return "it was due and is in the queue of its host";
  if (page.failures > 0) {
    return page.failures == 1
               ? "its last visit brought no page, so the interval doubles"
               : fmt::format("its last {} visits brought no page, so the interval doubles each time",
                             page.failures);
  }
  if (page.hints > 0) {
    return fmt::format("{} {} said that it has changed (source: {})", page.hints,
                       page.hints == 1 ? "hint" : "hints", revisit::HintSourceName(page.hinted_by));
  }
  const double visits = page.history.visits();
  if (page.sitemap) {
    return visits < 1 ? "it is a sitemap, which was read once"
                      : fmt::format("it is a sitemap, and {:.0f} of {:.0f} later visits found it changed",
                                    page.history.changes(), visits);
  }
  if (page.probing) return "an early visit will show how often it changes";
  if (visits < 1) return "it was visited once, so the interval comes from similar pages";
  // Not the mean rate: a small chance that a page changes every hour would decide it.
  const double rate = scheduled.belief.changes.Median();
  return fmt::format("{:.0f} of {:.0f} later visits found a change, so it probably changes about every {}",
                     page.history.changes(), visits, Span(1 / std::max(rate, 1e-6)));
}

}  // namespace

Result<std::optional<NextVisit>> NextVisitOf(Collection& store, const web::Url& url) {
  CRV_ASSIGN(const std::string key, web::RowKey(url));
  CRV_ASSIGN(const Tablet* const tablet, store.TabletOfHost(url.hostname()));
  CRV_ASSIGN(const auto scheduled, tablet->schedule().Find(key));
  if (!scheduled) return std::optional<NextVisit>();
  const revisit::ScheduledPage& page = scheduled->page;
  CRV_ASSIGN(const std::vector<store::Row> rows, tablet->table().Get(key));
  const auto ends = rows.empty() ? std::nullopt : rows.front().fetch.unavailable_after;
  const bool ended = ends && rows.front().fetch.IsUnavailable(ToSeconds(SystemClock().Wall()));
  return std::optional(NextVisit{
      .next = ended ? 0 : page.due_hour * kHourSeconds,
      .last = page.last_hour * kHourSeconds,
      .interval = uint64_t{page.interval_hours} * kHourSeconds,
      .visits = static_cast<uint64_t>(std::lround(page.history.visits())) + 1,
      .changes = static_cast<uint64_t>(std::lround(page.history.changes())),
      .failures = page.failures,
      .reason = ended ? fmt::format("the page asks not to be shown after {} (unavailable_after)",
                                    FormatRfc3339(*ends))
                      : ReasonOfVisit(*scheduled),
  });
}

Result<Freshness> MeasureFreshness(Collection& store, WallTime now, const FreshnessOptions& options) {
  Freshness all;
  const auto hour = static_cast<uint32_t>(std::max<int64_t>(ToSeconds(now), 0) / kHourSeconds);
  for (Tablet* const tablet : store.tablets()) {
    const PageSchedule& schedule = tablet->schedule();
    const ScheduleStats stats = schedule.stats();
    all.schedule.pages += stats.pages;
    all.schedule.blocks += stats.blocks;
    all.schedule.queued += stats.queued;
    all.schedule.failing += stats.failing;
    all.schedule.planned += stats.planned;
    all.schedule.firsts += stats.firsts;
    all.schedule.revisits += stats.revisits;
    all.schedule.changes += stats.changes;
    CRV_ASSIGN(const std::optional<uint32_t> first, schedule.FirstDueHour());
    if (first) all.next = std::min(all.next.value_or(INT64_MAX), *first * kHourSeconds);
    const revisit::RateBelief web = schedule.memory().web;
    uint64_t blocks = 0;
    const auto look = [&](const PageSchedule::BlockView& block) {
      const revisit::RateBelief& prior = block.schedule.prior ? *block.schedule.prior : web;
      for (const revisit::ScheduledPage& page : block.schedule.pages) {
        if (page.failures > 0) continue;
        const double days = static_cast<double>(std::max(hour, page.last_hour) - page.last_hour) / 24;
        all.sampled++;
        all.fresh += prior.After(page.history).StillFresh(days);
        all.age_days += days;
      }
      return ++blocks < options.most_blocks;
    };
    // Row keys begin with the letters of a domain, so a place among them is one of those.
    const char from = static_cast<char>('a' + options.place % 26);
    const bool all_of_it = options.most_blocks >= stats.blocks;
    CRV_TRY(schedule.ForEachBlock(look, all_of_it ? std::string_view() : std::string_view(&from, 1)));
    if (blocks == 0 && !all_of_it) CRV_TRY(schedule.ForEachBlock(look));
  }
  if (all.sampled > 0) {
    all.fresh /= static_cast<double>(all.sampled);
    all.age_days /= static_cast<double>(all.sampled);
  }
  if (all.schedule.planned > 0)
    all.every_days = static_cast<double>(all.schedule.pages) / all.schedule.planned;
  return all;
}

}  // namespace crivello::collection
