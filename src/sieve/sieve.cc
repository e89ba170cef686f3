// SPDX-License-Identifier: Apache-2.0
#include "sieve/sieve.h"

#include <fmt/format.h>

#include "base/copy_file.h"
#include "base/folder.h"
#include "sieve/sieve_files.h"

namespace crivello::sieve {

Status CheckKeys(std::span<const Key> keys) {
  for (const Key& key : keys) {
    if (key.bytes.size() > kMaxKeyBytes) {
      return Status::InvalidArgument(
          fmt::format("key too long: {} bytes; the limit is {}", key.bytes.size(), kMaxKeyBytes));
    }
  }
  return Status::Ok();
}

Status Sieve::CopyTo(const std::string& from, const std::string& to) {
  CRV_TRY(Sync());
  CRV_TRY(Flush({.wait = true}));
  CRV_TRY(MakeFolders(to));
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(from));
  for (const std::string& name : names) {
    const auto copy = name.starts_with("z-") ? LinkOrCopy : CopyFile;
    CRV_TRY(copy(from + "/" + name, to + "/" + name, PosixFileSystem()));
  }
  return PosixFileSystem().SyncDirectory(to);
}

}  // namespace crivello::sieve
