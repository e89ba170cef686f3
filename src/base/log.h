// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file_header.h"
#include "base/file_system.h"
#include "base/input_file.h"
#include "base/status.h"

namespace crivello {

// A checksummed append-only log of records.  What Sync() has acknowledged survives a crash; what came after
// it may be lost, and a torn tail is cut when the log is opened again, which says so.
//
// Each record carries how much of the file was known to be on the disk when it was written.  So a bad record
// is either part of the tail that a crash may tear (nothing valid after it claims that it was synced), or
// damage to acknowledged data: Corruption, and nothing is cut.  The one case that cannot be told apart is
// damage within what the last Sync() before the end of the file acknowledged; it is taken for a torn tail.
// Format: docs/formats/log.md.

constexpr uint32_t kMaxLogRecordBytes = 1u << 30;

struct LogRecovery {
  uint64_t records = 0;     // good ones
  uint64_t good_bytes = 0;  // of the file, header included
  uint64_t torn_bytes = 0;  // after them; cut by LogWriter::Open
};

// Calls `visit` for each good record in order and stops at its first error.  Changes nothing.
// Corruption if the file is no log of this kind or acknowledged records are damaged.
Result<LogRecovery> ReadLog(const std::string& path, FileKind kind,
                            const std::function<Status(Bytes)>& visit);

// Reads the good records of a log one by one, in constant memory (that of the largest record), also while it
// is written: what Sync() has made durable is there.  It cannot tell a torn tail from damage; who must know
// the difference counts the records, or opens the log for writing.  One thread at a time.
class LogReader {
 public:
  static Result<LogReader> Open(const std::string& path, FileKind kind);
  // The next good record, until the next call; nothing if there is none (yet).
  Result<std::optional<Bytes>> Next();

 private:
  LogReader(InputFile file, uint64_t seed) : file_(std::move(file)), seed_(seed) {}
  // The bytes of the file from offset_ on: `size` of them, fewer at its end.
  Result<Bytes> Peek(size_t size);

  InputFile file_;
  uint64_t seed_;                   // the header's checksum
  uint64_t offset_ = kHeaderBytes;  // of the next record
  std::vector<std::byte> buffer_;
  size_t begin_ = 0;  // in buffer_, of the byte at offset_
  size_t end_ = 0;
};

// One thread at a time.
class LogWriter {
 public:
  struct Opened;
  // Opens a log, making it if it is missing; gives its records to `replay` and cuts a torn tail.
  static Result<Opened> Open(const std::string& path, FileKind kind,
                             const std::function<Status(Bytes)>& replay, FileSystem& fs = PosixFileSystem());

  // Appends a record, buffered.  An error leaves the log as it was before this call: try again when the
  // cause (a full disk) is gone.
  Status Append(Bytes record);
  // Gives all records to the system: they survive the end of the process, but not that of the machine.
  Status Flush();
  // Makes all records durable.  After a failed sync no one knows what the disk holds (the kernel forgets
  // which pages it failed to write), so every later call fails: open the log again.
  Status Sync();

  uint64_t size_bytes() const { return written_ + buffer_.size(); }

 private:
  LogWriter(std::string path, uint64_t seed, uint64_t size, std::unique_ptr<AppendFile> file, FileSystem& fs);

  std::string path_;
  uint64_t seed_;     // the header's checksum
  uint64_t written_;  // bytes of the file that are good records
  uint64_t synced_;   // bytes of the file known to be durable
  std::unique_ptr<AppendFile> file_;
  FileSystem* fs_;
  std::vector<std::byte> buffer_;  // whole records that follow written_
  bool torn_ = false;              // a failed append may have left bytes after written_
  Status broken_;                  // the sync that failed
};

struct LogWriter::Opened {
  LogWriter writer;
  LogRecovery recovery;
};

}  // namespace crivello
