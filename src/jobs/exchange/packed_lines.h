// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "base/mapped_file.h"
#include "base/status.h"
#include "store/byte_source.h"

namespace crivello::jobs {

// The lines of a text file, plain or compressed by gzip in any number of members.  A line ends with LF; the
// last one may lack it.  Memory: one line and one member, of which at most 16 MiB are inflated at once. One
// thread at a time.
class PackedLines {
 public:
  static constexpr size_t kMaxLineBytes = 1 << 16;

  static Result<PackedLines> Open(const std::string& path);
  // Reads bytes, which must outlive it; `name` is for errors.
  static PackedLines Of(std::string_view bytes, std::string name);

  // Moves to the next line; false at the end, or on an error that status() then returns: a line that is too
  // long, or damaged or truncated data.
  bool Next();
  std::string_view line() const { return line_; }  // until the next call
  uint64_t number() const { return number_; }      // from 1
  const Status& status() const { return status_; }
  // Corruption that names the file and the line.
  Status Bad(std::string_view why) const;

 private:
  PackedLines() = default;
  bool Fill();

  std::string name_;
  std::unique_ptr<MappedFile> file_;
  std::string_view rest_;  // of the file, beginning with the current member
  store::SourceMemoryPtr memory_;
  std::unique_ptr<store::ByteSource> source_;
  bool packed_ = false;
  std::string buffer_;
  size_t begin_ = 0;  // start of the part that was not returned yet
  bool at_end_ = false;
  std::string_view line_;
  uint64_t number_ = 0;
  Status status_;
};

// Writes a text file compressed by gzip, atomically.  The same text gives the same bytes with the same
// version of zlib.  One thread at a time.
class PackedTextWriter {
 public:
  static Result<PackedTextWriter> Create(const std::string& path, FileSystem& fs = PosixFileSystem());
  PackedTextWriter(PackedTextWriter&&) noexcept;
  PackedTextWriter& operator=(PackedTextWriter&&) = delete;
  ~PackedTextWriter();

  Status Append(std::string_view text);
  Status Finish();

 private:
  struct Stream;
  PackedTextWriter(AtomicFile file, std::unique_ptr<Stream> stream);
  Status Deflate(std::string_view text, bool last);

  AtomicFile file_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace crivello::jobs
