// SPDX-License-Identifier: Apache-2.0
#include "care/rederive.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"

namespace crivello::cli {
namespace {

Result<int> RunRederive(const Session& session, bool all) {
  CRV_ASSIGN(const std::unique_ptr<collection::Collection> store, OpenExisting(session));
  const auto progress = MakeProgress(session);
  CRV_ASSIGN(const care::RederiveSummary summary, care::Rederive(*store, {.all = all}, *progress));
  if (session.json) {
    for (const std::string& sentence : summary.sentences) PrintJson(session, {{"problem", sentence}});
    PrintJson(session,
              {{"versions", summary.versions}, {"remade", summary.remade}, {"failed", summary.failed}});
  } else {
    for (const std::string& sentence : summary.sentences) session.err->Print("{}\n", Printable(sentence));
    session.out->Print("{} of {} versions of pages processed again", Grouped(summary.remade),
                       Grouped(summary.versions));
    if (summary.failed > 0) {
      session.out->Print("; {} left unchanged because their records cannot be read", Grouped(summary.failed));
    }
    session.out->Print("\n");
  }
  return summary.failed == 0 ? kDone : kNothingFound;
}

}  // namespace

void AddRederiveCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("rederive", "Extract text, links and digests of all pages again from the archive");
  auto all = std::make_shared<bool>(false);
  command->add_flag("--all", *all, "Include pages that this version of the program has already processed");
  command->footer(
      "Use it after an upgrade that extracts text better. Use it with --all after a crawl: the program then "
      "knows what\n"
      "is repeated on every page of a site.\n"
      "\n"
      "Examples:\n"
      "  crivello rederive\n"
      "  crivello rederive --all");
  Runs(*command, session, [&session, all] { return RunRederive(session, *all); });
}

}  // namespace crivello::cli
