// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::cluster {

// A file below a folder.
struct SharedFile {
  std::string path;  // relative to the folder
  uint64_t id = 0;   // its inode: another one after it was replaced
  friend bool operator==(const SharedFile&, const SharedFile&) = default;
};

// What the fence needs from a file system that several machines share.  Each call is one operation, so that a
// test can let another agent act between any two of them, and can answer as a cache of a network file system
// would.  Thread-safe.
class SharedFiles {
 public:
  // Whether names may come from a cache of this machine.  Network file systems keep listings for some
  // seconds; kFresh asks the server.
  enum class Look { kCached, kFresh };

  virtual ~SharedFiles() = default;
  // The names in a folder, sorted; NotFound if there is no such folder.
  virtual Result<std::vector<std::string>> List(const std::string& folder, Look look) = 0;
  // The files below a folder, sorted by path.  Others may change it meanwhile.
  virtual Result<std::vector<SharedFile>> Tree(const std::string& folder) = 0;
  virtual Result<std::string> Read(const std::string& path) = 0;
  // Creates or replaces a small file; durable only after Sync() and SyncFolder().
  virtual Status Write(const std::string& path, std::string_view bytes) = 0;
  virtual Status Sync(const std::string& path) = 0;
  // Makes the names in a folder durable.
  virtual Status SyncFolder(const std::string& folder) = 0;
  // Gives a file a second name.  False if the name exists already: of several callers one gets true.
  virtual Result<bool> Link(const std::string& from, const std::string& to) = 0;
  // Copies a file, replacing what is there, and syncs the copy.
  virtual Status Copy(const std::string& from, const std::string& to) = 0;
  // Also those above it.
  virtual Status MakeFolder(const std::string& path) = 0;
  virtual Status Remove(const std::string& path) = 0;
  // A folder and all in it; nothing if there is none.
  virtual Status RemoveTree(const std::string& folder) = 0;
};

// The machine's own, as it is mounted.  Writes go through `fs`.
//
// kFresh opens the folder before it reads it.  NFS revalidates a folder at each open (close-to-open
// consistency) unless it is mounted with `nocto`; CephFS, GFS2 and local file systems have no stale names.
class PosixSharedFiles final : public SharedFiles {
 public:
  explicit PosixSharedFiles(FileSystem& fs = PosixFileSystem()) : fs_(fs) {}
  Result<std::vector<std::string>> List(const std::string& folder, Look look) override;
  Result<std::vector<SharedFile>> Tree(const std::string& folder) override;
  Result<std::string> Read(const std::string& path) override;
  Status Write(const std::string& path, std::string_view bytes) override;
  Status Sync(const std::string& path) override;
  Status SyncFolder(const std::string& folder) override;
  Result<bool> Link(const std::string& from, const std::string& to) override;
  Status Copy(const std::string& from, const std::string& to) override;
  Status MakeFolder(const std::string& path) override;
  Status Remove(const std::string& path) override;
  Status RemoveTree(const std::string& folder) override;

 private:
  FileSystem& fs_;
};

}  // namespace crivello::cluster
