// SPDX-License-Identifier: Apache-2.0
#include "collection/tablet.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/folder.h"
#include "collection/folder_lock.h"
#include "policy/agent.h"
#include "sieve/sieve_factory.h"
#include "store/archive_reader.h"

namespace crivello::collection {
namespace {

constexpr std::string_view kRepairHint = "'crivello check --repair' rebuilds the collection from its archive";

// The families of the database, in an order that never changes (docs/formats/collection.md).
struct Families {
  std::vector<kv::FamilyOptions> all = frontier::HostQueues::Families();
  store::TableFamilies table = store::TableFamilies::AddTo(&all);
  kv::Family ledger = store::Ledger::AddTo(&all);
  kv::Family robots = Add({.name = "robots", .blobs = true});
  kv::Family sites = Add({.name = "sites", .blobs = true});
  kv::Family changes = store::ChangeLog::AddTo(&all);
  kv::Family agenda = Add(frontier::Agenda::FamilyOptions());
  kv::Family dup = store::DupCells::AddTo(&all);
  PageSchedule::Families schedule = PageSchedule::Families::AddTo(&all);
  kv::Family feeds = Add(feeds::FeedList::FamilyOptions());
  kv::Family exchange = Add({.name = "exchange", .short_lived = true});
  kv::Family subscriptions = Add(feeds::SubscriptionList::FamilyOptions());

 private:
  kv::Family Add(kv::FamilyOptions options) {
    all.push_back(std::move(options));
    return static_cast<kv::Family>(all.size() - 1);
  }
};

// The file to which a database writes next, for messages; its folder if there is none.
std::string LiveLogOf(const std::string& database) {
  std::string newest;
  if (const auto names = ListFolder(database); names.ok()) {
    for (const std::string& name : *names) {
      if (name.ends_with(".log")) newest = std::max(newest, name);
    }
  }
  return newest.empty() ? database : database + "/" + newest;
}

Status CheckArchiveEnd(const std::string& directory, const store::ArchiveEnd& recorded) {
  if (recorded.serial == 0) return Status::Ok();
  CRV_ASSIGN(const std::vector<store::ArchiveFile> files, store::ListArchive(directory));
  for (const store::ArchiveFile& file : files) {
    if (file.serial != recorded.serial) continue;
    CRV_ASSIGN(const uint64_t size, FileSize(directory + "/" + file.name));
    if (size >= recorded.bytes) return Status::Ok();
    return Status::Corruption(fmt::format("{}/{}: has {} bytes, but {} were acknowledged; {}", directory,
                                          file.name, size, recorded.bytes, kRepairHint));
  }
  return Status::Corruption(fmt::format("{}: the file with serial number {:08} is missing; {}", directory,
                                        recorded.serial, kRepairHint));
}

}  // namespace

Result<std::unique_ptr<Tablet>> Tablet::Open(std::unique_ptr<Lease> lease, web::TabletId id,
                                             const TabletOptions& options) {
  std::unique_ptr<Tablet> tablet(new Tablet(std::move(lease), id));
  CRV_TRY(tablet->Begin(options));
  TabletState recorded;
  if (options.read_only) {
    CRV_ASSIGN(const auto last, TabletJournal::ReadLast(tablet->directory() + "/commits"));
    recorded = last.value_or(TabletState());
  } else {
    recorded = tablet->journal_->last();
  }
  if (recorded.epoch > tablet->lease_->epoch()) {
    return Status::Unavailable(fmt::format("{}: was written under epoch {}, and this lease is of epoch {}",
                                           tablet->directory(), recorded.epoch, tablet->lease_->epoch()));
  }
  // Before the archive is opened, which truncates what a crash left incomplete.
  CRV_TRY(CheckArchiveEnd(tablet->archive_directory(), recorded.archive));
  tablet->live_log_ = LiveLogOf(tablet->directory() + "/db");  // opening replaces it
  const Status opened = tablet->OpenStores(options);
  // Each store names the files that it needs, so a missing one was removed.
  if (opened.code() == StatusCode::kNotFound && recorded != TabletState()) {
    return Status::Corruption(fmt::format("{}; {}", opened.message(), kRepairHint));
  }
  CRV_TRY(opened);
  CRV_TRY(tablet->Compare(recorded));
  return tablet;
}

Status Tablet::Begin(const TabletOptions& options) {
  if (options.read_only) {
    CRV_ASSIGN(lock_, LockFolderToRead(directory()));
    return Status::Ok();
  }
  CRV_TRY(MakeFolders(directory() + "/sieve"));
  CRV_ASSIGN(lock_, LockFolder(directory()));
  FileSystem& fs = options.fs != nullptr ? *options.fs : PosixFileSystem();
  CRV_ASSIGN(journal_, TabletJournal::Open(directory() + "/commits", fs));
  return Status::Ok();
}

Status Tablet::OpenStores(const TabletOptions& options) {
  const Families families;
  CRV_ASSIGN(db_, kv::Database::Open(directory() + "/db", {.families = families.all,
                                                           .memory_bytes = options.memory.database,
                                                           .pool = options.pool,
                                                           .read_only = options.read_only,
                                                           .fs = options.fs}));
  exchange_ = families.exchange;
  CRV_ASSIGN(queues_, frontier::HostQueues::Open(*db_, 0));
  CRV_ASSIGN(agenda_, frontier::Agenda::Open(*db_, families.agenda));
  CRV_ASSIGN(feeds_, feeds::FeedList::Open(*db_, families.feeds));
  subscriptions_ = std::make_unique<feeds::SubscriptionList>(*db_, families.subscriptions);
  if (options.read_only) {
    CRV_ASSIGN(const auto standing, sieve::PeekSieve(options.sieve, directory() + "/sieve"));
    sieve_is_known_ = standing.has_value();
    sieve_at_rest_ = standing.value_or(sieve::SieveStanding());
  } else {
    CRV_ASSIGN(sieve_, sieve::MakeSieve(options.sieve, directory() + "/sieve",
                                        {.memory_bytes = options.memory.sieve, .fs = options.fs}));
  }
  CRV_ASSIGN(changes_, store::ChangeLog::Open(*db_, families.changes));
  table_ = std::make_unique<store::Table>(*db_, families.table, changes_.get());
  ledger_ = std::make_unique<store::Ledger>(*db_, families.ledger);
  duplicates_ = std::make_unique<store::DupCells>(*db_, families.dup);
  robots_ = std::make_unique<RobotsKeeper>(*db_, families.robots,
                                           RobotsKeeper::Options{.agent = std::string(policy::kAgentToken)});
  CRV_ASSIGN(schedule_, PageSchedule::Open(*db_, families.schedule));
  templates_ = std::make_unique<page::SiteTemplates>(*db_, families.sites, options.memory.templates);
  if (!options.with_archive || options.read_only) return Status::Ok();
  store::ArchiveOptions archive = options.archive;
  archive.directory = archive_directory();
  CRV_ASSIGN(archive_, store::Archive::Open(std::move(archive)));
  return Status::Ok();
}

Status Tablet::Compare(const TabletState& recorded) const {
  if (db_->sequence() < recorded.sequence) {
    return Status::Corruption(fmt::format(
        "{}: ends at commit {}, but commit {} was acknowledged: it was cut, emptied or deleted; {}",
        live_log_, db_->sequence(), recorded.sequence, kRepairHint));
  }
  if (sieve_ == nullptr && !sieve_is_known_) return Status::Ok();
  const sieve::SievePosition sieve = sieve_ ? sieve_->position() : sieve_at_rest_.position;
  if (sieve < recorded.sieve) {
    return Status::Corruption(fmt::format(
        "{}/sieve: ends with batch {}, key {}, but batch {}, key {} was acknowledged: its files were cut, "
        "emptied or deleted; {}",
        directory(), sieve.batch, sieve.keys, recorded.sieve.batch, recorded.sieve.keys, kRepairHint));
  }
  return Status::Ok();
}

Status Tablet::Acknowledge() {
  CRV_TRY(lease_->StillMine());
  return journal_->Record({.sequence = db_->sequence(),
                           .epoch = lease_->epoch(),
                           .archive = archive_ == nullptr ? store::ArchiveEnd() : archive_->synced_end(),
                           .sieve = sieve_->position()});
}

Status Tablet::Close() {
  if (db_->read_only()) return Status::Ok();
  CRV_TRY(templates_->Save());
  if (archive_ != nullptr) CRV_TRY(archive_->Close());
  CRV_TRY(Acknowledge());
  return journal_->Sync();
}

Tablet::~Tablet() {
  // The parts are closed before the lock is released, because another process may then open the tablet at
  // once.
  archive_ = nullptr;
  templates_ = nullptr;
  schedule_ = nullptr;
  robots_ = nullptr;
  duplicates_ = nullptr;
  ledger_ = nullptr;
  table_ = nullptr;
  changes_ = nullptr;
  sieve_ = nullptr;
  subscriptions_ = nullptr;
  feeds_ = nullptr;
  agenda_ = nullptr;
  queues_ = nullptr;
  db_ = nullptr;
  journal_ = nullptr;
  if (lock_ >= 0) close(lock_);
}

}  // namespace crivello::collection
