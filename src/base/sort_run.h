// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "base/scratch_file.h"
#include "base/status.h"

namespace crivello {

// Creates a scratch file for runs, and its folder if it is missing.
Result<ScratchFile> CreateSortFile(const std::string& folder, FileSystem& fs);

// The position of a sorted run in its scratch file.
struct SortRun {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Appends one run to a scratch file, through a buffer. One thread at a time; the file must outlive it.
class SortRunWriter {
 public:
  explicit SortRunWriter(ScratchFile& file) : file_(file), begin_(file.size()) {}

  void Append(const void* bytes, size_t size) { buffer_.append(static_cast<const char*>(bytes), size); }
  // Must be called after each record; flushes the buffer when it is full.
  Status EndRecord() { return buffer_.size() < kBufferBytes ? Status::Ok() : Flush(); }
  Result<SortRun> Finish();

 private:
  static constexpr size_t kBufferBytes = 1 << 18;

  Status Flush();

  ScratchFile& file_;
  uint64_t begin_;
  std::string buffer_;
};

// Reads a run from its start, through a buffer that grows only for a larger record. One thread at a time; the
// file must outlive the reader.
class SortRunReader {
 public:
  SortRunReader(const InputFile& file, SortRun run, size_t buffer_bytes)
      : file_(&file), next_(run.begin), end_(run.end), buffer_(buffer_bytes) {}

  bool at_end() const { return have_ == at_ && next_ == end_; }
  // Whether the next `size` bytes are in the buffer. If not, Fill(size) loads them, or fails with IoError if
  // the file is too short.
  bool Has(size_t size) const { return have_ - at_ >= size; }
  Status Fill(size_t size);
  // The next bytes, valid until Fill(). REQUIRES: Has() for the bytes that are read.
  const char* data() const { return buffer_.data() + at_; }
  void Skip(size_t size) { at_ += size; }

 private:
  const InputFile* file_;
  uint64_t next_;  // position in the file of the first byte not yet in the buffer
  uint64_t end_;
  std::vector<char> buffer_;
  size_t at_ = 0;    // position in the buffer of the next byte to read
  size_t have_ = 0;  // end of the valid bytes in the buffer
};

}  // namespace crivello
