// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include "care/collection_check.h"
#include "care/repair.h"
#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "engine/engine.h"
#include "engine/stored_index.h"
#include "index/segments/index_check.h"
#include "jobs/links/link_inverter.h"

namespace crivello::cli {
namespace {

int ReportCheck(const Session& session, const care::CollectionCheck& check) {
  const store::StoreCheck& store = check.store;
  if (session.json) {
    for (const std::string& sentence : store.sentences) PrintJson(session, {{"problem", sentence}});
    PrintJson(session, {{"files", store.files},
                        {"records", store.records},
                        {"rows", store.rows},
                        {"hosts", check.hosts},
                        {"queued", check.queued},
                        {"problems", store.problems}});
  } else {
    for (const std::string& sentence : store.sentences) fmt::print(session.out, "{}\n", Printable(sentence));
    if (store.problems > store.sentences.size()) {
      fmt::print(session.out, "and {} more\n", Grouped(store.problems - store.sentences.size()));
    }
    fmt::print(
        session.out, "{} records in {} archive files, {} versions of rows, {} URLs queued on {} hosts: {}\n",
        Grouped(store.records), Grouped(store.files), Grouped(store.rows), Grouped(check.queued),
        Grouped(check.hosts), store.problems == 0 ? "no damage" : Grouped(store.problems) + " problems");
  }
  return store.problems == 0 ? kDone : kNothingFound;
}

// The index of each tablet, if there is one.
Status CheckIndexes(collection::Collection& store, care::CollectionCheck* check) {
  for (const index::IndexedTablet& tablet : engine::IndexedTablets(store)) {
    const Result<index::IndexCheck> found = index::CheckIndex(tablet.index);
    if (found.status().code() == StatusCode::kNotFound) continue;
    if (!found.ok()) return found.status();
    for (const std::string& problem : found->problems) check->Note(problem);
  }
  return Status::Ok();
}

// The links file of each tablet, if there is one.
Status CheckLinks(collection::Collection& store, care::CollectionCheck* check) {
  for (const jobs::LinkTablet& tablet : jobs::LinkTabletsOf(store)) {
    const Status found = jobs::CheckLinksOf(tablet);
    if (found.code() == StatusCode::kCorruption) {
      check->Note(found.message());
    } else if (found.code() != StatusCode::kNotFound) {
      CRV_TRY(found);
    }
  }
  return Status::Ok();
}

Result<int> Check(const Session& session) {
  const auto progress = MakeProgress(session);
  care::CollectionCheck check;
  CRV_TRY(care::CheckBeforeOpening(
      session.owner != nullptr ? session.owner->collection().directory() : session.collection, &check,
      *progress));
  Result<int> code = OnCollection(session, [&](collection::Collection& store) -> Result<int> {
    CRV_ASSIGN(const auto turn, store.care().Take());
    CRV_TRY(care::CheckFiles(store.directory(), &check, *progress));
    CRV_TRY(care::CheckDatabases(store, &check, *progress));
    CRV_TRY(CheckIndexes(store, &check));
    CRV_TRY(CheckLinks(store, &check));
    return ReportCheck(session, check);
  });
  if (code.status().code() != StatusCode::kCorruption) return code;
  // It cannot even be opened; the archive can be read all the same.
  check.Note(code.status().message());
  CRV_TRY(care::CheckFiles(session.collection, &check, *progress));
  return ReportCheck(session, check);
}

Result<int> Repair(const Session& session) {
  if (session.owner != nullptr) {
    return Status::InvalidArgument(fmt::format("{} is in use by process {}: stop it first",
                                               session.owner->collection().directory(), getpid()));
  }
  // Through no owner: what is damaged is not to be written to meanwhile.
  CRV_ASSIGN(const int found, Check(session));
  if (found == kDone) return kDone;
  const auto progress = MakeProgress(session);
  engine::StoredIndex index(session.collection);  // as that of the damaged collection
  CRV_ASSIGN(const care::RepairSummary summary,
             care::Repair(session.collection, {.index = &index}, *progress));
  if (session.json) {
    for (const std::string& sentence : summary.sentences) PrintJson(session, {{"lost", sentence}});
    PrintJson(session, {{"repaired", true},
                        {"records", summary.records},
                        {"versions", summary.versions},
                        {"damaged_places", summary.damaged},
                        {"without_body", summary.bodiless},
                        {"lost", {"queue", "sieve", "ledger", "robots", "pages never archived"}},
                        {"old", summary.old}});
    return kDone;
  }
  for (const std::string& sentence : summary.sentences) fmt::print(session.out, "{}\n", Printable(sentence));
  fmt::print(
      session.out,
      "Rebuilt from the archive: {} versions of pages, of {} records; index included if there was one.\n"
      "Lost: the queue and what was seen (a crawl goes on from the seeds, and asks of each page whether it\n"
      "has changed), the ledger of decisions, robots.txt of hosts, documents that were imported without an\n"
      "archive",
      Grouped(summary.versions), Grouped(summary.records));
  if (summary.damaged > 0) fmt::print(session.out, ", {} damaged places", Grouped(summary.damaged));
  if (summary.bodiless > 0) fmt::print(session.out, ", {} copies without body", Grouped(summary.bodiless));
  fmt::print(session.out, ".\nThe collection as it was is {}: remove it when you are content.\n",
             Printable(summary.old));
  return kDone;
}

}  // namespace

void AddCheckCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "check", "Read a whole collection and tell what is damaged: exit code 1 if anything is");
  auto repair = std::make_shared<bool>(false);
  command->add_flag("--repair", *repair, "If anything is damaged, rebuild table and index from the archive");
  command->footer(
      "Reads archive, sieve, database, rows, queues, index and links, and compares every checksum; mends "
      "nothing\n"
      "unless it is told to (docs/care.md).\n"
      "\n"
      "Examples:\n"
      "  crivello check\n"
      "  crivello check --json | jq -r .problem");
  Runs(*command, session, [&session, repair] { return *repair ? Repair(session) : Check(session); });
}

}  // namespace crivello::cli
