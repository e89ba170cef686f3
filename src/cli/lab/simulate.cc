// SPDX-License-Identifier: Apache-2.0
#include "cli/lab/simulate.h"

#include <fmt/format.h>

#include <limits>

#include "base/process_usage.h"
#include "base/scratch_folder.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/units.h"
#include "collection/collection.h"

namespace crivello::cli {
namespace {

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

void PrintSimulation(const Session& session, const frontier::SimulationReport& report,
                     const frontier::FrontierStats& counts, double cpu_seconds) {
  const double seconds = Seconds(report.time);
  const double rate = seconds > 0 ? static_cast<double>(report.requests) / seconds : 0;
  const auto seconds_of = [](const std::optional<Duration>& duration) {
    return duration ? Json(Seconds(*duration)) : Json(nullptr);
  };
  const bool polite = report.least_host_slack.value_or(Duration()) >= Duration() &&
                      report.least_address_slack.value_or(Duration()) >= Duration();
  Json line = {{"event", "done"},
               {"pages", report.pages},
               {"bytes", report.bytes},
               {"seconds", seconds},
               {"cpu_seconds", cpu_seconds},
               {"finished", report.finished},
               {"requests", report.requests},
               {"requests_per_second", rate},
               {"robots", report.robots},
               {"refused", report.refused},
               {"failed", report.failed},
               {"hosts", report.hosts},
               {"given_up", counts.given_up},
               {"polite", polite},
               {"least_host_distance", seconds_of(report.least_host_distance)},
               {"least_host_slack", seconds_of(report.least_host_slack)},
               {"least_address_distance", seconds_of(report.least_address_distance)},
               {"least_address_slack", seconds_of(report.least_address_slack)},
               {"out_of_order", report.out_of_order},
               {"twice", report.twice},
               {"memory", report.most_memory_bytes},
               {"queued", counts.queued_urls}};
  if (session.json) return PrintJson(session, line);
  const auto distance = [](const std::optional<Duration>& least, const std::optional<Duration>& slack) {
    if (!least) return std::string("fewer than two requests");
    return fmt::format("at least {:.3f} s, {:.3f} s more than required", Seconds(*least), Seconds(*slack));
  };
  Table table({{"simulated crawl"}, {""}});
  table.Row({"simulated time", fmt::format("{:.1f} h", seconds / 3600)});
  table.Row({"CPU time", fmt::format("{:.2f} s", cpu_seconds)});
  table.Row({"ended", report.finished ? "all done" : "stopped with URLs left"});
  table.Row({"requests", Grouped(report.requests)});
  table.Row({"rate", fmt::format("{:.2f} requests/s", rate)});
  table.Row({"pages done", Grouped(report.pages)});
  table.Row({"refused by robots.txt", Grouped(report.refused)});
  table.Row({"requests for robots.txt", Grouped(report.robots)});
  table.Row({"requests that failed", Grouped(report.failed)});
  table.Row({"hosts asked", Grouped(report.hosts)});
  table.Row({"hosts given up", Grouped(counts.given_up)});
  table.Row({"URLs still queued", Grouped(counts.queued_urls)});
  table.Row({"between requests to a host", distance(report.least_host_distance, report.least_host_slack)});
  table.Row({"between requests to an address",
             distance(report.least_address_distance, report.least_address_slack)});
  table.Row({"pages done twice", Grouped(report.twice)});
  table.Row({"out of order in their host", Grouped(report.out_of_order)});
  table.Row({"memory of the frontier", FormatSize(report.most_memory_bytes)});
  session.out->Print("{}", table.ToString());
}

}  // namespace

void AddSimulateFlags(CLI::App& command, SimulateFlags& flags) {
  command
      .add_option_function<uint64_t>(
          "--simulate", [&flags](const uint64_t& seed) { flags.seed = seed; },
          "Crawl a simulated web, generated from this number, on a simulated clock; uses no network and no "
          "collection")
      ->check(Natural())
      ->type_name("SEED")
      ->group("Simulation");
  AddCountOption(command, "--hosts", flags.hosts, "Number of hosts of the simulated web")
      ->group("Simulation");
  AddCountOption(command, "--pages", flags.pages, "Number of pages of the simulated web")
      ->group("Simulation");
}

Result<int> Simulate(const Session& session, const SimulateFlags& flags, const SimulateOptions& options) {
  if (flags.hosts == 0 || flags.hosts > 1u << 24 || flags.pages == 0)
    return Status::InvalidArgument("a simulated web needs 1 to 16777216 hosts and at least one page");
  // In memory: on disk, a month of simulated flushes would take minutes.
  CRV_ASSIGN(const ScratchFolder scratch,
             ScratchFolder::Create({.prefix = "crivello-simulation-", .in_memory = true}));
  collection::CollectionOptions collection_options;
  collection_options.directory = scratch.path();
  collection_options.with_archive = false;
  collection_options.tablets = options.tablets;
  collection_options.sieve = options.sieve;
  collection_options.work = collection::MemoryPlan::Work::kCrawl;
  collection_options.memory_bytes = options.memory_bytes;
  CRV_ASSIGN(const auto collection, collection::Collection::Open(collection_options));
  const frontier::Tablets tablets = collection->Frontier();
  const frontier::SimulatedWeb web(
      {.seed = *flags.seed, .hosts = static_cast<uint32_t>(flags.hosts), .pages = flags.pages});
  ManualClock clock(WallTime(std::chrono::hours(24 * 365 * 56)));
  frontier::SimulationJudge judge(options.simulation.frontier.politeness);
  frontier::SimulationOptions simulation_options = options.simulation;
  simulation_options.frontier.memory_bytes = collection->memory().frontier;
  simulation_options.frontier.sync = false;
  const double before = CpuSeconds();
  CRV_ASSIGN(const auto simulation,
             frontier::Simulation::Open(tablets, web, clock, judge, simulation_options));
  CRV_TRY(simulation->Begin());
  CRV_TRY(simulation->Run());
  PrintSimulation(session, judge.report(), simulation->frontier().Stats(), CpuSeconds() - before);
  return kDone;
}

}  // namespace crivello::cli
