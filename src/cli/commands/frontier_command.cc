// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/commands/frontier_report.h"
#include "cli/units.h"

namespace crivello::cli {

void AddFrontierCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "frontier", "Show the queues of a collection: hosts, lengths, and what each host waits for");
  auto limit = std::make_shared<uint64_t>(20);
  AddCountOption(*command, "--limit", *limit, "Number of hosts to show, longest queues first");
  command->footer(
      "Examples:\n"
      "  crivello frontier\n"
      "  crivello -C collection frontier --limit 100 --json");
  Runs(*command, session, [&session, limit] {
    return WithService(session, [&](wire::CollectionService& service, Listener& listener) -> Result<int> {
      CRV_ASSIGN(const wire::Queues queues, service.Ask(wire::QueuesRequest{.limit = *limit}, listener));
      PrintFrontier(session, queues);
      return kDone;
    });
  });
}

}  // namespace crivello::cli
