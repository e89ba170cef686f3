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

// A segment is a set of named parts, each written once from its start to its end: "body.terms", "values".

// One part under way.  One thread at a time.
class PartWriter {
 public:
  virtual ~PartWriter() = default;  // a part that was not finished is not there
  virtual Status Append(Bytes bytes) = 0;
  // Pads the part with zeros to a multiple of 8 bytes and ends it.
  virtual Status Finish() = 0;
};

// Where the parts of a segment go.  One thread at a time, but parts that were created may be written by as
// many threads; the sink outlives them.
class SegmentSink {
 public:
  virtual ~SegmentSink() = default;
  virtual Result<std::unique_ptr<PartWriter>> Create(std::string_view name, FileKind kind) = 0;
  // A folder for files that are gone before the segment is finished; empty if there is none.
  virtual std::string scratch() const { return {}; }
  // A part in one piece.
  Status Write(std::string_view name, FileKind kind, Bytes bytes);
};

// Files of a folder, in the envelope of all our files.
class DirectorySink final : public SegmentSink {
 public:
  // Makes the folder if it is missing, and its name durable.
  static Result<DirectorySink> Open(const std::string& directory, FileSystem& fs = PosixFileSystem());
  Result<std::unique_ptr<PartWriter>> Create(std::string_view name, FileKind kind) override;
  std::string scratch() const override { return directory_; }

 private:
  DirectorySink(std::string directory, FileSystem& fs) : directory_(std::move(directory)), fs_(&fs) {}

  std::string directory_;
  FileSystem* fs_;
};

// The parts of a segment by name, in memory: the payloads that the files would have.
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
