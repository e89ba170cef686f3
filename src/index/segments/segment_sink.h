// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_format.h"
#include "base/file_system.h"
#include "base/status.h"

namespace crivello::index {

// A segment is a set of named parts, each written once from start to end: "body.terms", "values".

// A part that is being written.  One thread at a time.
class PartWriter {
 public:
  virtual ~PartWriter() = default;  // an unfinished part does not exist afterwards
  virtual Status Append(Bytes bytes) = 0;
  // Pads the part with zeros to a multiple of 8 bytes and ends it.
  virtual Status Finish() = 0;
};

// The destination of the parts of a segment.  One thread at a time may call it, but each part that was
// created may be written by a thread of its own; the sink must outlive the parts.
class SegmentSink {
 public:
  virtual ~SegmentSink() = default;
  virtual Result<std::unique_ptr<PartWriter>> Create(std::string_view name, FileKind kind) = 0;
  // A folder for temporary files, which are removed before the segment is finished; empty if there is none.
  virtual std::string scratch() const { return {}; }
  // Writes a part in one piece.
  Status Write(std::string_view name, FileKind kind, Bytes bytes);
};

// Writes parts as files in a folder, in the envelope of all our files.
class DirectorySink final : public SegmentSink {
 public:
  // Creates the folder if it is missing, and makes its name durable.
  static Result<DirectorySink> Open(const std::string& directory, FileSystem& fs = PosixFileSystem());
  Result<std::unique_ptr<PartWriter>> Create(std::string_view name, FileKind kind) override;
  std::string scratch() const override { return directory_; }

 private:
  DirectorySink(std::string directory, FileSystem& fs) : directory_(std::move(directory)), fs_(&fs) {}

  std::string directory_;
  FileSystem* fs_;
};

// The parts of a segment in memory, by name: the payloads that the files would have.
using SegmentParts = std::map<std::string, std::vector<std::byte>, std::less<>>;

class MemorySink final : public SegmentSink {
 public:
  Result<std::unique_ptr<PartWriter>> Create(std::string_view name, FileKind kind) override;
  // REQUIRES: all parts are finished.
  SegmentParts Release() && { return std::move(parts_); }

 private:
  SegmentParts parts_;
};

}  // namespace crivello::index
