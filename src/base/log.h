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

// A checksummed append-only log of records. Records acknowledged by Sync() survive a crash. Later ones may be
// lost; opening the log cuts off a torn tail and reports it.
//
// Each record states how much of the file was known to be on disk when it was written. So a bad record is
// either part of the tail that a crash may tear (no valid record after it claims that it was synced), or
// damage to acknowledged data: Corruption, and nothing is cut. The one ambiguous case is damage within the
// data acknowledged by the last Sync() before the end of the file; it is treated as a torn tail. Format:
// docs/formats/log.md.

constexpr uint32_t kMaxLogRecordBytes = 1u << 30;

struct LogRecovery {
  uint64_t records = 0;     // number of good records
  uint64_t good_bytes = 0;  // length of the good part of the file, including the header
  uint64_t torn_bytes = 0;  // bytes after the good part; LogWriter::Open cuts them off
};

// Calls `visit` for each good record in order, and stops at its first error. Changes nothing. Corruption if
// the file is not a log of this kind, or if acknowledged records are damaged.
Result<LogRecovery> ReadLog(const std::string& path, FileKind kind,
                            const std::function<Status(Bytes)>& visit);

// Reads the good records of a log one by one, in constant memory (that of the largest record), even while it
// is being written: it sees what Sync() has made durable. It cannot distinguish a torn tail from damage;
// callers that must should count the records, or open the log for writing. One thread at a time.
class LogReader {
 public:
  static Result<LogReader> Open(const std::string& path, FileKind kind);
  // The next good record, valid until the next call; nullopt if there is none (yet).
  Result<std::optional<Bytes>> Next();

 private:
  LogReader(InputFile file, uint64_t seed) : file_(std::move(file)), seed_(seed) {}
  // The bytes of the file at offset_: `size` of them, or fewer at its end.
  Result<Bytes> Peek(size_t size);

  InputFile file_;
  uint64_t seed_;                   // the header's checksum
  uint64_t offset_ = kHeaderBytes;  // of the next record
  std::vector<std::byte> buffer_;
  size_t begin_ = 0;  // position in buffer_ of the byte at offset_
  size_t end_ = 0;
};

// One thread at a time.
class LogWriter {
 public:
  struct Opened;
  // Opens a log, or creates it if it is missing. Passes its records to `replay` and cuts off a torn tail.
  static Result<Opened> Open(const std::string& path, FileKind kind,
                             const std::function<Status(Bytes)>& replay, FileSystem& fs = PosixFileSystem());

  // Appends a record, buffered. An error leaves the log as it was before this call: retry once the cause (a
  // full disk) is gone.
  Status Append(Bytes record);
  // Passes all records to the operating system: they survive a crash of the process, not of the machine.
  Status Flush();
  // Makes all records durable. After a failed sync the content of the disk is unknown (the kernel forgets
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
  std::vector<std::byte> buffer_;  // complete records that follow written_
  bool torn_ = false;              // a failed append may have left bytes after written_
  Status broken_;                  // the sync that failed
};

struct LogWriter::Opened {
  LogWriter writer;
  LogRecovery recovery;
};

}  // namespace crivello
