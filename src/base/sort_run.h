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

// A scratch file for runs; makes its folder if it is missing.
Result<ScratchFile> CreateSortFile(const std::string& folder, FileSystem& fs);

// Where a sorted run lies in its scratch file.
struct SortRun {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Appends one run to a scratch file, through a buffer.  One thread at a time; the file outlives the writer.
class SortRunWriter {
 public:
  explicit SortRunWriter(ScratchFile& file) : file_(file), begin_(file.size()) {}

  void Append(const void* bytes, size_t size) { buffer_.append(static_cast<const char*>(bytes), size); }
  // Call it after each record: the buffer goes to the file when it is full.
  Status EndRecord() { return buffer_.size() < kBufferBytes ? Status::Ok() : Flush(); }
  Result<SortRun> Finish();

 private:
  static constexpr size_t kBufferBytes = 1 << 18;

  Status Flush();

  ScratchFile& file_;
  uint64_t begin_;
  std::string buffer_;
};

// Reads a run from its start, through a buffer that grows only for a record larger than it.  One thread at a
// time; the file outlives the reader.
class SortRunReader {
 public:
  SortRunReader(const InputFile& file, SortRun run, size_t buffer_bytes)
      : file_(&file), next_(run.begin), end_(run.end), buffer_(buffer_bytes) {}

  bool at_end() const { return have_ == at_ && next_ == end_; }
  // Whether the next `size` bytes are in the buffer; if not, Fill(size) puts them there, or fails with
  // IoError because the file does not have them.
  bool Has(size_t size) const { return have_ - at_ >= size; }
  Status Fill(size_t size);
  // What comes next: REQUIRES Has() of what is looked at.  It stays until Fill().
  const char* data() const { return buffer_.data() + at_; }
  void Skip(size_t size) { at_ += size; }

 private:
  const InputFile* file_;
  uint64_t next_;  // of the file, what is not in the buffer yet
  uint64_t end_;
  std::vector<char> buffer_;
  size_t at_ = 0;    // in the buffer, of what is not passed yet
  size_t have_ = 0;  // in the buffer, the end of that
};

}  // namespace crivello
