// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/file_system.h"
#include "base/status.h"
#include "index/segments/live_documents.h"
#include "index/segments/manifest.h"

namespace crivello::index {

// What a writer does in the folder of an index (docs/formats/index-manifest.md), besides segments.

// The exclusive right to write an index: a lock on the file `lock` in its folder, released with the object or
// the process.
class IndexLock {
 public:
  // Creates the folder if it is missing.  Unavailable if someone has the lock.
  static Result<IndexLock> Take(const std::string& index);
  IndexLock(IndexLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  IndexLock& operator=(IndexLock&&) = delete;
  ~IndexLock();

 private:
  explicit IndexLock(int fd) : fd_(fd) {}
  int fd_;
};

// Removes files that the manifest does not name: segments, deletions and ranks of writers that crashed, and
// temporary files.
Status RemoveStaleFiles(const std::string& index, const Manifest& manifest, FileSystem& fs);
// Removes a segment and its folder, if it exists.
Status RemoveSegment(const std::string& index, uint64_t id, FileSystem& fs);

// The folder where the builder of segments may put what does not fit in memory.
std::string ScratchPath(const std::string& index);

}  // namespace crivello::index
