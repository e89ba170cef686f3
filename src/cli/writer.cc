// SPDX-License-Identifier: Apache-2.0
#include "cli/writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>

namespace crivello::cli {

void Writer::PrintFormatted(fmt::string_view format, fmt::format_args args) {
  fmt::memory_buffer text;
  fmt::vformat_to(std::back_inserter(text), format, args);
  Write({text.data(), text.size()});
}

void Writer::Write(std::string_view bytes) {
  if (!Writes()) return;
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) Fail(errno);
}

Status Writer::Flush() {
  if (Writes()) {
    errno = 0;
    if (std::fflush(file_) != 0) Fail(errno);
  }
  return status();
}

Status Writer::status() const {
  return ok() ? Status::Ok() : Status::FromErrno("write to", "standard output", error());
}

bool Writer::reader_has_gone() const { return error() == EPIPE; }

bool Writer::is_terminal() const { return isatty(fileno(file_)) != 0; }

void Writer::Fail(int error) {
  int none = 0;
  error_.compare_exchange_strong(none, error == 0 ? EIO : error, std::memory_order_relaxed);
}

}  // namespace crivello::cli
