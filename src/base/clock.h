// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "base/mutex.h"

namespace crivello {

using Duration = std::chrono::nanoseconds;
// Since the epoch of the clock. Monotonic instants are comparable only if they come from the same clock.
using MonotonicTime = std::chrono::time_point<std::chrono::steady_clock, Duration>;
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

class Wakeup;

// The source of time. Code that waits or takes timestamps uses one, so that a test can simulate a month in a
// millisecond. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual MonotonicTime Now() const = 0;  // for delays: never goes back
  virtual WallTime Wall() const = 0;      // for people and records
  // Returns after wakeup.Notify(), or when this clock reaches `until`. May return earlier: check again.
  virtual void Wait(Wakeup& wakeup, MonotonicTime until) const = 0;
};

// The machine's clock.
const Clock& SystemClock();

// Advances only on request. One thread at a time may advance it; any number may read it and wait on it.
class ManualClock : public Clock {
 public:
  explicit ManualClock(WallTime wall = {}) : start_(wall) {}
  MonotonicTime Now() const override { return MonotonicTime(Passed()); }
  WallTime Wall() const override { return start_ + Passed(); }
  void Wait(Wakeup& wakeup, MonotonicTime until) const override CRV_EXCLUDES(mu_);
  // Wakes the threads whose deadline has been reached.
  void Advance(Duration by) CRV_EXCLUDES(mu_);

 private:
  struct Waiter {
    Wakeup* wakeup;
    MonotonicTime until;
  };

  Duration Passed() const { return Duration(passed_.load(std::memory_order_acquire)); }

  const WallTime start_;
  std::atomic<int64_t> passed_ = 0;  // nanoseconds; changed under mu_, so that Wait() misses no Advance()
  mutable Mutex mu_;
  mutable std::vector<Waiter> waiters_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello
