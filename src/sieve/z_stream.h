// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"
#include "sieve/z_file.h"

namespace crivello::sieve {

// A Z file as a stream of signatures, one at a time, for MergeSorted.

// Reads a Z file: one decoded page in memory, and the window of a ZCursor. One thread at a time.
class ZSource {
 public:
  static Result<ZSource> Open(const std::string& path);
  // An empty Z.
  ZSource() = default;

  bool Next() {
    if (at_ == page_.size() && !NextPage()) return false;
    signature_ = page_[at_++];
    return true;
  }
  uint64_t signature() const { return signature_; }
  const Status& status() const { return status_; }

 private:
  bool NextPage();

  std::unique_ptr<const ZFile> file_;  // at a stable address for the cursor, even if this is moved
  std::optional<ZCursor> cursor_;
  std::vector<uint64_t> page_;
  size_t at_ = 0;
  uint64_t signature_ = 0;
  Status status_;
};

// Writes a Z file. One thread at a time.
class ZSink {
 public:
  static Result<ZSink> Create(const std::string& path, FileSystem& fs = PosixFileSystem());

  Status Append(uint64_t signature) {
    block_.push_back(signature);
    return block_.size() < kBlock ? Status::Ok() : Flush();
  }
  Status Finish();

 private:
  static constexpr size_t kBlock = 4096;

  explicit ZSink(ZWriter writer) : writer_(std::move(writer)) {}
  Status Flush();

  ZWriter writer_;
  std::vector<uint64_t> block_;
};

}  // namespace crivello::sieve
