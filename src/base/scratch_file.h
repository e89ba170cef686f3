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

// A file for what does not fit in memory: written at its end, read anywhere, and without a name, so that it
// goes with the object or the process.  One thread writes at a time; what was written may be read by any.
class ScratchFile {
 public:
  // Its name begins so in the moment before it loses it; a crash then may leave an empty file.
  static constexpr std::string_view kPrefix = "scratch-";

  // In a folder that there is.
  static Result<ScratchFile> Create(const std::string& folder, FileSystem& fs = PosixFileSystem());

  Status Append(Bytes bytes);
  uint64_t size() const { return size_; }
  const InputFile& input() const { return *input_; }

 private:
  ScratchFile(std::unique_ptr<AppendFile> file, std::unique_ptr<InputFile> input)
      : file_(std::move(file)), input_(std::move(input)) {}

  std::unique_ptr<AppendFile> file_;
  std::unique_ptr<InputFile> input_;  // stays where it is when this is moved
  uint64_t size_ = 0;
};

}  // namespace crivello
