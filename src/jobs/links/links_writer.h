// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/file_format.h"
#include "base/status.h"
#include "jobs/links/link_record.h"
#include "jobs/links/links_format.h"

namespace crivello::jobs {

// Writes a links file (links_file.h), which replaces the one before when it is finished.  Memory: one block,
// and eight bytes for each block that was written.  One thread at a time.
class LinksWriter {
 public:
  static Result<LinksWriter> Create(const std::string& path, const LinksOrigin& origin,
                                    FileSystem& fs = PosixFileSystem());

  // InvalidArgument if the target, or with the same target the source, is less than the one before.
  // REQUIRES: kind <= kMaxLinkKind and flags <= link_flag::kAll.
  Status Add(const LinkRecord& link);
  Status Finish();

 private:
  LinksWriter(FormatFileWriter file, std::string origin) : file_(std::move(file)) {
    tail_.origin = std::move(origin);
  }
  Status EndBlock();

  FormatFileWriter file_;
  LinksTail tail_;
  std::string block_;
  uint64_t block_records_ = 0;
  // The record before; a block begins with empty ones.
  std::string target_;
  std::string source_;
  std::string text_;
};

}  // namespace crivello::jobs
