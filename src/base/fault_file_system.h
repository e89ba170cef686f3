// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/file_system.h"
#include "base/mutex.h"

namespace crivello {

// A file system for tests that fails like disks and machines do. It passes every change on to `base` up to
// the Nth, which fails (counted from 1: appends, syncs, renames, removals, truncations, openings). A crash
// test repeats the same work with N = 1, 2, 3, ... until it completes without a fault, and checks each time
// what is left. Thread-safe.
class FaultFileSystem final : public FileSystem {
 public:
  struct Options {
    uint64_t fail_at = 0;  // the number of the change that fails; 0: none
    // Counts only the syncs of files: the moments at which something becomes durable.
    bool only_syncs = false;
    bool tear = false;      // a failing append writes half of its bytes instead of none
    bool stay_down = true;  // all later changes fail too, as after a crash; if false, only one fails, as on a
                            // full disk that then gets room
  };
  explicit FaultFileSystem(Options options, FileSystem& base = PosixFileSystem())
      : options_(options), base_(base) {}

  Result<std::unique_ptr<AppendFile>> OpenForAppend(const std::string& path, AppendOptions options) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Remove(const std::string& path) override;
  Status Truncate(const std::string& path, uint64_t size) override;
  Status SyncDirectory(const std::string& directory) override;

  // Changes requested so far; if below fail_at, no fault occurred.
  uint64_t changes() const;
  // The first change that failed: "sync /path/to/file"; empty if none did.
  std::string failed() const;
  // Simulates a power cut: every file appended to through this object loses its unsynced data. (Renames are
  // kept whether or not their folder was synced: the journals of the common file systems order them.)
  Status DropUnsynced();

 private:
  friend class FaultAppendFile;
  // Counts a change. IoError if this change, or an earlier one, has to fail.
  Status Next(const std::string& doing, const std::string& path, bool is_sync = false) CRV_EXCLUDES(mu_);
  void NoteSynced(const std::string& path) CRV_EXCLUDES(mu_);

  const Options options_;
  FileSystem& base_;
  mutable Mutex mu_;
  uint64_t changes_ CRV_GUARDED_BY(mu_) = 0;
  std::string failed_ CRV_GUARDED_BY(mu_);
  std::map<std::string, uint64_t> synced_bytes_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello
