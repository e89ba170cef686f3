// SPDX-License-Identifier: Apache-2.0
#include "sieve/mercator_files.h"

#include <fmt/format.h>

#include <set>

#include "base/file_format.h"
#include "base/folder.h"
#include "sieve/key_block.h"
#include "sieve/sieve_files.h"

namespace crivello::sieve {
namespace {

constexpr std::string_view kRunPrefix = "z-";
constexpr std::string_view kKeysPrefix = "a-";
constexpr std::string_view kMarksPrefix = "marks-";

}  // namespace

std::string MercatorFiles::Run(uint64_t id) const { return folder_ + "/" + NumberedName(kRunPrefix, id); }
std::string MercatorFiles::Keys(uint64_t id) const { return folder_ + "/" + NumberedName(kKeysPrefix, id); }
std::string MercatorFiles::Marks(uint64_t id) const { return folder_ + "/" + NumberedName(kMarksPrefix, id); }

Result<MercatorFiles::Recovered> MercatorFiles::Recover(FileSystem& fs) const {
  CRV_TRY(MakeFolders(folder_));
  CRV_TRY(RemoveTemporaries(folder_, fs));
  Recovered result;
  const auto file = FormatFile::Open(Manifest(), MercatorManifest::kFileKind);
  if (file.ok()) {
    auto manifest = MercatorManifest::FromImage(file->payload());
    if (!manifest.ok()) return manifest.status().WithContext(Manifest());
    result.manifest = std::move(manifest).value();
  } else if (file.status().code() != StatusCode::kNotFound) {
    return file.status();
  }

  std::set<uint64_t> runs, batches;
  for (const auto& run : result.manifest.runs) runs.insert(run.id);
  for (const auto& batch : result.manifest.batches) batches.insert(batch.id);
  const uint64_t next = result.manifest.next_batch;
  CRV_ASSIGN(const auto names, ListFolder(folder_));
  for (const auto& name : names) {
    bool garbage = false;
    if (const auto run = NumberIn(kRunPrefix, name)) {
      // Only the first batch's run can exist without a manifest, because it is written before the first one.
      if (!file.ok() && *run > 0)
        return Status::Corruption(fmt::format("{}: missing, although {} exists", Manifest(), name));
      garbage = !runs.contains(*run);
    } else if (const auto marks = NumberIn(kMarksPrefix, name)) {
      garbage = !batches.contains(*marks);
    } else if (const auto keys = NumberIn(kKeysPrefix, name)) {
      garbage = *keys < next && !batches.contains(*keys);
      if (*keys >= next && *keys != next + result.undecided++) {
        return Status::Corruption(fmt::format("{}: missing, although {} exists", Keys(next), name));
      }
    }
    if (garbage) CRV_TRY(fs.Remove(folder_ + "/" + name));
  }
  if (result.undecided > 2) {
    return Status::Corruption(
        fmt::format("{}: corrupt: found {} batches newer than the manifest, expected at most two", folder_,
                    result.undecided));
  }
  return result;
}

uint64_t MercatorFiles::KeyBytes(const MercatorManifest& manifest, uint64_t last) const {
  uint64_t bytes = 0;
  const auto add = [&](const std::string& path) {
    const auto size = FileSize(path);
    if (size.ok()) bytes += *size;
  };
  for (const auto& batch : manifest.batches) {
    add(Keys(batch.id));
    add(Marks(batch.id));
  }
  for (uint64_t id = manifest.next_batch; id <= last; id++) add(Keys(id));
  return bytes;
}

std::function<Status(Bytes)> SignaturesInto(const std::string& path, std::vector<uint64_t>& signatures) {
  return [path, &signatures](Bytes record) {
    KeyBlockReader block(record);
    while (block.Next()) signatures.push_back(block.key().signature);
    if (block.whole()) return Status::Ok();
    return Status::Corruption(
        fmt::format("{}: corrupt: a block ends inside key {}", path, signatures.size()));
  };
}

}  // namespace crivello::sieve
