// SPDX-License-Identifier: Apache-2.0
#include "base/line_reader.h"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

namespace crivello {
namespace {

constexpr size_t kReadBytes = 1 << 16;

}  // namespace

Result<LineReader> LineReader::Open(const std::string& path, size_t max_line_bytes) {
  if (path == "-") return LineReader("standard input", stdin, max_line_bytes);
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return Status::FromErrno("open", path, errno);
  return LineReader(path, file, max_line_bytes);
}

LineReader::LineReader(LineReader&& other) noexcept
    : name_(std::move(other.name_)),
      file_(std::exchange(other.file_, nullptr)),
      max_line_bytes_(other.max_line_bytes_),
      buffer_(std::move(other.buffer_)),
      begin_(other.begin_),
      at_end_(other.at_end_),
      number_(other.number_),
      status_(std::move(other.status_)) {}

LineReader::~LineReader() {
  if (file_ != nullptr && file_ != stdin) std::fclose(file_);
}

// Reads more data after what is in the buffer; false at the end.
bool LineReader::Fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const size_t before = buffer_.size();
  buffer_.resize(before + kReadBytes);
  const size_t got = std::fread(buffer_.data() + before, 1, kReadBytes, file_);
  buffer_.resize(before + got);
  if (got < kReadBytes && std::ferror(file_) != 0) status_ = Status::FromErrno("read", name_, errno);
  return got > 0 && status_.ok();
}

bool LineReader::Next() {
  size_t searched = 0;  // this much of the line is known to contain no LF
  size_t end = std::string::npos;
  while (status_.ok()) {
    end = buffer_.find('\n', begin_ + searched);
    if (end != std::string::npos || at_end_) break;
    searched = buffer_.size() - begin_;
    if (searched > max_line_bytes_) {
      number_++;
      status_ = AtLine(Status::Corruption(fmt::format("longer than {} bytes", max_line_bytes_)));
      return false;
    }
    at_end_ = !Fill();
  }
  if (!status_.ok()) return false;
  if (end == std::string::npos && begin_ == buffer_.size()) return false;
  const size_t stop = end == std::string::npos ? buffer_.size() : end;
  line_ = std::string_view(buffer_).substr(begin_, stop - begin_);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  begin_ = end == std::string::npos ? stop : stop + 1;
  number_++;
  return true;
}

Status LineReader::AtLine(const Status& status) const {
  return status.WithContext(fmt::format("{}: line {}", name_, number_));
}

}  // namespace crivello
