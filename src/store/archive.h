// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/mutex.h"
#include "base/random.h"
#include "store/archive_index.h"
#include "store/capture.h"
#include "store/record_locator.h"

namespace crivello::store {

struct ArchiveOptions {
  std::string directory;  // made if it is missing
  // For warcinfo records. Captures come already compressed by a CaptureEncoder with the same options.
  WarcEncoder::Options warc = WarcEncoder::Options();
  uint64_t rotate_bytes = uint64_t{1} << 30;
  std::string prefix = "crivello";                       // of file names; see IsArchivePrefix()
  size_t index_buffer_bytes = IndexLines::kBufferBytes;  // memory for lines of the index
  // Fields of the warcinfo record at the start of each file: software, operator, robots ...
  std::vector<std::pair<std::string, std::string>> warcinfo = {};
  const Clock* clock = &SystemClock();
  FileSystem* fs = &PosixFileSystem();
  uint64_t seed = RandomSeed();  // for record ids
};

// How far an archive has come: the serial number of its last file, and where that ends.
struct ArchiveEnd {
  uint32_t serial = 0;  // 0: no file yet
  uint64_t bytes = 0;
  friend auto operator<=>(const ArchiveEnd&, const ArchiveEnd&) = default;
};

// What opening the archive repaired after a crash. Sentences() has one sentence per file, for the log.
struct ArchiveRecovery {
  struct File {
    std::string name;
    uint64_t cut_bytes = 0;  // cut off: a torn tail
    uint64_t damages = 0;    // damaged places before good records; left as they are
    uint64_t records = 0;
  };
  std::vector<File> files;
  std::vector<std::string> Sentences() const;
};

// The archive of a tablet: append-only WARC files in one folder. A full file is rotated. Each has a CDXJ
// index beside it. docs/formats/archive.md describes the file names and the guarantees.
//
// Append() writes the records of a capture in one piece and returns their location.  They can be read at once
// (ArchiveReader, also from another process), but a crash can lose them until Sync() has returned.  Threads
// that sync at the same time share one fdatasync, and others can append meanwhile.
//
// Only the process that created a file writes it.  Opening after a crash truncates an incomplete last record
// and writes the missing index; the next capture starts a new file.  The index of a file is written when the
// file is full or the archive is closed.  Until then its lines are kept as sorted runs in a temporary file
// without a name, so memory does not grow with the archive.
//
// After a failed append (disk full) the archive is as it was before the call, and the next append can
// succeed. After a failed sync the state of the disk is unknown, so all later calls fail: the caller must
// open the archive again.
//
// Thread-safe. A folder may have at most one Archive object, in one process; the lock of the tablet's
// database ensures that.
class Archive {
 public:
  static Result<std::unique_ptr<Archive>> Open(ArchiveOptions options);
  ~Archive();  // without Close(), the next Open() writes the index of the last file

  const ArchiveRecovery& recovery() const { return recovery_; }

  // Returns the locator of the first record. One write, under the lock. Every rotate_bytes it starts a new
  // file; the caller then writes the index of the full file, outside the lock.
  Result<RecordLocator> Append(const EncodedCapture& capture) CRV_EXCLUDES(mu_);

  // Returns once everything appended before the call is on disk.
  Status Sync() CRV_EXCLUDES(mu_, sync_mu_);

  // Ends the current file, if there is one, and writes its index. The next capture starts a new file.
  Status EndFile() CRV_EXCLUDES(mu_, sync_mu_);

  // Syncs and writes the index. No capture can be appended afterwards.
  Status Close() CRV_EXCLUDES(mu_, sync_mu_);

  // Bytes appended by this object, for reports.
  uint64_t appended_bytes() const CRV_EXCLUDES(mu_);
  // The end of what this object has made durable; zero if nothing.
  ArchiveEnd synced_end() const CRV_EXCLUDES(mu_);

 private:
  // The file that is being written.
  struct Current {
    uint32_t serial = 0;
    std::string path;
    uint64_t size = 0;                 // where its good records end
    bool torn = false;                 // a failed append may have left bytes after them
    std::unique_ptr<AppendFile> file;  // to append to, under mu_
    std::shared_ptr<AppendFile> sync;  // to sync, under sync_mu_: the same file, opened a second time
    IndexLines lines;
  };

  explicit Archive(ArchiveOptions options);
  Status Recover();
  Status StartFile() CRV_REQUIRES(mu_);
  Status AppendBytes(std::string_view bytes) CRV_REQUIRES(mu_);
  // Syncs the current file and moves it to full_.
  Status FinishFile() CRV_REQUIRES(mu_);
  Status WriteIndexes() CRV_EXCLUDES(mu_, index_mu_);

  const ArchiveOptions options_;
  ArchiveRecovery recovery_;

  Mutex index_mu_;  // taken before mu_
  Mutex sync_mu_;   // taken before mu_
  mutable Mutex mu_;
  SeededRandom random_ CRV_GUARDED_BY(mu_);
  WarcEncoder encoder_ CRV_GUARDED_BY(mu_);
  uint32_t next_serial_ CRV_GUARDED_BY(mu_) = 1;
  std::unique_ptr<Current> current_ CRV_GUARDED_BY(mu_);            // null: none yet, or closed
  std::vector<std::unique_ptr<Current>> full_ CRV_GUARDED_BY(mu_);  // synced, index not yet written
  uint64_t appended_ CRV_GUARDED_BY(mu_) = 0;                       // bytes, over all files
  uint64_t synced_ CRV_GUARDED_BY(mu_) = 0;                         // how many of them are on disk
  ArchiveEnd synced_end_ CRV_GUARDED_BY(mu_);
  bool closed_ CRV_GUARDED_BY(mu_) = false;
  Status broken_ CRV_GUARDED_BY(mu_);  // the sync that failed
};

}  // namespace crivello::store
