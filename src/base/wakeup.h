// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

namespace crivello {

// Lets one thread sleep until other threads notify it. A Notify() before the wait is not
// lost; several count as one. To wait with a deadline on a clock, use Clock::Wait().
// Thread-safe.
class Wakeup {
 public:
  void Notify() {
    {
      std::lock_guard lock(mu_);
      ++notices_;
      if (pending_) return;
      pending_ = true;
    }
    condition_.notify_one();
  }
  // Returns after Notify().
  void Wait() {
    std::unique_lock lock(mu_);
    condition_.wait(lock, [this] { return pending_; });
    pending_ = false;
  }
  // Returns after Notify(), or after `limit` of real time.
  void WaitFor(std::chrono::nanoseconds limit) {
    std::unique_lock lock(mu_);
    condition_.wait_for(lock, limit, [this] { return pending_; });
    pending_ = false;
  }
  // Consumes a pending notification, without waiting; false if there is none.
  bool TryWait() {
    std::lock_guard lock(mu_);
    return std::exchange(pending_, false);
  }
  // Number of Notify() calls so far: for tests, which must know that a thread will wake up.
  uint64_t notices() const {
    std::lock_guard lock(mu_);
    return notices_;
  }

 private:
  mutable std::mutex mu_;
  std::condition_variable condition_;
  bool pending_ = false;
  uint64_t notices_ = 0;
};

}  // namespace crivello
