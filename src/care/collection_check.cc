// SPDX-License-Identifier: Apache-2.0
#include "care/collection_check.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file_format.h"
#include "care/archive_against_rows.h"
#include "dedup/seen_texts.h"
#include "frontier/host_queues.h"
#include "frontier/queue_check.h"
#include "kv/file_check.h"
#include "policy/seed.h"
#include "policy/traps.h"
#include "sieve/sieve_check.h"

namespace crivello::care {
namespace {

Result<std::vector<std::string>> TabletFolders(const std::string& directory) {
  CRV_ASSIGN(const web::TabletMap map, collection::Collection::ListTablets(directory));
  std::vector<std::string> folders;
  for (uint32_t slot = 0; slot < map.size(); ++slot) {
    folders.push_back(collection::Collection::TabletDirectory(directory, map.id(slot)));
  }
  return folders;
}

// Notes corruption, which a check looks for; other errors stop it.
Status Noted(const Status& status, CollectionCheck* check) {
  if (status.code() != StatusCode::kCorruption) return status;
  check->Note(status.message());
  return Status::Ok();
}

}  // namespace

Status CheckBeforeOpening(const std::string& directory, CollectionCheck* check, Progress& progress) {
  CRV_ASSIGN(const std::vector<std::string> tablets, TabletFolders(directory));
  const auto note = [check](std::string sentence) { check->Note(std::move(sentence)); };
  progress.Start("reading logs and sieves", tablets.size());
  for (const std::string& tablet : tablets) {
    CRV_TRY(Noted(collection::TabletJournal::Check(tablet + "/commits"), check));
    CRV_TRY(kv::CheckLogFiles(tablet + "/db", note));
    CRV_TRY(sieve::CheckSieveFiles(tablet + "/sieve", note));
    progress.Advance(1);
  }
  progress.Finish();
  return Status::Ok();
}

Status CheckFiles(const std::string& directory, CollectionCheck* check, Progress& progress) {
  CRV_ASSIGN(const std::vector<std::string> tablets, TabletFolders(directory));
  std::error_code error;
  for (const std::string& tablet : tablets) {
    const std::string archive = tablet + "/archive";
    if (std::filesystem::exists(archive, error))
      CRV_TRY(store::CheckArchive(archive, &check->store, progress));
  }
  for (const auto& [name, kind] : {std::pair("/forgotten", collection::ForgottenSet::kFileKind),
                                   std::pair("/seen-texts", dedup::SeenTexts::kFileKind),
                                   std::pair("/trap-memory", policy::TrapMemory::kFileKind)}) {
    if (!std::filesystem::exists(directory + name, error)) continue;
    CRV_TRY(Noted(FormatFile::Open(directory + name, kind).status(), check));
  }
  const std::string path = directory + "/seeds.txt";
  const Result<std::string> seeds = ReadFile(path);
  if (seeds.status().code() == StatusCode::kNotFound) return Status::Ok();
  CRV_TRY(seeds.status());
  if (const auto urls = policy::ReadSeedLines(*seeds); !urls.ok())
    check->Note(path + ": " + urls.status().message());
  return Status::Ok();
}

Status CheckDatabases(collection::Collection& store, CollectionCheck* check, Progress& progress) {
  const auto note = [check](std::string sentence) { check->Note(std::move(sentence)); };
  for (collection::Tablet* const each : store.tablets()) {
    collection::Tablet& tablet = *each;
    CRV_TRY(tablet.db().CheckFiles(note, progress));
    const store::ArchiveReader reader(tablet.archive_directory());
    CRV_TRY(Noted(store::CheckRows(tablet.table(), reader, &check->store, progress), check));
    const auto forgotten = store.forgotten().current();
    CRV_TRY(Noted(CheckArchiveAgainstRows(tablet, *forgotten, &check->store, progress), check));
    CRV_TRY(Noted(tablet.ledger().Check(note), check));
    CRV_TRY(Noted(tablet.robots().Check(note), check));
    CRV_TRY(Noted(tablet.agenda().Check(note), check));
    CRV_TRY(Noted(tablet.schedule().Check(note), check));
    CRV_TRY(Noted(tablet.feeds().Check(note), check));
    CRV_TRY(Noted(tablet.subscriptions().Check(note), check));
    progress.Start("reading queues", 0);
    const auto queues = frontier::CheckQueues(tablet.queues(), note);
    CRV_TRY(Noted(queues.status(), check));
    progress.Finish();
    if (!queues.ok()) continue;
    check->hosts += queues->hosts;
    check->queued += queues->items;
  }
  return Status::Ok();
}

}  // namespace crivello::care
