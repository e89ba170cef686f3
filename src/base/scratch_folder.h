// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"

namespace crivello {

// A new, empty folder; the destructor removes it with its contents. A killed process leaves it behind. After
// a move the source owns nothing. One thread at a time.
class ScratchFolder {
 public:
  struct Options {
    std::string prefix = "crivello-";  // of the folder's name
    std::string folder = {};           // where it is created; empty: TMPDIR or /tmp
    // In memory (/dev/shm) if the system supports it: for work that syncs thousands of files.
    bool in_memory = false;
  };
  // IoError if it cannot be created.
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
