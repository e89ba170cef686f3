// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"

namespace crivello {

// A new, empty folder that is removed with all its contents when the object is destroyed.  A process that is
// killed leaves it behind.  Moved from, it is nothing.  One thread at a time.
class ScratchFolder {
 public:
  struct Options {
    std::string prefix = "crivello-";  // of its name
    // In memory (/dev/shm) where the system has such a place: for work that syncs files by the thousand.
    bool in_memory = false;
  };
  // In the folder that TMPDIR names, or /tmp.
  static Result<ScratchFolder> Create(const Options& options);
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace crivello
