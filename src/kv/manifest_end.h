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

// The durable part of a MANIFEST, RocksDB's list of the tables of a database, "MANIFEST-NUMBER".
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
// RocksDB takes a MANIFEST that was truncated, or that contains a block of zeros, for one from an earlier
// time. The log of that time was deleted when its changes had reached tables, and these tables are no longer
// listed. So it opens the database without them, silently. This file records each end of the MANIFEST after
// it was synced, and so before RocksDB deletes any file that it no longer needs.
//
// A record is passed to the operating system without syncing. If one is lost, an earlier one remains, which
// is also valid because a MANIFEST only grows. Without this file nothing is checked, and nothing is rejected.
class ManifestWitness {
 public:
  static constexpr FileKind kFileKind = {.name = "manifest-end", .version = 1};
  static constexpr const char* kFileName = "manifest-end";

  // Corruption, with the name of the file, if the MANIFEST in a database's folder differs from what was
  // synced. Reads it completely. The process that has the database open may write to it meanwhile.
  static Status Check(const std::string& folder);
  // Corruption if this file itself is damaged, which Check() ignores.
  static Status CheckRecords(const std::string& folder);

  // Starts the file again, with what it has about the current MANIFEST.
  static Result<std::unique_ptr<ManifestWitness>> Open(const std::string& folder,
                                                       FileSystem& fs = PosixFileSystem());
  // Records the end of a synced MANIFEST. A failure costs only the protection, not data, so it is ignored.
  // Thread-safe.
  void Record(const ManifestEnd& end) CRV_EXCLUDES(mu_);
  const std::string& folder() const { return folder_; }

 private:
  ManifestWitness(std::string folder, LogWriter log) : folder_(std::move(folder)), log_(std::move(log)) {}

  const std::string folder_;
  Mutex mu_;
  LogWriter log_ CRV_GUARDED_BY(mu_);
};

// Tracks the bytes of one MANIFEST while it is written. One thread at a time.
class ManifestFollower {
 public:
  // The witness must outlive it.
  ManifestFollower(uint64_t number, ManifestWitness& witness) : witness_(witness) { end_.number = number; }
  void Appended(Bytes bytes);
  void Synced();

 private:
  ManifestWitness& witness_;
  ManifestEnd end_;
  Hasher64 hasher_;
};

// The number in a path that ends in "MANIFEST-NUMBER"; 0 for other files.
uint64_t ManifestNumber(const std::string& path);

}  // namespace crivello::kv
