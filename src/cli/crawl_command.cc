// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"
#include "cli/simulate.h"
#include "cli/units.h"

namespace crivello::cli {

void AddCrawlCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("crawl", "Crawl a simulated web, to see how a crawl would go");
  struct Flags {
    SimulateFlags web;
    SimulateOptions options;
    uint64_t tablets = 1;
    uint64_t connections = 1000;
  };
  auto flags = std::make_shared<Flags>();
  frontier::SimulationOptions& simulation = flags->options.simulation;
  AddSimulateFlags(*command, flags->web);
  AddDurationOption(*command, "--max-time", simulation.time, "Stop after so much simulated time");
  AddCountOption(*command, "--max-pages", simulation.frontier.budget.pages, "Stop after so many pages");
  AddDurationOption(*command, "--delay", simulation.frontier.politeness.host_delay,
                    "Between requests to one host");
  AddDurationOption(*command, "--ip-delay", simulation.frontier.politeness.address_delay,
                    "Between requests to one address");
  command
      ->add_option(
          "--proportion", simulation.frontier.politeness.proportion,
          "Fetch from a host for a second, then rest so that this is the proportion; 0: by delay alone")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("P");
  AddCountOption(*command, "--connections", flags->connections, "Requests at a time");
  AddCountOption(*command, "--tablets", flags->tablets, "Tablets: a power of two");
  command->add_option("--sieve", flags->options.sieve, "How to know a URL again: mercator, memory, ...")
      ->type_name("KIND");
  AddSizeOption(*command, "--memory", simulation.frontier.memory_bytes, "For the hosts that are awake");
  command->footer(
      "Examples:\n"
      "  crivello crawl --simulate 1\n"
      "  crivello crawl --simulate 7 --hosts 20k --pages 1M --tablets 4 --json");
  Runs(*command, session, [&session, flags]() -> Result<int> {
    if (!flags->web.seed) return Status::InvalidArgument("crawl: --simulate SEED is missing");
    if (flags->tablets == 0 || flags->tablets > 4096 || flags->connections == 0 ||
        flags->connections > 1000000)
      return Status::InvalidArgument("crawl: --tablets is 1 to 4096, --connections 1 to 1000000");
    flags->options.tablets = static_cast<uint32_t>(flags->tablets);
    flags->options.simulation.connections = static_cast<uint32_t>(flags->connections);
    return Simulate(session, flags->web, flags->options);
  });
}

}  // namespace crivello::cli
