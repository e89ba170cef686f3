// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/input_file.h"
#include "base/status.h"

namespace crivello {

// A file for data that exceeds memory: written at its end, read anywhere. It has no name, so it vanishes with
// the object or the process. One thread writes at a time; any thread may read.
class ScratchFile {
 public:
  // The prefix of its name until it is unlinked; a crash just then may leave an empty file.
  static constexpr std::string_view kPrefix = "scratch-";

  // REQUIRES: the folder exists.
  static Result<ScratchFile> Create(const std::string& folder, FileSystem& fs = PosixFileSystem());

  Status Append(Bytes bytes);
  uint64_t size() const { return size_; }
  const InputFile& input() const { return *input_; }

 private:
  ScratchFile(std::unique_ptr<AppendFile> file, std::unique_ptr<InputFile> input)
      : file_(std::move(file)), input_(std::move(input)) {}

  std::unique_ptr<AppendFile> file_;
  std::unique_ptr<InputFile> input_;  // its address is stable when this object is moved
  uint64_t size_ = 0;
};

}  // namespace crivello
