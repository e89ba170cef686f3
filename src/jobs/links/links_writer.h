// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/file_format.h"
#include "base/status.h"
#include "jobs/links/link_record.h"
#include "jobs/links/links_format.h"

namespace crivello::jobs {

// Writes a links file (links_file.h), which replaces the previous one when finished.  Memory: one block, and
// eight bytes per written block.  One thread at a time.
class LinksWriter {
 public:
  static Result<LinksWriter> Create(const std::string& path, const LinksOrigin& origin,
                                    FileSystem& fs = PosixFileSystem());

  // InvalidArgument if the target, or for the same target the source, is less than the previous one.
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
  // The previous record; empty at the start of a block.
  std::string target_;
  std::string source_;
  std::string text_;
};

}  // namespace crivello::jobs
