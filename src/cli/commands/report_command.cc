// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/commands/crawl_report.h"

namespace crivello::cli {

void AddReportCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("report", "Summarise a crawl: the outcome of each seed and each host");
  auto csv = std::make_shared<bool>(false);
  command->add_flag("--csv", *csv, "Print hosts as CSV");
  command->footer("Examples:\n  crivello report\n  crivello report --csv > hosts.csv");
  Runs(*command, session, [&session, csv] {
    return WithService(session, [&](wire::CollectionService& service, Listener& listener) {
      return PrintReport(session, service, listener, {.csv = *csv});
    });
  });
}

}  // namespace crivello::cli
