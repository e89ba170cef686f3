// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/shared_collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/folder.h"
#include "base/random.h"
#include "base/wakeup.h"
#include "cluster/fence/epoch_file.h"
#include "collection/collection.h"

namespace crivello::cluster {
namespace {

constexpr uint32_t kDefaultTablets = 16;
constexpr int kLooks = 5;
// A file in the folder of an epoch whose owner closed the tablet: no request of that owner is under way.
constexpr std::string_view kClosedFile = "closed";

// Agents with different buckets know nothing of each other, and would take tablets from each other for ever.
// REQUIRES: the lock of the collection is held.
Status CheckBucket(const SharedCollectionOptions& options) {
  const std::string path = options.directory + "/agents/bucket.txt";
  const Result<std::string> found = ReadFile(path);
  const std::string expected = options.bucket + "\n";
  if (found.status().code() == StatusCode::kNotFound) {
    CRV_TRY(MakeFolders(options.directory + "/agents"));
    return WriteFileAtomically(path, AsBytes(expected));
  }
  CRV_TRY(found.status());
  if (*found == expected) return Status::Ok();
  return Status::InvalidArgument(fmt::format(
      "{}: the agents of this collection use the bucket '{}', not '{}'; give all of them the same "
      "--bucket (to rename it, stop them all and change this file)",
      path, found->substr(0, found->find('\n')), options.bucket));
}

}  // namespace

Result<std::unique_ptr<SharedCollection>> SharedCollection::Open(SharedCollectionOptions options) {
  const Result<web::TabletMap> existing = collection::Collection::ListTablets(options.directory);
  if (!existing.ok() && existing.status().code() != StatusCode::kNotFound) return existing.status();
  // Under the lock of the collection, so that only one of several agents makes it.
  collection::CollectionOptions making;
  making.directory = options.directory;
  making.tablets = !existing.ok() && options.tablets == 0 ? kDefaultTablets : options.tablets;
  making.sieve = options.sieve;
  making.owns = [](const web::TabletId&) { return false; };
  CRV_ASSIGN(const auto opened, collection::Collection::Open(making));
  if (!options.bucket.empty()) CRV_TRY(CheckBucket(options));
  for (uint32_t slot = 0; slot < opened->map().size(); slot++) {
    const std::string folder =
        collection::Collection::TabletDirectory(options.directory, opened->map().id(slot));
    std::error_code error;
    if (std::filesystem::exists(folder + "/db", error)) {
      return Status::InvalidArgument(
          fmt::format("{}: this collection was made on one machine, and a cluster cannot take it over; give "
                      "the agents a new folder",
                      folder));
    }
  }
  return std::unique_ptr<SharedCollection>(
      new SharedCollection(std::move(options), opened->map(), opened->file().sieve));
}

SharedCollection::SharedCollection(SharedCollectionOptions options, web::TabletMap map, std::string sieve)
    : options_(std::move(options)),
      map_(std::move(map)),
      sieve_(std::move(sieve)),
      memory_(collection::MemoryPlan::For(collection::MemoryPlan::Work::kCrawl, options_.memory_bytes,
                                          map_.size())),
      pool_(std::make_shared<kv::MemoryPool>(memory_.databases)) {
  for (uint32_t slot = 0; slot < map_.size(); slot++) names_.push_back(map_.id(slot).Name());
}

Result<web::TabletId> SharedCollection::IdOf(const std::string& tablet) const {
  const auto at = std::find(names_.begin(), names_.end(), tablet);
  if (at == names_.end()) {
    return Status::NotFound(fmt::format("{} has no tablet {}", options_.directory, tablet));
  }
  return map_.id(static_cast<uint32_t>(at - names_.begin()));
}

std::string SharedCollection::FolderOf(const std::string& tablet) const {
  return fmt::format("{}/tablets/{}", options_.directory, tablet);
}

Result<uint64_t> SharedCollection::HighestEpoch(const std::string& tablet) {
  CRV_ASSIGN(const auto names, files_.List(FolderOf(tablet), SharedFiles::Look::kFresh));
  return cluster::HighestEpoch(names);
}

Result<bool> SharedCollection::Reaches(const std::string& tablet, uint64_t sequence) {
  CRV_ASSIGN(const auto names, files_.List(FolderOf(tablet), SharedFiles::Look::kFresh));
  uint64_t newest = 0;
  for (const std::string& name : names) newest = std::max(newest, ParseEpochFolderName(name).value_or(0));
  if (newest == 0) return sequence == 0;
  CRV_ASSIGN(const auto last, collection::TabletJournal::ReadLast(
                                  fmt::format("{}/{}/commits", FolderOf(tablet), EpochFolderName(newest))));
  return last && last->sequence >= sequence;
}

Result<SharedCollection::Past> SharedCollection::TakePast(const std::string& folder, std::string* note) {
  std::error_code error;
  const std::string closed = fmt::format("{}/{}", folder, kClosedFile);
  auto text = ReadFile(closed);
  if (!text.ok()) {
    if (text.status().code() != StatusCode::kNotFound) return text.status();
    return std::filesystem::exists(folder + "/db", error) ? Past::kCutOff : Past::kNew;
  }
  *note = *std::move(text);
  FileSystem& fs = PosixFileSystem();
  CRV_TRY(fs.Remove(closed));
  CRV_TRY(fs.SyncDirectory(folder));
  return Past::kClosed;
}

Result<TabletKeeper::Opened> SharedCollection::Open(const std::string& tablet, uint64_t above,
                                                    uint64_t sequence) {
  CRV_ASSIGN(const web::TabletId id, IdOf(tablet));
  for (int look = 1; look <= kLooks; look++) {
    const auto reaches = Reaches(tablet, sequence);
    // After a power cut the journal may be behind the stores, and then the stores decide, below.
    if ((reaches.ok() && *reaches) || look == kLooks) break;
    Wakeup never;
    never.WaitFor(options_.between_looks);
  }
  CRV_ASSIGN(auto lease, EpochLease::Take(files_, {.tablet = FolderOf(tablet),
                                                   .owner = options_.agent,
                                                   .nonce = RandomSeed(),
                                                   .above = above}));
  const EpochLease* const held = lease.get();
  const uint64_t epoch = lease->epoch();
  std::string note;
  CRV_ASSIGN(const Past past, TakePast(lease->directory(), &note));
  CRV_ASSIGN(auto opened,
             collection::Tablet::Open(
                 std::move(lease), id,
                 {.sieve = sieve_, .memory = memory_, .pool = pool_, .archive = options_.archive}));
  const uint64_t found = opened->db().sequence();
  if (found < sequence) {
    return Status::Corruption(fmt::format(
        "{}: ends at commit {}, but commit {} was acknowledged; the folders of older epochs beside "
        "it may have it",
        opened->directory(), found, sequence));
  }
  CRV_TRY(opened->Acknowledge());
  MutexLock lock(mu_);
  open_[tablet] = {.tablet = std::move(opened),
                   .lease = held,
                   .epoch = epoch,
                   .opened = SystemClock().Now(),
                   .past = past,
                   .note = std::move(note)};
  return Opened{.epoch = epoch, .sequence = found};
}

Status SharedCollection::Close(const std::string& tablet, std::string_view note) {
  OpenTablet closing;
  {
    MutexLock lock(mu_);
    const auto at = open_.find(tablet);
    if (at == open_.end()) return Status::Ok();
    closing = std::move(at->second);
    open_.erase(at);
  }
  CRV_TRY(closing.tablet->Close());
  return WriteFileAtomically(fmt::format("{}/{}", closing.tablet->directory(), kClosedFile), AsBytes(note));
}

collection::Tablet* SharedCollection::Find(const std::string& tablet) {
  MutexLock lock(mu_);
  const auto at = open_.find(tablet);
  return at == open_.end() ? nullptr : at->second.tablet.get();
}

bool SharedCollection::WasCutOff(const std::string& tablet) {
  MutexLock lock(mu_);
  const auto at = open_.find(tablet);
  return at != open_.end() && at->second.past == Past::kCutOff;
}

bool SharedCollection::IsNew(const std::string& tablet) {
  MutexLock lock(mu_);
  const auto at = open_.find(tablet);
  return at != open_.end() && at->second.past == Past::kNew;
}

std::string SharedCollection::NoteOf(const std::string& tablet) {
  MutexLock lock(mu_);
  const auto at = open_.find(tablet);
  return at == open_.end() ? std::string() : at->second.note;
}

Status SharedCollection::RemoveOldEpochs(MonotonicTime now) {
  std::map<std::string, uint64_t> due;
  {
    MutexLock lock(mu_);
    for (auto& [name, tablet] : open_) {
      if (tablet.is_alone || now - tablet.opened < options_.keep_epochs) continue;
      tablet.is_alone = true;
      due[name] = tablet.epoch;
    }
  }
  // Refused if a higher epoch was claimed meanwhile: then they are its owner's.
  for (const auto& [name, epoch] : due) CRV_TRY(RemoveOlderEpochs(files_, FolderOf(name), epoch));
  return Status::Ok();
}

TabletKeeper::Progress SharedCollection::ProgressOf(const std::string& tablet) {
  MutexLock lock(mu_);
  const auto at = open_.find(tablet);
  if (at == open_.end()) return {};
  return {.sequence = at->second.tablet->acknowledged(), .lost = at->second.lease->lost()};
}

}  // namespace crivello::cluster
