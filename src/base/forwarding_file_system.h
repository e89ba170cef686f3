// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/file_system.h"

namespace crivello {

// A file system for tests that forwards to the machine's own; override what should differ. Thread-safe.
class ForwardingFileSystem : public FileSystem {
 public:
  Result<std::unique_ptr<AppendFile>> OpenForAppend(const std::string& path, AppendOptions options) override {
    return PosixFileSystem().OpenForAppend(path, options);
  }
  Status Rename(const std::string& from, const std::string& to) override {
    return PosixFileSystem().Rename(from, to);
  }
  Status Remove(const std::string& path) override { return PosixFileSystem().Remove(path); }
  Status Truncate(const std::string& path, uint64_t size) override {
    return PosixFileSystem().Truncate(path, size);
  }
  Status SyncDirectory(const std::string& directory) override {
    return PosixFileSystem().SyncDirectory(directory);
  }
};

}  // namespace crivello
