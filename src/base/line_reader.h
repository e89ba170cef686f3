// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello {

// Reads the lines of a file or of standard input, one at a time, in constant memory. A line ends with LF or
// CR LF, which the last line may lack. One thread at a time.
class LineReader {
 public:
  static constexpr size_t kMaxLineBytes = 2u << 20;

  // "-" is standard input. A line longer than the limit is an error.
  static Result<LineReader> Open(const std::string& path, size_t max_line_bytes = kMaxLineBytes);
  LineReader(LineReader&& other) noexcept;
  LineReader& operator=(LineReader&&) = delete;
  ~LineReader();

  // Advances to the next line; false at the end, or on an error that status() then returns.
  bool Next();
  std::string_view line() const { return line_; }  // valid until the next call
  uint64_t number() const { return number_; }      // from 1
  const Status& status() const { return status_; }
  // The error with the file's name and line number prepended.
  Status AtLine(const Status& status) const;

 private:
  LineReader(std::string name, std::FILE* file, size_t max_line_bytes)
      : name_(std::move(name)), file_(file), max_line_bytes_(max_line_bytes) {}
  bool Fill();

  std::string name_;
  std::FILE* file_;
  size_t max_line_bytes_;
  std::string buffer_;
  size_t begin_ = 0;  // start of the unread bytes
  bool at_end_ = false;
  std::string_view line_;
  uint64_t number_ = 0;
  Status status_;
};

}  // namespace crivello
