// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/description.h"
#include "base/file_format.h"
#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"

namespace crivello::care {

// Copies of a collection, each in a folder named by the time of the backup, below one folder:
//
//   DIR/20261116T033000Z/          a collection, in its state at that moment
//   DIR/20261116T033000Z/backup    the list of its files with their checksums; written last
//   DIR/unfinished-...             left by a crash: the next backup removes it
//
// Files that never change (records of the archive, segments of the index, tables of the database) are shared
// by hard links with the collection, or with the previous backup if DIR is on another file system, so a
// backup costs only what has changed.  A backup is complete or absent: it gets its name once everything is on
// disk.
//
// Format of the list: docs/formats/backup.md.

struct BackupFile {
  std::string path = {};  // below the folder of the backup
  uint64_t bytes = 0;
  uint64_t checksum = 0;  // Hash64 of its bytes

  friend bool operator==(const BackupFile&, const BackupFile&) = default;
};

struct BackupList {
  static constexpr FileKind kFileKind = {.name = "backup", .version = 1};

  int64_t made = 0;  // seconds since 1970
  std::vector<BackupFile> files = {};

  std::string Encode() const;
  // Corruption also if a path leads out of the folder.
  static Result<BackupList> Decode(std::string_view payload);
  static Result<BackupList> FromImage(Bytes payload) { return Decode(AsText(payload)); }
  Description Describe() const;
  static Result<BackupList> Read(const std::string& backup);
};

struct BackupSummary {
  std::string name = {};  // of its folder in DIR
  uint64_t files = 0;
  uint64_t bytes = 0;
  uint64_t copied_bytes = 0;              // of these; the rest is shared
  std::vector<std::string> removed = {};  // earlier unfinished backups
};
struct BackupOptions {
  // Copies the last commit of an index to a new folder, and returns up to which change of its table it
  // reaches; nullopt if there is no index.  Empty: indexes are not backed up.
  std::function<Result<std::optional<uint64_t>>(const std::string& index, const std::string& to)> copy_index =
      {};
  // The same number, for the current index.
  std::function<Result<std::optional<uint64_t>>(const std::string& index)> index_sequence = {};
  const Clock* clock = &SystemClock();
};
// May run during a crawl, which pauses while data in memory is written and files are linked. Unavailable
// while another backup, check or deletion is running (care_turn.h).
Result<BackupSummary> Backup(collection::Collection& store, const std::string& folder,
                             const BackupOptions& options, Progress& progress);

// The names of the complete backups, oldest first.
Result<std::vector<std::string>> ListBackups(const std::string& folder);

struct RestoreSummary {
  std::string name = {};  // of the backup
  uint64_t files = 0;
  uint64_t bytes = 0;
};
// Creates `collection`, which must not exist (or be an empty folder), as a copy of a backup: the latest, or
// the one with this name.  Compares every file with its checksum; Corruption names the first that differs,
// and nothing is created.  Copies everything, so that changes of the collection do not affect the backup.
Result<RestoreSummary> Restore(const std::string& folder, const std::optional<std::string>& name,
                               const std::string& collection, Progress& progress);

// Where a backup collects its files, in the collection; removed when it is done, or by the next one.
std::string BackupStagingPath(const std::string& collection);

}  // namespace crivello::care
