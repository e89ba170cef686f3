// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/scratch_file.h"
#include "base/status.h"

namespace crivello::index {

// Numbers that are written one after the other and read again in that order: in memory up to kBuffered of
// them, then in a file without a name; nowhere as long as all are the same.  One thread at a time.
class NumberSpool {
 public:
  static constexpr size_t kBuffered = 32 << 10;
  // The file is in the folder `scratch`, which there is; without one all is kept in memory.
  explicit NumberSpool(std::string scratch) : scratch_(std::move(scratch)) {}

  void Add(int64_t number) {
    if (size_ == 0) first_ = least_ = greatest_ = number;
    least_ = std::min(least_, number);
    greatest_ = std::max(greatest_, number);
    if (least_ != greatest_) Keep(number);
    size_++;
  }
  void FillTo(uint64_t size, int64_t number) {
    while (size_ < size) Add(number);
  }

  uint64_t size() const { return size_; }
  int64_t least() const { return least_; }
  int64_t greatest() const { return greatest_; }

  // Calls take(number) for each, in order; as often as wanted, after the last was added.  An error of the
  // disk, also of one while they were added.
  template <typename Take>
  Status ForEach(Take take) {
    if (least_ == greatest_) {
      for (uint64_t i = 0; i < size_; i++) take(first_);
      return Status::Ok();
    }
    std::vector<int64_t> some;
    for (uint64_t at = 0; at < size_; at += some.size()) {
      CRV_TRY(Read(at, &some));
      for (const int64_t number : some) take(number);
    }
    return Status::Ok();
  }

 private:
  void Keep(int64_t number);
  Status Spill();
  // The numbers from `at` on, kBuffered or up to the last.
  Status Read(uint64_t at, std::vector<int64_t>* out);

  std::string scratch_;
  uint64_t size_ = 0;
  int64_t first_ = 0;
  int64_t least_ = 0;
  int64_t greatest_ = 0;
  std::vector<int64_t> buffer_;  // the last ones
  uint64_t spilled_ = 0;         // those before them, in the file
  std::optional<ScratchFile> file_;
  Status status_;
};

}  // namespace crivello::index
