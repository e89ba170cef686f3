// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/file_header.h"
#include "base/file_system.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/status.h"

namespace crivello::kv {

// How far a MANIFEST was durable: RocksDB's list of the tables of a database, "MANIFEST-NUMBER".
struct ManifestEnd {
  uint64_t number = 0;
  uint64_t bytes = 0;
  uint64_t hash = 0;  // Hash64 of these bytes
  friend bool operator==(const ManifestEnd&, const ManifestEnd&) = default;
};
std::string EncodeManifestEnd(const ManifestEnd& end);
Result<ManifestEnd> DecodeManifestEnd(Bytes record);

// The file `manifest-end` in the folder of a database: the witness of its MANIFEST.
//
// To RocksDB a MANIFEST that was truncated, or that has a block of zeros, is that of an earlier time.  The
// log of that time was deleted when its changes were in tables, and these tables are no longer listed: so it
// opens the database without them and says nothing.  Here each end of the MANIFEST is recorded after it was
// synced, and so before RocksDB deletes any file that it no longer needs.
//
// A record is given to the system and not synced: one that is lost leaves an earlier one, which holds as
// well, for a MANIFEST only grows.  Without the file nothing is known, and nothing is refused.
class ManifestWitness {
 public:
  static constexpr FileKind kFileKind = {.name = "manifest-end", .version = 1};
  static constexpr const char* kFileName = "manifest-end";

  // Corruption, with the name of the file, if the MANIFEST of the database in a folder is not what was
  // synced. Reads it whole.  Whoever has the database open may write to it meanwhile.
  static Status Check(const std::string& folder);
  // Corruption if the file itself is damaged, of which Check() takes no notice.
  static Status CheckRecords(const std::string& folder);

  // Begins the file again, with what it says of the current MANIFEST.
  static Result<std::unique_ptr<ManifestWitness>> Open(const std::string& folder,
                                                       FileSystem& fs = PosixFileSystem());
  // Of a MANIFEST that was synced.  An error costs the protection and not the data, so there is none.
  // Thread-safe.
  void Record(const ManifestEnd& end) CRV_EXCLUDES(mu_);
  const std::string& folder() const { return folder_; }

 private:
  ManifestWitness(std::string folder, LogWriter log) : folder_(std::move(folder)), log_(std::move(log)) {}

  const std::string folder_;
  Mutex mu_;
  LogWriter log_ CRV_GUARDED_BY(mu_);
};

// Follows the bytes of one MANIFEST while it is written.  One thread at a time.
class ManifestFollower {
 public:
  // The witness outlives it.
  ManifestFollower(uint64_t number, ManifestWitness& witness) : witness_(witness) { end_.number = number; }
  void Appended(Bytes bytes);
  void Synced();

 private:
  ManifestWitness& witness_;
  ManifestEnd end_;
  Hasher64 hasher_;
};

// The number of a path that ends in "MANIFEST-NUMBER"; 0: it is another file.
uint64_t ManifestNumber(const std::string& path);

}  // namespace crivello::kv
