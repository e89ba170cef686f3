// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "base/wakeup.h"

namespace crivello {
namespace {

using std::chrono::hours;

TEST(ClockTest, MovesOnlyWhenItIsTold) {
  ManualClock clock(WallTime(hours(1000)));
  EXPECT_EQ(clock.Now(), MonotonicTime());
  EXPECT_EQ(clock.Wall(), WallTime(hours(1000)));
  clock.Advance(hours(3));
  EXPECT_EQ(clock.Now(), MonotonicTime(hours(3)));
  EXPECT_EQ(clock.Wall(), WallTime(hours(1003)));
}

TEST(ClockTest, WakesThoseWhoseMomentHasComeAndNoOthers) {
  ManualClock clock;
  Wakeup soon, late;
  std::promise<void> soon_woke, late_woke;
  std::thread first([&] {
    clock.Wait(soon, MonotonicTime(hours(1)));
    soon_woke.set_value();
  });
  std::thread second([&] {
    while (clock.Now() < MonotonicTime(hours(2))) clock.Wait(late, MonotonicTime(hours(2)));
    late_woke.set_value();
  });
  clock.Advance(hours(1));
  soon_woke.get_future().wait();
  auto late_future = late_woke.get_future();
  EXPECT_EQ(late_future.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  clock.Advance(hours(1));
  late_future.wait();
  first.join();
  second.join();
}

TEST(ClockTest, DoesNotWaitForAMomentThatHasPassed) {
  ManualClock clock;
  clock.Advance(hours(1));
  Wakeup wakeup;
  clock.Wait(wakeup, MonotonicTime(hours(1)));
  SystemClock().Wait(wakeup, SystemClock().Now());
}

TEST(ClockTest, EndsAWaitAtNews) {
  const ManualClock manual;
  for (const Clock* clock : {&SystemClock(), static_cast<const Clock*>(&manual)}) {
    Wakeup wakeup;
    wakeup.Notify();  // before the wait: must not be lost
    clock->Wait(wakeup, clock->Now() + hours(24));
    std::thread waiter([&] { clock->Wait(wakeup, clock->Now() + hours(24)); });
    wakeup.Notify();
    waiter.join();
  }
}

}  // namespace
}  // namespace crivello
