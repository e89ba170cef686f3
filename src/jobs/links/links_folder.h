// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::jobs {

// The folder `links` of a tablet:
//   by-target   links_file.h
//   lock        held while these files are written or removed
//   scratch/    temporary files of a job's sort; removed after a crash
// and temporary files of by-target, if a crash left any.

std::string LinksPath(const std::string& folder);
std::string LinksScratchPath(const std::string& folder);

// The exclusive right to write or remove the links of tablets that one process owns, released with the object
// or the process.  Forgetting pages removes the files that a job writes, so each must wait for the other.
class LinksLock {
 public:
  // Waits until nobody has it.  Creates the folders if they are missing.  REQUIRES: all callers that write or
  // remove links in these folders pass the same folder first.
  static Result<LinksLock> Take(std::span<const std::string> folders);
  LinksLock(LinksLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  LinksLock& operator=(LinksLock&&) = delete;
  ~LinksLock();

 private:
  explicit LinksLock(int fd) : fd_(fd) {}
  int fd_;
};

// Removes what a crash left in the folder.  REQUIRES: the caller has the lock.
Status RemoveLeftovers(const std::string& folder, FileSystem& fs = PosixFileSystem());

// Removes the links files of the folders and what a crash left there, durably; waits for the lock.  They are
// derived data: the next job writes them again.
Status RemoveLinks(std::span<const std::string> folders);

}  // namespace crivello::jobs
