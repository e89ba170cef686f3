// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace crivello {

using Duration = std::chrono::nanoseconds;
// Since the epoch of the clock: a monotonic instant compares only with others of the same clock.
using MonotonicTime = std::chrono::time_point<std::chrono::steady_clock, Duration>;
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

// Where time comes from.  Whatever waits or stamps takes one, so that a test drives a month in a millisecond.
// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual MonotonicTime Now() const = 0;  // for delays: never goes back
  virtual WallTime Wall() const = 0;      // for people and records
};

// The machine's own.
const Clock& SystemClock();

// Stands still until told to move.  One thread moves it; others may read only when the mover does not move.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(WallTime wall = {}) : wall_(wall) {}
  MonotonicTime Now() const override { return now_; }
  WallTime Wall() const override { return wall_; }
  void Advance(Duration by) {
    now_ += by;
    wall_ += by;
  }

 private:
  MonotonicTime now_{};
  WallTime wall_;
};

}  // namespace crivello
