// SPDX-License-Identifier: Apache-2.0
#include "base/bounded_queue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

namespace crivello {
namespace {

TEST(BoundedQueueTest, HoldsNoMoreThanItsCapacity) {
  BoundedQueue<int> queue(2);
  int a = 1, b = 2, c = 3;
  EXPECT_TRUE(queue.TryPush(a));
  EXPECT_TRUE(queue.TryPush(b));
  EXPECT_FALSE(queue.TryPush(c));
  EXPECT_EQ(queue.Pop(), 1);
  EXPECT_TRUE(queue.TryPush(c));
  EXPECT_EQ(queue.Pop(), 2);
  EXPECT_EQ(queue.Pop(), 3);
  EXPECT_EQ(queue.TryPop(), std::nullopt);
}

TEST(BoundedQueueTest, GivesOutWhatIsInsideAfterItWasClosed) {
  BoundedQueue<int> queue(4);
  EXPECT_TRUE(queue.Push(1));
  queue.Close();
  EXPECT_FALSE(queue.Push(2));
  EXPECT_EQ(queue.Pop(), 1);
  EXPECT_EQ(queue.Pop(), std::nullopt);
  EXPECT_EQ(queue.Pop(), std::nullopt);
}

TEST(BoundedQueueTest, WakesAllWhoWaitWhenClosed) {
  BoundedQueue<int> full(1), empty(1);
  EXPECT_TRUE(full.Push(0));
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&] { EXPECT_FALSE(full.Push(1)); });
    threads.emplace_back([&] { EXPECT_EQ(empty.Pop(), std::nullopt); });
  }
  full.Close();
  empty.Close();
}

TEST(BoundedQueueTest, WaitsUntilItHoldsAsManyAsAskedFor) {
  constexpr std::chrono::hours kLong(1);
  BoundedQueue<int> queue(16);
  for (int round = 0; round < 100; round++) {
    std::jthread producer([&] {
      for (int i = 0; i < 8; i++) EXPECT_TRUE(queue.Push(i));
    });
    // Less than an hour, or the test would not end. A wait may end early, so it is repeated.
    while (queue.size() < 8) queue.WaitForSize(8, kLong);
    for (int i = 0; i < 8; i++) EXPECT_EQ(queue.Pop(), i);
  }
  EXPECT_TRUE(queue.Push(1));
  queue.WaitForSize(1, kLong);  // they are queued already
  queue.WaitForSize(2, std::chrono::microseconds(1));
}

TEST(BoundedQueueTest, WaitsForNoMoreItemsOnceItIsClosed) {
  BoundedQueue<int> queue(16);
  std::jthread closer([&] { queue.Close(); });
  queue.WaitForSize(8, std::chrono::hours(1));
  queue.WaitForSize(8, std::chrono::hours(1));
}

TEST(BoundedQueueTest, PassesEachItemOnceFromManyToMany) {
  constexpr int kThreads = 4, kItems = 5000;
  BoundedQueue<int> queue(16);
  std::vector<std::vector<int>> got(kThreads);
  {
    std::vector<std::jthread> consumers;
    for (auto& mine : got) {
      consumers.emplace_back([&queue, &mine] {
        while (auto item = queue.Pop()) mine.push_back(*item);
      });
    }
    {
      std::vector<std::jthread> producers;
      for (int t = 0; t < kThreads; t++) {
        producers.emplace_back([&queue, t] {
          for (int i = 0; i < kItems; i++) EXPECT_TRUE(queue.Push(t * kItems + i));
        });
      }
    }
    queue.Close();
  }
  std::vector<int> times(kThreads * kItems);
  for (const auto& mine : got) {
    for (int item : mine) times[static_cast<size_t>(item)]++;
  }
  EXPECT_EQ(times, std::vector<int>(kThreads * kItems, 1));
}

}  // namespace
}  // namespace crivello
