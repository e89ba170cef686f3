// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello {

using Bytes = std::span<const std::byte>;

inline Bytes AsBytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
inline std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A file that grows at its end.  One thread at a time.
class AppendFile {
 public:
  virtual ~AppendFile() = default;  // closes the file; unsynced data may be lost
  // Appends all of `bytes`; on failure, some prefix may have been appended.
  virtual Status Append(Bytes bytes) = 0;
  // Returns once everything appended so far is on disk.
  virtual Status Sync() = 0;
};

// Every change that the program makes to files goes through this interface, so that a test can make the Nth
// change fail (FaultFileSystem). Thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // Opens for appending, creating the file if it is missing; `truncate` empties it first.
  struct AppendOptions {
    bool truncate = false;
  };
  virtual Result<std::unique_ptr<AppendFile>> OpenForAppend(const std::string& path,
                                                            AppendOptions options) = 0;
  virtual Status Rename(const std::string& from, const std::string& to) = 0;
  virtual Status Remove(const std::string& path) = 0;
  // Truncates the file to `size` bytes and syncs it.
  virtual Status Truncate(const std::string& path, uint64_t size) = 0;
  // Makes the directory entries durable.
  virtual Status SyncDirectory(const std::string& directory) = 0;
};

// The machine's file system.
FileSystem& PosixFileSystem();

// The folder of a path: "." for a bare name.
std::string DirectoryOf(const std::string& path);

// For reading. NotFound if there is no such file.
Result<uint64_t> FileSize(const std::string& path);
Result<std::string> ReadFile(const std::string& path);

}  // namespace crivello
