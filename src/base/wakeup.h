// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/clock.h"

namespace crivello {

// Lets one thread sleep until others have news for it.  A Notify() that comes before the wait is not lost.
// Thread-safe.
class Wakeup {
 public:
  void Notify() {
    {
      std::lock_guard lock(mu_);
      if (pending_) return;
      pending_ = true;
    }
    condition_.notify_one();
  }
  // Returns after Notify(), or at most after `limit`.
  void WaitFor(Duration limit) {
    std::unique_lock lock(mu_);
    condition_.wait_for(lock, limit, [this] { return pending_; });
    pending_ = false;
  }

 private:
  std::mutex mu_;
  std::condition_variable condition_;
  bool pending_ = false;
};

}  // namespace crivello
