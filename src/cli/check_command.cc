// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/collection.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"
#include "crawl/collection_check.h"
#include "index/index_check.h"
#include "index/table_indexer.h"

namespace crivello::cli {
namespace {

int Report(const Session& session, const crawl::CollectionCheck& check) {
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
Status CheckIndexes(crawl::CrawlStore& store, crawl::CollectionCheck* check) {
  for (const index::IndexedTablet& tablet : IndexedTablets(store)) {
    const Result<index::IndexCheck> found = index::CheckIndex(tablet.index);
    if (found.status().code() == StatusCode::kNotFound) continue;
    if (!found.ok()) return found.status();
    for (const std::string& problem : found->problems) check->Note(problem);
  }
  return Status::Ok();
}

Result<int> Check(const Session& session) {
  const auto progress = MakeProgress(session);
  crawl::CollectionCheck check;
  CRV_TRY(crawl::CheckBeforeOpening(
      session.store != nullptr ? session.store->directory() : session.collection, &check, *progress));
  Result<int> code = OnCollection(session, [&](crawl::CrawlStore& store) -> Result<int> {
    CRV_TRY(crawl::CheckFiles(store.directory(), &check, *progress));
    CRV_TRY(crawl::CheckDatabases(store, &check, *progress));
    CRV_TRY(CheckIndexes(store, &check));
    return Report(session, check);
  });
  if (code.status().code() != StatusCode::kCorruption) return code;
  // It cannot even be opened; the archive can be read all the same.
  check.Note(code.status().message());
  CRV_TRY(crawl::CheckFiles(session.collection, &check, *progress));
  return Report(session, check);
}

}  // namespace

void AddCheckCommand(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "check", "Read a whole collection and tell what is damaged: exit code 1 if anything is");
  command->footer(
      "Reads archive, sieve, database, rows, queues and index, and compares every checksum; mends "
      "nothing.\n"
      "\n"
      "Examples:\n"
      "  crivello check\n"
      "  crivello check --json | jq -r .problem");
  Runs(*command, session, [&session] { return Check(session); });
}

}  // namespace crivello::cli
