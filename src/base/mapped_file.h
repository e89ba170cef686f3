// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/file_system.h"

namespace crivello {

// How a mapped file will be read; controls the kernel's read-ahead.
enum class AccessPattern { kNormal, kSequential, kRandom };

// A file mapped into memory, read-only, while the object lives; bytes() stays valid when the object is moved.
// The file must not shrink meanwhile; ours never do, because they are replaced as a whole. Immutable, so any
// number of threads may read.
class MappedFile {
 public:
  static Result<MappedFile> Open(const std::string& path, AccessPattern pattern = AccessPattern::kNormal);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  Bytes bytes() const { return bytes_; }
  const std::string& path() const { return path_; }

 private:
  MappedFile(std::string path, Bytes bytes) : path_(std::move(path)), bytes_(bytes) {}

  std::string path_;
  Bytes bytes_;
};

}  // namespace crivello
