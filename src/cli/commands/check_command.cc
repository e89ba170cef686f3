// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "care/repair.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "engine/collection_access.h"
#include "engine/local_service.h"
#include "engine/stored_index.h"
#include "wire/remote_service.h"

namespace crivello::cli {
namespace {

int ReportCheck(const Session& session, const wire::CheckSummary& check) {
  if (session.json) {
    for (const std::string& sentence : check.sentences) PrintJson(session, {{"problem", sentence}});
    PrintJson(session, {{"files", check.files},
                        {"records", check.records},
                        {"rows", check.rows},
                        {"hosts", check.hosts},
                        {"queued", check.queued},
                        {"problems", check.problems}});
  } else {
    for (const std::string& sentence : check.sentences) session.out->Print("{}\n", Printable(sentence));
    if (check.problems > check.sentences.size()) {
      session.out->Print("and {} more\n", Grouped(check.problems - check.sentences.size()));
    }
    session.out->Print(
        "{} records in {} archive files, {} versions of rows, {} URLs queued on {} hosts: {}\n",
        Grouped(check.records), Grouped(check.files), Grouped(check.rows), Grouped(check.queued),
        Grouped(check.hosts), check.problems == 0 ? "no damage" : Grouped(check.problems) + " problems");
  }
  return check.problems == 0 ? kDone : kNothingFound;
}

// Damage must be looked for before opening; if another process has the collection open, that one checks it.
Result<int> Check(const Session& session) {
  SessionListener listener(session);
  auto check = engine::CheckUnopened(session.collection, listener);
  if (check.status().code() == StatusCode::kUnavailable) {
    const auto owner = wire::RemoteService::Connect(engine::SocketPath(session.collection), {});
    if (!owner.ok()) return check.status();
    check = (*owner)->Ask(wire::CheckRequest(), listener);
  }
  if (!check.ok()) return check.status();
  return ReportCheck(session, *check);
}

Result<int> Repair(const Session& session) {
  // Never beside another process: a damaged collection must not be written to meanwhile.
  SessionListener listener(session);
  CRV_ASSIGN(const wire::CheckSummary check, engine::CheckUnopened(session.collection, listener));
  const int found = ReportCheck(session, check);
  if (found == kDone) return kDone;
  const auto progress = MakeProgress(session);
  engine::StoredIndex index(session.collection);  // with the settings of the damaged collection's index
  CRV_ASSIGN(const care::RepairSummary summary,
             care::Repair(session.collection, {.index = &index}, *progress));
  if (session.json) {
    for (const std::string& sentence : summary.sentences) PrintJson(session, {{"lost", sentence}});
    PrintJson(session, {{"repaired", true},
                        {"records", summary.records},
                        {"versions", summary.versions},
                        {"damaged_places", summary.damaged},
                        {"without_body", summary.bodiless},
                        {"copied", summary.copied},
                        {"lost", {"ledger", "robots", "depths", "feeds"}},
                        {"old", summary.old}});
    return kDone;
  }
  for (const std::string& sentence : summary.sentences) session.out->Print("{}\n", Printable(sentence));
  session.out->Print(
      "Rebuilt from the archive: {} versions of pages from {} records, and the index if there was one.\n"
      "Copied from the old table: {} versions that were never archived.\n"
      "The next crawl queues again what these pages link to and what they do not include.\n"
      "Lost: the ledger of decisions, robots.txt of hosts, the depth of pages, the list of feeds",
      Grouped(summary.versions), Grouped(summary.records), Grouped(summary.copied));
  if (summary.damaged > 0) session.out->Print(", {} damaged places", Grouped(summary.damaged));
  if (summary.bodiless > 0) session.out->Print(", {} copies without body", Grouped(summary.bodiless));
  session.out->Print(".\nThe collection as it was is {}: remove it when you are content.\n",
                     Printable(summary.old));
  return kDone;
}

}  // namespace

void AddCheckCommand(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("check", "Verify a collection and report damage (exit code 1 if there is any)");
  auto repair = std::make_shared<bool>(false);
  command->add_flag("--repair", *repair, "If there is damage, rebuild table and index from the archive");
  command->footer(
      "Reads archive, sieve, database, rows, queues, index and links, and verifies every checksum. Changes "
      "nothing\n"
      "without --repair (docs/care.md).\n"
      "\n"
      "Examples:\n"
      "  crivello check\n"
      "  crivello check --json | jq -r .problem");
  Runs(*command, session, [&session, repair] { return *repair ? Repair(session) : Check(session); });
}

}  // namespace crivello::cli
