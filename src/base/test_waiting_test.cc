// SPDX-License-Identifier: Apache-2.0
#include "base/test_waiting.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <future>

namespace crivello {
namespace {

// Executes this many steps, which the compiler cannot remove.
void Spin(uint64_t steps) {
  volatile uint64_t sum = 0;
  for (uint64_t i = 0; i < steps; i++) sum = sum + i;
}

TEST(TestWaitingTest, TellsLinearFromQuadraticWork) {
  EXPECT_LT(GrowthOfCost(4'000'000, kLinearGrowth, [](size_t n) { Spin(n); }), kLinearGrowth);
  EXPECT_GE(GrowthOfCost(2000, kLinearGrowth, [](size_t n) { Spin(n * n); }), kLinearGrowth);
}

TEST(TestWaitingTest, ReturnsWhenTheConditionHoldsOrTheBoundIsReached) {
  int looks = 0;
  EXPECT_TRUE(WaitFor([&] { return ++looks == 3; }));
  EXPECT_EQ(looks, 3);
  EXPECT_FALSE(WaitFor([] { return false; }, std::chrono::milliseconds(5)));
}

TEST(TestWaitingTest, KnowsABlockedThread) {
  std::promise<void> sign;
  std::atomic<pid_t> id = 0;
  std::atomic<bool> spinning = true;
  std::thread thread([&] {
    id = ::gettid();
    while (spinning) {
    }
    sign.get_future().wait();
  });
  ASSERT_TRUE(WaitFor([&] { return id != 0; }));
  EXPECT_EQ(TimesAsleep(id), std::nullopt);
  spinning = false;
  EXPECT_TRUE(WaitUntilBlocked(id));
  sign.set_value();
  thread.join();
}

}  // namespace
}  // namespace crivello
