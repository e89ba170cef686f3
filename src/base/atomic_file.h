// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/file_system.h"

namespace crivello {

// Writes a file that appears completely or not at all. The bytes go to a temporary file beside `path`;
// Finish() syncs it, renames it to `path` and syncs the folder. Until Finish() returns ok, a reader sees the
// old content, even after a crash. The destructor removes an unfinished file. One thread at a time.
class AtomicFile {
 public:
  static Result<AtomicFile> Create(const std::string& path, FileSystem& fs = PosixFileSystem());
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  Status Append(Bytes bytes);  // buffered
  Status Finish();
  uint64_t size() const { return size_; }

 private:
  AtomicFile(std::string path, std::unique_ptr<AppendFile> file, FileSystem& fs);
  Status Flush();

  std::string path_;
  std::string temporary_;
  std::unique_ptr<AppendFile> file_;  // null once finished or moved from
  FileSystem* fs_;
  std::vector<std::byte> buffer_;
  uint64_t size_ = 0;
};

// Replaces `path` by `bytes`, atomically and durably.
Status WriteFileAtomically(const std::string& path, Bytes bytes, FileSystem& fs = PosixFileSystem());

}  // namespace crivello
