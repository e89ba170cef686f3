// SPDX-License-Identifier: Apache-2.0
#include "page/reading_room.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <thread>

#include "base/test_waiting.h"

namespace crivello::page {
namespace {

TEST(ReadingRoomTest, LetsAPageInWhenThereIsRoomForIt) {
  ReadingRoom room(100);
  std::optional<ReadingRoom::Seat> first = room.Enter(60);
  ReadingRoom::Seat moved = room.Enter(40);
  moved = ReadingRoom::Seat();  // releases what it had
  std::optional<ReadingRoom::Seat> second = room.Enter(30);
  std::atomic<pid_t> thread = 0;
  std::atomic<bool> entered = false;
  std::thread third([&] {
    thread = gettid();
    // More than the whole room: succeeds once nobody else is there.
    const ReadingRoom::Seat seat = room.Enter(1000);
    entered = true;
  });
  ASSERT_TRUE(WaitFor([&] { return thread != 0; }));
  ASSERT_TRUE(WaitUntilBlocked(thread));
  EXPECT_FALSE(entered);
  first.reset();
  ASSERT_TRUE(WaitUntilBlocked(thread));
  EXPECT_FALSE(entered);
  second.reset();
  third.join();
  EXPECT_TRUE(entered);
}

}  // namespace
}  // namespace crivello::page
