// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello {

// A file that can be read at any offset into the caller's memory. For scans of files much larger than memory,
// whose pages would count as our memory if mapped, and where a disk failure must give a Status instead of a
// signal. Immutable; any number of threads may read.
class InputFile {
 public:
  static Result<InputFile> Open(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  // Fills `out` starting at `offset`; returns the number of bytes read, fewer only at the end of the file.
  Result<size_t> Read(uint64_t offset, std::span<std::byte> out) const;
  const std::string& path() const { return path_; }

 private:
  InputFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  std::string path_;
  int fd_;
};

}  // namespace crivello
