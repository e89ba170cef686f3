// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

namespace crivello {

// Lets one thread sleep until others have news for it.  A Notify() that comes before the wait is not lost;
// several of them count as one.  To wait for news or a moment, whichever comes first: Clock::Wait().
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
  // Returns after Notify(), or after `limit` of the machine's time.
  void WaitFor(std::chrono::nanoseconds limit) {
    std::unique_lock lock(mu_);
    condition_.wait_for(lock, limit, [this] { return pending_; });
    pending_ = false;
  }
  // Takes the news, if there are any, without waiting.
  bool TryWait() {
    std::lock_guard lock(mu_);
    return std::exchange(pending_, false);
  }
  // Calls of Notify() so far: for tests, which must know that a thread will wake.
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
