// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "base/file_header.h"
#include "base/file_system.h"
#include "base/hash.h"
#include "base/mapped_file.h"

namespace crivello {

// The envelope of all our files except logs: a header (magic, kind, version, checksum), the payload, and a
// footer (payload length and checksum). The footer comes last so that a file can be written in one pass; a
// file without a footer was truncated. docs/formats/envelope.md has the layout.

// Writes such a file, atomically (AtomicFile).  One thread at a time.
class FormatFileWriter {
 public:
  static Result<FormatFileWriter> Create(const std::string& path, FileKind kind,
                                         FileSystem& fs = PosixFileSystem());
  Status Append(Bytes payload);
  // Pads the payload to a multiple of 8 bytes, writes the footer and makes the file appear.
  Status Finish();
  uint64_t payload_bytes() const { return payload_bytes_; }

 private:
  FormatFileWriter(AtomicFile file, uint64_t header_checksum)
      : file_(std::move(file)), header_checksum_(header_checksum) {}

  AtomicFile file_;
  Hasher64 hasher_;
  uint64_t header_checksum_;
  uint64_t payload_bytes_ = 0;
};

// How thoroughly Open() verifies a file.
enum class Verify {
  kPayload,   // everything: a flipped bit anywhere is Corruption. Costs one pass over the file
  kEnvelope,  // header, footer and lengths only, for files that were verified when they were written or
              // by `crivello check`; the structure inside still checks its own lengths.
};

struct FormatFileOptions {
  Verify verify = Verify::kPayload;
  AccessPattern pattern = AccessPattern::kNormal;
};

// An enveloped file, mapped and validated. Immutable; any number of threads may read.
class FormatFile {
 public:
  // Corruption if it is not our file, or is of another kind, an unsupported version, truncated or damaged.
  static Result<FormatFile> Open(const std::string& path, FileKind kind, FormatFileOptions options = {});
  // Opens a file of any of our kinds.
  static Result<FormatFile> OpenAny(const std::string& path, FormatFileOptions options = {});

  std::string_view kind() const { return header_.kind; }
  uint32_t version() const { return header_.version; }
  // Corruption unless it is of this kind and of a version that this program can read.
  Status Expect(FileKind kind) const { return header_.Expect(path(), kind); }
  // Starts at a multiple of 64 bytes in memory; valid as long as this object, even if it is moved.
  Bytes payload() const { return payload_; }
  const std::string& path() const { return file_.path(); }

 private:
  FormatFile(MappedFile file, FileHeader header, Bytes payload)
      : file_(std::move(file)), header_(header), payload_(payload) {}

  MappedFile file_;
  FileHeader header_;  // its kind points into file_
  Bytes payload_;
};

}  // namespace crivello
