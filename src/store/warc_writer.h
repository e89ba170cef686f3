// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/file_system.h"
#include "store/warc_encoder.h"

namespace crivello::store {

struct WarcLocation {
  uint64_t offset = 0;
  uint64_t bytes = 0;
  std::string record_id = {};
  std::string payload_digest = {};  // of the body; empty if there is none
};

// Appends WARC records, made by WarcEncoder, to one file that is written by one thread. A crawl writes
// through Archive instead.
//
// After a failed append the caller must truncate the file: size() is where the good records end. One thread
// at a time.
class WarcWriter {
 public:
  using Options = WarcEncoder::Options;
  // Appends to `file`, which already has `size` bytes; both references must outlive the writer.
  WarcWriter(AppendFile& file, uint64_t size, Options options, Random& random)
      : file_(file), size_(size), encoder_(std::move(options), random) {}

  // InvalidArgument, with nothing written, for drafts that WarcEncoder rejects.
  Result<WarcLocation> Append(const WarcDraft& draft);
  uint64_t size() const { return size_; }

 private:
  AppendFile& file_;
  uint64_t size_;
  WarcEncoder encoder_;
  std::string bytes_;  // scratch
};

}  // namespace crivello::store
