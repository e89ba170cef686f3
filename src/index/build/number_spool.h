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

// Stores numbers and reads them back in the same order.  Up to kBuffered of them are in memory, the others in
// an unnamed file; nothing is stored while all are equal.  One thread at a time.
class NumberSpool {
 public:
  static constexpr size_t kBuffered = 32 << 10;
  // The file is in the existing folder `scratch`; if that is empty, all numbers stay in memory.
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

  // Calls take(number) for each number, in order.  May be called repeatedly, after the last number was added.
  // Returns a disk error, including one that occurred while numbers were added.
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
  // Reads the numbers from `at` on: kBuffered of them, or up to the last.
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
