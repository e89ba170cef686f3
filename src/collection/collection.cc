// SPDX-License-Identifier: Apache-2.0
#include "collection/collection.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "collection/folder_lock.h"

namespace crivello::collection {
namespace {

Result<std::vector<std::string>> ReadSeeds(const std::string& path) {
  std::vector<std::string> seeds;
  const Result<std::string> text = ReadFile(path);
  if (text.status().code() == StatusCode::kNotFound) return seeds;
  CRV_TRY(text.status());
  for (size_t at = 0; at < text->size();) {
    const size_t end = std::min(text->find('\n', at), text->size());
    if (end > at) seeds.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  return seeds;
}

// Creates the folders of a new collection's tablets, all of them or none: together they are the map.
Status MakeTablets(const std::string& directory, const web::TabletMap& map) {
  FileSystem& fs = PosixFileSystem();
  const std::string folder = directory + "/tablets.new";
  CRV_TRY(RemoveFolder(folder));  // left by a crash
  for (uint32_t i = 0; i < map.size(); ++i) CRV_TRY(MakeFolders(folder + "/" + map.id(i).Name()));
  CRV_TRY(fs.SyncDirectory(folder));
  CRV_TRY(fs.Rename(folder, directory + "/tablets"));
  return fs.SyncDirectory(directory);
}

// Reads the file, or writes that of a new collection.
Result<CollectionFile> OpenCollectionFile(const CollectionOptions& options) {
  Result<CollectionFile> file = CollectionFile::Read(options.directory);
  if (file.status().code() == StatusCode::kNotFound && options.reading == CollectionOptions::Reading::kNo) {
    const std::string path = fmt::format("{}/{}", options.directory, kCollectionFileName);
    const std::string kind = options.sieve.empty() ? CollectionFile().sieve : options.sieve;
    CRV_TRY(WriteFileAtomically(path, AsBytes(NewCollectionFile(kind))));
    return CollectionFile::Read(options.directory);
  }
  if (file.ok() && !options.sieve.empty() && options.sieve != file->sieve) {
    return Status::InvalidArgument(fmt::format("{} was created with the sieve {}, which cannot be changed",
                                               options.directory, file->sieve));
  }
  return file;
}

Result<int> Lock(const CollectionOptions& options) {
  using Reading = CollectionOptions::Reading;
  if (options.reading != Reading::kShared) {
    Result<int> lock = LockFolder(options.directory);
    // If not even a lock can be written here, no other process can write either.
    if (options.reading == Reading::kNo || lock.status().code() != StatusCode::kIoError) return lock;
  }
  return LockFolderToRead(options.directory);
}

// RocksDB ends the program if the disk is full (kv/database.h), and opening a database writes: it moves its
// logs to tables, and allocates new logs and manifests.
constexpr uint64_t kRoomToOpen = 8 << 20;
constexpr uint64_t kRoomPerTablet = 2 << 20;

Status CheckRoomToOpen(const std::string& directory, const web::TabletMap* map) {
  uint64_t wanted = kRoomToOpen;
  for (uint32_t slot = 0; map != nullptr && slot < map->size(); ++slot) {
    wanted += kRoomPerTablet;
    std::error_code error;
    const std::string db = Collection::TabletDirectory(directory, map->id(slot)) + "/db";
    for (std::filesystem::directory_iterator file(db, error), end; !error && file != end;
         file.increment(error)) {
      std::error_code gone;
      const uint64_t size = file->path().extension() == ".log" ? file->file_size(gone) : 0;
      if (!gone) wanted += size;
    }
  }
  struct statvfs disk = {};
  if (statvfs(directory.c_str(), &disk) != 0) {
    return Status::FromErrno("look at the free space of", directory, errno);
  }
  struct rlimit largest = {};
  if (getrlimit(RLIMIT_FSIZE, &largest) == 0 && largest.rlim_cur < wanted) {
    return Status::IoError(fmt::format(
        "cannot open {} for writing: the process may write no file larger than {} KiB, and {} KiB may be "
        "needed; raise that limit (ulimit -f), or use a command that only reads",
        directory, largest.rlim_cur >> 10, wanted >> 10));
  }
  const uint64_t free = uint64_t{disk.f_bavail} * disk.f_frsize;
  if (free >= wanted) return Status::Ok();
  return Status::IoError(fmt::format(
      "cannot open {} for writing: {} KiB are free on its disk, and {} KiB may be needed; make room, or "
      "use a command that only reads",
      directory, free >> 10, wanted >> 10));
}

}  // namespace

std::string Collection::TabletDirectory(std::string_view collection, const web::TabletId& id) {
  return fmt::format("{}/tablets/{}", collection, id.Name());
}

std::string Collection::OfferAgainPath(std::string_view collection) {
  return fmt::format("{}/offer-again", collection);
}

Result<web::TabletMap> Collection::ListTablets(const std::string& directory) {
  const std::string folder = directory + "/tablets";
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return Status::NotFound(fmt::format(
        "'{}' is not a Crivello collection; create one with 'crivello up URL' or 'crivello import FILE'",
        directory));
  }
  if (std::filesystem::is_directory(folder + "/0000", error)) {
    return Status::Corruption(
        fmt::format("{}/0000: this collection was made by an earlier version of the program, which numbered "
                    "tablets; crawl or import it again",
                    folder));
  }
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(folder));
  Result<web::TabletMap> map = web::TabletMap::OfNames(names);
  if (!map.ok()) return Status::Corruption(fmt::format("{}: {}", folder, map.status().message()));
  return map;
}

Collection::Collection(const CollectionOptions& options) : options_(options), directory_(options.directory) {}

Result<std::unique_ptr<Collection>> Collection::Open(const CollectionOptions& options) {
  Result<web::TabletMap> map = ListTablets(options.directory);
  if (!map.ok() && (map.status().code() != StatusCode::kNotFound || !options.create)) return map.status();
  const bool reading = options.reading != CollectionOptions::Reading::kNo;
  if ((reading || options.shared) && !map.ok()) return map.status();
  if (!reading && !options.shared) {
    CRV_TRY(MakeFolders(options.directory));
    CRV_TRY(CheckRoomToOpen(options.directory, map.ok() ? &*map : nullptr));
  }
  std::unique_ptr<Collection> collection(new Collection(options));
  if (!options.shared) {
    CRV_ASSIGN(collection->lock_, Lock(options));
  }
  collection->existed_ = map.ok();
  if (!map.ok()) {
    map = web::TabletMap::Uniform(std::max(options.tablets, 1u));
    CRV_TRY(map.status());
    CRV_TRY(MakeTablets(options.directory, *map));
  }
  collection->map_ = *std::move(map);
  if (options.tablets != 0 && options.tablets != collection->map_.size()) {
    return Status::InvalidArgument(fmt::format("{} has {} tablets, not {}: the number cannot be changed",
                                               options.directory, collection->map_.size(), options.tablets));
  }
  CRV_TRY(collection->OpenFiles());
  CRV_TRY(collection->OpenTablets());
  return collection;
}

Status Collection::OpenFiles() {
  {
    MutexLock lock(seeds_mu_);
    CRV_ASSIGN(seeds_, ReadSeeds(directory_ + "/seeds.txt"));
  }
  CRV_ASSIGN(forgotten_, ForgottenList::Open(directory_));
  CRV_ASSIGN(file_, OpenCollectionFile(options_));
  return Status::Ok();
}

Status Collection::OpenTablets() {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < map_.size(); ++slot) {
    if (Takes(map_.id(slot))) count++;
  }
  if (options_.shared) count = map_.size();  // this process may get any of them
  memory_ = MemoryPlan::For(options_.work, options_.memory_bytes, std::max(count, 1u));
  pool_ = std::make_shared<kv::MemoryPool>(memory_.databases);
  opened_.resize(map_.size());
  by_slot_.resize(map_.size());
  rests_until_.resize(map_.size(), MonotonicTime::min());
  for (uint32_t slot = 0; slot < map_.size(); ++slot) {
    if (Takes(map_.id(slot))) CRV_TRY(Acquire(map_.id(slot)).status());
  }
  return Status::Ok();
}

Result<Tablet*> Collection::Acquire(const web::TabletId& id) {
  const std::optional<uint32_t> slot = map_.Find(id);
  if (!slot) return Status::NotFound(fmt::format("{} has no tablet {}", directory_, id.Name()));
  if (by_slot_[*slot] != nullptr) {
    return Status::InvalidArgument(fmt::format("tablet {} of {} is already open", id.Name(), directory_));
  }
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(TabletDirectory(directory_, id)));
  for (const std::string& name : names) {
    if (!name.starts_with("EPOCH-")) continue;
    return Status::InvalidArgument(fmt::format(
        "{} belongs to a cluster: tablet {} has epochs; only agents can open it ('crivello agent')",
        directory_, id.Name()));
  }
  CRV_ASSIGN(opened_[*slot], Tablet::Open(std::make_unique<LocalLease>(TabletDirectory(directory_, id)), id,
                                          {.sieve = file_.sieve,
                                           .memory = memory_,
                                           .pool = pool_,
                                           .with_archive = options_.with_archive,
                                           .archive = options_.archive,
                                           .read_only = options_.reading != CollectionOptions::Reading::kNo,
                                           .fs = options_.fs}));
  by_slot_[*slot] = opened_[*slot].get();
  ListOwned();
  return by_slot_[*slot];
}

Status Collection::Release(const web::TabletId& id) {
  const std::optional<uint32_t> slot = map_.Find(id);
  if (!slot || opened_[*slot] == nullptr) {
    return Status::NotFound(fmt::format("tablet {} of {} is not open", id.Name(), directory_));
  }
  CRV_TRY(opened_[*slot]->Close());
  by_slot_[*slot] = nullptr;
  opened_[*slot] = nullptr;
  ListOwned();
  return Status::Ok();
}

void Collection::Attach(Tablet& tablet, MonotonicTime rests_until) {
  const uint32_t slot = map_.Find(tablet.id()).value();
  by_slot_[slot] = &tablet;
  rests_until_[slot] = rests_until;
  ListOwned();
}

void Collection::Detach(const Tablet& tablet) {
  by_slot_[map_.Find(tablet.id()).value()] = nullptr;
  ListOwned();
}

Result<Tablet*> Collection::TabletOfHost(std::string_view host) {
  if (Tablet* const found = Find(host)) return found;
  return Status::Unavailable(fmt::format("{} belongs to tablet {} of {}, which this process does not own",
                                         host, map_.id(SlotOf(host)).Name(), directory_));
}

void Collection::ListOwned() {
  owned_.clear();
  for (Tablet* const tablet : by_slot_) {
    if (tablet != nullptr) owned_.push_back(tablet);
  }
}

frontier::Tablets Collection::Frontier() {
  frontier::Tablets tablets(map_, std::exchange(existed_, true));
  for (uint32_t slot = 0; slot < map_.size(); ++slot) {
    if (by_slot_[slot] == nullptr) continue;
    frontier::TabletParts parts = by_slot_[slot]->parts();
    parts.rests_until = rests_until_[slot];
    tablets.Own(slot, parts);
  }
  return tablets;
}

Collection::~Collection() {
  opened_.clear();
  if (lock_ >= 0) close(lock_);
}

std::vector<std::string> Collection::seeds() const {
  MutexLock lock(seeds_mu_);
  return seeds_;
}

Status Collection::AddSeeds(const std::vector<std::string>& urls) {
  MutexLock lock(seeds_mu_);
  const size_t before = seeds_.size();
  std::unordered_set<std::string> known(seeds_.begin(), seeds_.end());
  for (const std::string& url : urls) {
    if (known.insert(url).second) seeds_.push_back(url);
  }
  if (seeds_.size() == before || options_.shared) return Status::Ok();
  std::string text;
  for (const std::string& url : seeds_) text += url + "\n";
  return WriteFileAtomically(directory_ + "/seeds.txt", AsBytes(text));
}

Status Collection::Close() {
  for (const auto& tablet : opened_) {
    if (tablet != nullptr) CRV_TRY(tablet->Close());
  }
  return Status::Ok();
}

}  // namespace crivello::collection
