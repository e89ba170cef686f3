// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello::jobs {

// The folder `links` of a tablet:
//   by-target   links_file.h
//   lock        held by whoever writes or removes these files
//   scratch/    what a job sorts on the disk; left empty by a crash
// and temporaries of by-target, if a crash left any.

std::string LinksPath(const std::string& folder);
std::string LinksScratchPath(const std::string& folder);

// The right to write or remove the links of tablets that one process owns; goes with the object or the
// process.  A job writes while pages are forgotten, which removes what it wrote, so one waits for the other.
class LinksLock {
 public:
  // Waits until nobody has it.  Makes the folders if they are missing.  REQUIRES: all who write or remove
  // links in these folders name the same folder first.
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
// derived: the next job writes them again.
Status RemoveLinks(std::span<const std::string> folders);

}  // namespace crivello::jobs
