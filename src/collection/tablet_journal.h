// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/file_system.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/status.h"
#include "sieve/sieve.h"
#include "store/archive.h"

namespace crivello::collection {

// The state of the stores of a tablet at a commit: when the tablet is opened again, each must have at least
// that.
struct TabletState {
  uint64_t sequence = 0;  // of the database (kv::Database::sequence)
  uint64_t epoch = 0;     // of the lease under which it was committed
  store::ArchiveEnd archive = {};
  sieve::SievePosition sieve = {};

  // Takes the later state from `other`, for each store.
  void Advance(const TabletState& other);
  friend bool operator==(const TabletState&, const TabletState&) = default;
};

// The file `commits` of a tablet: its state after each commit, written when the commit is on the disk and
// before anything is acknowledged.  A tablet has four stores, each with a log of its own, and each of them
// opens without an error if its last records are missing.  The journal shows that they are missing.
//
// A record survives a crash of the process, but not always one of the machine.  The stores were synced
// before, so a journal that is behind them does no harm.  One write of 80 bytes for each commit; the file is
// replaced by its last record when it has grown to kMaxBytes.
//
// Thread-safe.  Format: docs/formats/tablet-journal.md.
class TabletJournal {
 public:
  static constexpr FileKind kFileKind = {.name = "tablet-journal", .version = 1};
  static constexpr uint64_t kMaxBytes = 1 << 20;

  // Creates it if it is missing.  Corruption if it is damaged before its end.
  static Result<std::unique_ptr<TabletJournal>> Open(const std::string& path,
                                                     FileSystem& fs = PosixFileSystem());
  // The last state in a journal that another process may have open; nothing if there is none.
  static Result<std::optional<TabletState>> ReadLast(const std::string& path);
  // Corruption also if its end is damaged, which opening would cut off; Ok if there is no journal.
  static Status Check(const std::string& path);

  // The state recorded last, here or by an earlier process.
  TabletState last() const CRV_EXCLUDES(mu_);
  // Records the state if it is later than the last one.
  Status Record(const TabletState& state) CRV_EXCLUDES(mu_);
  // Makes the records durable.
  Status Sync() CRV_EXCLUDES(mu_);

 private:
  TabletJournal(std::string path, LogWriter log, const TabletState& last, FileSystem& fs)
      : path_(std::move(path)), fs_(fs), log_(std::move(log)), last_(last) {}
  Status StartOver() CRV_REQUIRES(mu_);

  const std::string path_;
  FileSystem& fs_;
  mutable Mutex mu_;
  std::optional<LogWriter> log_ CRV_GUARDED_BY(mu_);  // nothing after a failure to start over
  TabletState last_ CRV_GUARDED_BY(mu_);
};

// The bytes of a record, and back.  Corruption if they are not one.
std::string EncodeTabletState(const TabletState& state);
Result<TabletState> DecodeTabletState(Bytes bytes);

}  // namespace crivello::collection
