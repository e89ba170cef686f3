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

// Copies of a collection, each a folder of its own named by the time when it was made, below one folder:
//
//   DIR/20261116T033000Z/          a collection, as it was at that moment
//   DIR/20261116T033000Z/backup    which files it has, with their checksums; written last
//   DIR/unfinished-...             what a crash left of one: the next backup removes it
//
// Files that never change (records of the archive, segments of the index, tables of the database) are shared
// by hard links with the collection, or with the backup before if DIR is on another file system; so a backup
// costs what has changed.  A backup is there whole or not at all: it gets its name when all of it is on the
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
  // Corruption also if a path would lead out of the folder.
  static Result<BackupList> Decode(std::string_view payload);
  static Result<BackupList> FromImage(Bytes payload) { return Decode(AsText(payload)); }
  Description Describe() const;
  static Result<BackupList> Read(const std::string& backup);
};

struct BackupSummary {
  std::string name = {};  // of its folder in DIR
  uint64_t files = 0;
  uint64_t bytes = 0;
  uint64_t copied_bytes = 0;              // of those; the rest is shared
  std::vector<std::string> removed = {};  // unfinished ones, of before
};
struct BackupOptions {
  // Puts what was last committed of an index into a new folder, and tells up to which change of its table
  // that reaches; nothing if there is no index.  Empty: no indexes are kept.
  std::function<Result<std::optional<uint64_t>>(const std::string& index, const std::string& to)> copy_index =
      {};
  // The same number, of what is there now.
  std::function<Result<std::optional<uint64_t>>(const std::string& index)> index_sequence = {};
  const Clock* clock = &SystemClock();
};
// May run beside a crawl, which stands still for as long as it takes to write out what is in memory and to
// link files.  Unavailable while another backup, a check or a forgetting has its turn (care_turn.h).
Result<BackupSummary> Backup(collection::Collection& store, const std::string& folder,
                             const BackupOptions& options, Progress& progress);

// The names of the whole ones, oldest first.
Result<std::vector<std::string>> ListBackups(const std::string& folder);

struct RestoreSummary {
  std::string name = {};  // of the backup
  uint64_t files = 0;
  uint64_t bytes = 0;
};
// Makes `collection`, which must not be there (but for an empty folder), a copy of a backup: the last one, or
// that of a name.  Every file is compared with its checksum; Corruption names the first that differs, and
// nothing is made.  All is copied, so that the backup does not change with what is restored.
Result<RestoreSummary> Restore(const std::string& folder, const std::optional<std::string>& name,
                               const std::string& collection, Progress& progress);

// Where a backup gathers its files, in the collection; removed when it is done, or by the next.
std::string BackupStagingPath(const std::string& collection);

}  // namespace crivello::care
