// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"
#include "cli/commands/crawl_run.h"
#include "cli/config/crawl_flags.h"
#include "cli/lab/simulate.h"

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
  // Time is the simulation's own.
  if (options.budget.time != Duration::zero()) simulate.simulation.time = options.budget.time;
  simulate.simulation.frontier.budget.time = {};
  simulate.simulation.connections = options.connections;
  if (options.tablets != 0) simulate.tablets = options.tablets;
  if (!options.sieve.empty()) simulate.sieve = options.sieve;
  simulate.memory_bytes = options.memory_bytes;
  return Simulate(session, web, simulate);
}

Result<int> Crawl(const Session& session, const CrawlCommandFlags& flags) {
  CRV_ASSIGN(crawl::CrawlOptions options, FinishCrawlOptions(flags.crawl));
  if (flags.web.seed) return SimulatedCrawl(session, options, flags.web);
  CRV_ASSIGN(options.contact, Contact(session, options));
  return RunCrawl(session, std::move(options));
}

}  // namespace

void AddCrawlCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("crawl", "Crawl into the collection; goes on where it stopped");
  auto flags = std::make_shared<CrawlCommandFlags>();
  AddCrawlFlags(*command, flags->crawl);
  AddSimulateFlags(*command, flags->web);
  command->footer(
      "Makes a missing collection. Obeys robots.txt. Ctrl-C stops in order, twice at once; the same command "
      "goes on.\n"
      "\n"
      "Examples:\n"
      "  crivello crawl https://example.org/ --contact me@example.org\n"
      "  crivello crawl --seeds seeds.txt --scope domain --max-pages 10k --max-depth 5\n"
      "  crivello crawl example.org --filter 'schedule=not path_ends_with(.zip)' --delay 10s\n"
      "  crivello crawl --simulate 7 --hosts 20k --pages 1M --tablets 4 --json");
  Runs(*command, session, [&session, flags] { return Crawl(session, *flags); });
}

}  // namespace crivello::cli
