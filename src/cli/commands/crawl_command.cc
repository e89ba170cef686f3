// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "cli/app.h"
#include "cli/commands/crawl_run.h"
#include "cli/config/crawl_flags.h"
#include "cli/lab/simulate.h"
#include "policy/filter.h"

namespace crivello::cli {
namespace {

struct CrawlCommandFlags {
  CrawlFlags crawl;
  SimulateFlags web;
};

Result<int> SimulatedCrawl(const Session& session, const crawl::CrawlOptions& options,
                           const SimulateFlags& web) {
  SimulateOptions simulate;
  simulate.simulation.frontier.politeness = options.politeness;
  simulate.simulation.frontier.budget = options.budget;
  // The time limit applies to the simulated time.
  if (options.budget.time != Duration::zero()) simulate.simulation.time = options.budget.time;
  simulate.simulation.frontier.budget.time = {};
  simulate.simulation.connections = options.connections;
  if (options.tablets != 0) simulate.tablets = options.tablets;
  if (!options.sieve.empty()) simulate.sieve = options.sieve;
  simulate.memory_bytes = options.memory_bytes;
  return Simulate(session, web, simulate);
}

Result<int> Crawl(const Session& session, const CrawlCommandFlags& flags) {
  CRV_ASSIGN(crawl::CrawlOptions options, FinishCrawlOptions(session, flags.crawl));
  WarnOfSeedsOnly(session, options);
  if (flags.web.seed) return SimulatedCrawl(session, options, flags.web);
  CRV_ASSIGN(options.contact, Contact(session, options));
  return RunCrawl(session, std::move(options));
}

// The predicates of --filter, from the table that its parser uses.
std::string PredicatesHelp() {
  using policy::FilterPoint;
  std::vector<std::string_view> known;
  std::string text = "Predicates of --filter (docs/filters.md):\n";
  for (const FilterPoint point :
       {FilterPoint::kFetch, FilterPoint::kSchedule, FilterPoint::kParse, FilterPoint::kStore}) {
    std::vector<std::string_view> more;
    for (const std::string_view name : policy::Filter::PredicateNames(point)) {
      if (std::find(known.begin(), known.end(), name) == known.end()) more.push_back(name);
    }
    known.insert(known.end(), more.begin(), more.end());
    const std::string_view where = point == FilterPoint::kFetch      ? "at every point"
                                   : point == FilterPoint::kSchedule ? "schedule only"
                                   : point == FilterPoint::kParse    ? "parse, follow, store"
                                                                     : "follow, store";
    std::string line = fmt::format("  {}:", where);
    for (const std::string_view name : more) {
      if (line.size() + name.size() > 78) {
        text += line + "\n";
        line = "   ";
      }
      line += fmt::format(" {}", name);
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace

void AddCrawlCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("crawl", "Crawl into the collection; resumes where it stopped");
  auto flags = std::make_shared<CrawlCommandFlags>();
  AddCrawlFlags(*command, flags->crawl);
  AddSimulateFlags(*command, flags->web);
  command->footer(
      "Creates the collection if it does not exist. Obeys robots.txt. Ctrl-C stops cleanly; press it twice "
      "to\n"
      "stop immediately. The same command resumes. Exit code 4: no seed could be fetched, or the disk is "
      "full.\n"
      "\n" +
      PredicatesHelp() +
      "\n"
      "Examples:\n"
      "  crivello crawl https://example.org/ --contact me@example.org\n"
      "  crivello crawl --seeds seeds.txt --scope domain --max-pages 10k --max-depth 5\n"
      "  crivello crawl example.org --filter 'schedule=not path_ends_with(.zip)' --delay 10s\n"
      "  crivello crawl --simulate 7 --hosts 20k --pages 1M --tablets 4 --json");
  Runs(*command, session, [&session, flags] { return Crawl(session, *flags); });
}

}  // namespace crivello::cli
