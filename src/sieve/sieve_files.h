// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/folder.h"

namespace crivello::sieve {

// Shared by the folders of all sieves: numbered files, cleanup after a crash, counting written bytes.

// Removes temporary files of AtomicFile, which a crash may leave.
Status RemoveTemporaries(const std::string& folder, FileSystem& fs);

// "keys-000000000042": names sort by number.
std::string NumberedName(std::string_view prefix, uint64_t number);
// The number in a name with this prefix; nullopt for other names.
std::optional<uint64_t> NumberIn(std::string_view prefix, std::string_view name);

// Forwards everything to another file system, and counts the bytes appended. Thread-safe.
class CountingFileSystem final : public FileSystem {
 public:
  explicit CountingFileSystem(FileSystem& base) : base_(base) {}

  Result<std::unique_ptr<AppendFile>> OpenForAppend(const std::string& path, AppendOptions options) override;
  Status Rename(const std::string& from, const std::string& to) override { return base_.Rename(from, to); }
  Status Remove(const std::string& path) override { return base_.Remove(path); }
  Status Truncate(const std::string& path, uint64_t size) override { return base_.Truncate(path, size); }
  Status SyncDirectory(const std::string& directory) override { return base_.SyncDirectory(directory); }

  uint64_t written_bytes() const { return written_.load(std::memory_order_relaxed); }

 private:
  FileSystem& base_;
  std::atomic<uint64_t> written_ = 0;
};

}  // namespace crivello::sieve
