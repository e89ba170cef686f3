// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "cli/app.h"
#include "cli/frontier_report.h"
#include "cli/units.h"
#include "sieve/sieve_factory.h"

namespace crivello::cli {

void AddFrontierCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("frontier", "Show the queues of a collection: hosts, lengths, what waits for what");
  struct Flags {
    std::string folder;
    std::string sieve = "mercator";
    uint64_t limit = 20;
  };
  auto flags = std::make_shared<Flags>();
  command->add_option("DIR", flags->folder, "The collection, in place of that of -C");
  AddCountOption(*command, "--limit", flags->limit, "Hosts to show, those with the most URLs");
  command->add_option("--sieve", flags->sieve, "The kind of the collection's sieve")->type_name("KIND");
  command->footer(
      "Examples:\n"
      "  crivello frontier\n"
      "  crivello frontier collection --limit 100 --json");
  Runs(*command, session, [&session, flags]() -> Result<int> {
    const std::string& folder = flags->folder.empty() ? session.collection : flags->folder;
    if (!std::filesystem::is_directory(folder + "/tablets"))
      return Status::NotFound(folder + " is no collection");
    frontier::Collection::Options options;
    options.tablet.open_sieve = [&flags](const std::string& path) {
      return sieve::MakeSieve(flags->sieve, path, {.memory_bytes = 32 << 20});
    };
    CRV_ASSIGN(const auto collection, frontier::Collection::Open(folder, options));
    return PrintFrontier(session, *collection, flags->limit);
  });
}

}  // namespace crivello::cli
