// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/civil_time.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "policy/seed.h"

namespace crivello::cli {
namespace {

struct ScheduleFlags {
  std::string url;
  bool summary = false;
};

std::string Days(uint64_t seconds) {
  return seconds < 2 * 86400 ? fmt::format("{:.1f} hours", static_cast<double>(seconds) / 3600)
                             : fmt::format("{:.1f} days", static_cast<double>(seconds) / 86400);
}

Result<int> ShowVisit(const Session& session, wire::CollectionService& service, Listener& listener,
                      const std::string& url) {
  CRV_ASSIGN(const web::Url parsed, policy::UrlAsTyped(url));
  CRV_ASSIGN(const wire::NextVisit visit, service.Ask(wire::ScheduleRequest{.url = parsed.href()}, listener));
  if (session.json) {
    Json json = {{"url", visit.url}, {"next", visit.next != 0 ? Json(FormatRfc3339(visit.next)) : Json()}};
    if (visit.scheduled) {
      json["last"] = FormatRfc3339(visit.last);
      json["interval"] = visit.interval;
      json["changes"] = visit.changes;
      json["visits"] = visit.visits;
      json["failures"] = visit.failures;
      json["reason"] = visit.reason;
    }
    PrintJson(session, json);
  } else if (!visit.scheduled) {
    session.out->Print("{} is not scheduled: no visit has brought this page\n", Printable(visit.url));
  } else {
    session.out->Print("{}\n", Printable(visit.url));
    session.out->Print("  next visit   {}\n", visit.next != 0 ? FormatRfc3339(visit.next) : "never");
    session.out->Print("  because      {}\n", Printable(visit.reason));
    session.out->Print("  interval     {}\n", Days(visit.interval));
    session.out->Print("  last visit   {}\n", FormatRfc3339(visit.last));
    session.out->Print("  visits       {}, of which {} found a change\n", visit.visits, visit.changes);
  }
  return visit.scheduled ? kDone : kNothingFound;
}

Result<int> ShowSummary(const Session& session, wire::CollectionService& service, Listener& listener) {
  CRV_ASSIGN(const wire::ScheduleSummary sum, service.Ask(wire::ScheduleSummaryRequest{}, listener));
  const double fresh = static_cast<double>(sum.fresh_per_million) / 1e6;
  const double per_day = static_cast<double>(sum.visits_per_1000_days) / 1e3;
  if (session.json) {
    Json json = {{"pages", sum.pages},        {"queued", sum.queued},     {"failing", sum.failing},
                 {"visits_per_day", per_day}, {"fresh", fresh},           {"age", sum.age_seconds},
                 {"new", sum.firsts},         {"revisits", sum.revisits}, {"changes", sum.changes}};
    if (sum.next != 0) json["next"] = FormatRfc3339(sum.next);
    PrintJson(session, json);
  } else {
    session.out->Print("pages         {} scheduled, {} in the queues, {} without a page at the last visit\n",
                       sum.pages, sum.queued, sum.failing);
    if (sum.next != 0) session.out->Print("next visit    {}\n", FormatRfc3339(sum.next));
    session.out->Print("planned       {:.{}f} visits per day\n", per_day, per_day < 10 ? 1 : 0);
    session.out->Print("current       {:.1f}% of the copies (estimate), {} old on average\n", 100 * fresh,
                       Days(sum.age_seconds));
    session.out->Print("visits so far {} of new pages, {} again, of which {} found a change\n", sum.firsts,
                       sum.revisits, sum.changes);
  }
  return sum.pages > 0 ? kDone : kNothingFound;
}

}  // namespace

void AddScheduleCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("schedule", "Show when pages are visited again, and why");
  auto flags = std::make_shared<ScheduleFlags>();
  auto* const url = command->add_option("URL", flags->url, "Page to show");
  command->add_flag("--summary", flags->summary, "Show the schedule of all pages together")->excludes(url);
  command->footer(
      "'crawl --continuous' and 'up --continuous' make these visits (docs/freshness.md).\n"
      "\n"
      "Examples:\n"
      "  crivello schedule https://example.org/\n"
      "  crivello schedule --summary --json");
  Runs(*command, session, [&session, flags]() -> Result<int> {
    if (flags->summary == !flags->url.empty())
      return Status::InvalidArgument("'schedule' needs a URL or --summary; see 'crivello schedule --help'");
    return WithService(session, [&](wire::CollectionService& service, Listener& listener) {
      return flags->summary ? ShowSummary(session, service, listener)
                            : ShowVisit(session, service, listener, flags->url);
    });
  });
}

}  // namespace crivello::cli
