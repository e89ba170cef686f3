// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "store/record_locator.h"
#include "store/warc_record.h"

namespace crivello::store {

// The files of an archive folder by serial number. A name is "crivello-TIME-SERIAL.warc.gz" (or .warc.zst,
// .warc): the creation time in fourteen digits, and the serial number in eight or more.
struct ArchiveFile {
  uint32_t serial = 0;
  std::string name;
  std::string index_name;  // "crivello-TIME-SERIAL.cdxj"
  bool has_index = false;  // full or closed, so nobody writes to it any more
};
// In order of serial number; other files are ignored. IoError if the folder cannot be read.
Result<std::vector<ArchiveFile>> ListArchive(const std::string& directory);
std::string ArchiveFileName(std::string_view prefix, int64_t time, uint32_t serial,
                            std::string_view extension);
// Whether this may be a prefix of file names: 1 to 64 letters, digits, '-' and '_'.
bool IsArchivePrefix(std::string_view prefix);

// A record and the bytes that its views look into.  Movable.
class ArchivedRecord {
 public:
  ArchivedRecord(ArchivedRecord&&) noexcept;
  ArchivedRecord& operator=(ArchivedRecord&&) noexcept;
  ~ArchivedRecord();
  const WarcRecord& operator*() const;
  const WarcRecord* operator->() const;

 private:
  friend class ArchiveReader;
  struct State;
  explicit ArchivedRecord(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Reads single records of an archive while this or another process appends to it, whether or not they have
// been synced. A read opens the file, reads the record's bytes and closes it: a few microseconds besides
// decompression, and no file descriptor is kept open. Thread-safe.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::string directory) : directory_(std::move(directory)) {}

  // NotFound if there is no such file; Corruption if there is no whole record of that length at that place.
  Result<ArchivedRecord> Read(const RecordLocator& locator) const CRV_EXCLUDES(mu_);
  // The records of a capture: the one at the locator, then those that belong to it (request, metadata).
  Result<std::vector<ArchivedRecord>> ReadCapture(const RecordLocator& locator) const;

  // The target URI of the record that begins at `offset`. Reads only the head: a few kilobytes, however long
  // the record is. NotFound if there is no such file, or no record with a target.
  Result<std::string> UrlAt(uint32_t serial, uint64_t offset) const;

  Result<std::string> PathOf(uint32_t serial) const CRV_EXCLUDES(mu_);

 private:
  const std::string directory_;
  mutable Mutex mu_;
  mutable std::map<uint32_t, std::string> names_ CRV_GUARDED_BY(mu_);  // from the latest listing
};

}  // namespace crivello::store
