// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <algorithm>

#include "base/wakeup.h"

namespace crivello {
namespace {

class System final : public Clock {
 public:
  MonotonicTime Now() const override { return std::chrono::steady_clock::now(); }
  WallTime Wall() const override { return std::chrono::system_clock::now(); }
  void Wait(Wakeup& wakeup, MonotonicTime until) const override {
    wakeup.WaitFor(std::min<Duration>(until - Now(), std::chrono::hours(24)));  // more would overflow
  }
};

}  // namespace

const Clock& SystemClock() {
  // Never destroyed, because threads may ask for the time until the process ends.
  static const System* const system = new System;
  return *system;
}

void ManualClock::Wait(Wakeup& wakeup, MonotonicTime until) const {
  {
    MutexLock lock(mu_);
    if (until <= Now()) return;
    waiters_.push_back({&wakeup, until});
  }
  wakeup.Wait();
  MutexLock lock(mu_);
  std::erase_if(waiters_, [&](const Waiter& waiter) { return waiter.wakeup == &wakeup; });
}

void ManualClock::Advance(Duration by) {
  MutexLock lock(mu_);
  passed_.fetch_add(by.count(), std::memory_order_release);
  const MonotonicTime now = Now();
  for (const Waiter& waiter : waiters_) {
    if (waiter.until <= now) waiter.wakeup->Notify();
  }
}

}  // namespace crivello
