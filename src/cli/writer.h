// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <atomic>
#include <cstdio>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace crivello::cli {

// The only way in which the program prints, to standard output and standard error.  Calls to print never
// fail: the writer remembers the first error.  So a command prints without checking, a long loop stops when
// ok() is false, and Main() derives the exit code from status().
//
// REQUIRES: SIGPIPE is ignored, as in main(); a closed pipe is then an error like any other. Thread-safe; the
// output of one call stays together.
class Writer {
 public:
  enum class AfterError {
    kStop,      // results: output after a gap is worthless
    kTryAgain,  // a log: its lines are independent, and the disk may have space again
  };
  // The file must stay open, and outlive the writer.
  explicit Writer(std::FILE* file, AfterError after = AfterError::kStop) : file_(file), after_(after) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  template <typename... Args>
  void Print(fmt::format_string<Args...> format, Args&&... args) {
    PrintFormatted(format, fmt::make_format_args(args...));
  }
  void Write(std::string_view bytes);

  // Writes what is buffered, and returns status().
  Status Flush();

  // False once a write has failed.  Writing buffered bytes may still fail later.
  bool ok() const { return error() == 0; }
  // "cannot write to standard output: ..." for the first write that failed.
  Status status() const;
  // Whether it failed because the reader of a pipe has closed it, as `head` does.
  bool reader_has_gone() const;

  bool is_terminal() const;

 private:
  void PrintFormatted(fmt::string_view format, fmt::format_args args);
  bool Writes() const { return ok() || after_ == AfterError::kTryAgain; }
  int error() const { return error_.load(std::memory_order_relaxed); }
  void Fail(int error);

  std::FILE* const file_;
  const AfterError after_;
  std::atomic<int> error_ = 0;  // the errno of the first write that failed
};

}  // namespace crivello::cli
