// SPDX-License-Identifier: Apache-2.0
#include "care/backup.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "collection/gate.h"

namespace crivello::care {
namespace {

TEST(BackupListTest, IsReadBackAndDamageIsTold) {
  BackupList list;
  list.made = 1'780'000'000;
  list.files = {{.path = "seeds.txt", .bytes = 20, .checksum = 1},
                {.path = "tablets/t-/db/CURRENT", .bytes = 16, .checksum = ~uint64_t{0}}};
  const std::string bytes = list.Encode();
  const auto read = BackupList::Decode(bytes + std::string(7, '\0'));
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(read->made, list.made);
  EXPECT_EQ(read->files, list.files);
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    EXPECT_FALSE(BackupList::Decode(std::string_view(bytes).substr(0, cut)).ok()) << cut;
  }
}

TEST(BackupListTest, NamesNoFileOutsideItsFolder) {
  for (const char* path : {"", "/etc/passwd", "../x", "a/../../x", "a/..", ".", "a//b/"}) {
    BackupList list;
    list.files = {{.path = path}};
    EXPECT_EQ(BackupList::Decode(list.Encode()).status().code(), StatusCode::kCorruption) << path;
  }
}

TEST(GateTest, LetsNobodyInWhileItIsClosed) {
  collection::Gate gate;
  std::atomic<int> inside = 0;
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!stop) {
        const collection::Gate::Pass pass(gate);
        inside++;
        std::this_thread::yield();
        inside--;
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    const collection::Gate::Closed closed(gate);
    EXPECT_EQ(inside, 0);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    EXPECT_EQ(inside, 0);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace crivello::care
