// SPDX-License-Identifier: Apache-2.0
#include "frontier/tablet.h"

#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <utility>

#include "base/folder.h"
#include "frontier/host_queues.h"
#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

// The tablets in a folder, as far as they are numbered without a gap.
uint32_t CountTablets(const std::string& directory) {
  uint32_t count = 0;
  std::error_code error;
  while (std::filesystem::is_directory(fmt::format("{}/{:04}", directory, count), error)) count++;
  return count;
}

// The folders of a new collection's tablets, all of them or none: their number is what makes them one.
Status MakeTablets(const std::string& directory, uint32_t count, FileSystem& fs) {
  const std::string folder = directory + "/tablets.new";
  CRV_TRY(RemoveFolder(folder));  // left by a crash
  for (uint32_t i = 0; i < count; i++) CRV_TRY(MakeFolders(fmt::format("{}/{:04}", folder, i)));
  CRV_TRY(fs.SyncDirectory(folder));
  CRV_TRY(fs.Rename(folder, directory + "/tablets"));
  return fs.SyncDirectory(directory);
}

}  // namespace

Tablet::Tablet() = default;
Tablet::~Tablet() = default;

Result<std::unique_ptr<Tablet>> Tablet::Open(const std::string& directory, uint32_t number,
                                             const TabletOptions& options) {
  CRV_TRY(MakeFolders(directory + "/sieve"));
  std::unique_ptr<Tablet> tablet(new Tablet);
  tablet->number_ = number;
  tablet->directory_ = directory;
  kv::DatabaseOptions db = {
      .families = HostQueues::Families(), .memory_bytes = options.memory_bytes, .fs = options.fs};
  for (const kv::FamilyOptions& family : options.families) db.families.push_back(family);
  CRV_ASSIGN(tablet->db_, kv::Database::Open(directory + "/db", db));
  CRV_ASSIGN(tablet->queues_, HostQueues::Open(*tablet->db_, 0));
  CRV_ASSIGN(tablet->sieve_, options.open_sieve(directory + "/sieve"));
  return tablet;
}

kv::Family Tablet::family(size_t i) const {
  return static_cast<kv::Family>(HostQueues::Families().size() + i);
}

Result<std::unique_ptr<Collection>> Collection::Open(const std::string& directory, const Options& options) {
  const std::string folder = directory + "/tablets";
  const uint32_t there = CountTablets(folder);
  const uint32_t count = there != 0 ? there : std::max(options.tablets, 1u);
  if (options.tablets != 0 && options.tablets != count)
    return Status::InvalidArgument(fmt::format("{} has {} tablets, not {}: their number does not change",
                                               directory, count, options.tablets));
  if (!std::has_single_bit(count) || count > 1u << web::kHostSignatureBits)
    return Status::InvalidArgument(fmt::format("{} tablets: their number must be a power of two, at most {}",
                                               count, 1u << web::kHostSignatureBits));
  if (there == 0) {
    FileSystem& fs = options.tablet.fs != nullptr ? *options.tablet.fs : PosixFileSystem();
    CRV_TRY(MakeTablets(directory, count, fs));
  }
  std::unique_ptr<Collection> collection(new Collection);
  collection->existed_ = there != 0;
  collection->tablet_bits_ = std::countr_zero(count);
  for (uint32_t i = 0; i < count; i++) {
    CRV_ASSIGN(auto tablet, Tablet::Open(fmt::format("{}/{:04}", folder, i), i, options.tablet));
    collection->tablets_.push_back(std::move(tablet));
  }
  return collection;
}

std::vector<sieve::Sieve*> Collection::sieves() {
  std::vector<sieve::Sieve*> sieves;
  for (const auto& tablet : tablets_) sieves.push_back(&tablet->sieve());
  return sieves;
}

}  // namespace crivello::frontier
