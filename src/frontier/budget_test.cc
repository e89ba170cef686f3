// SPDX-License-Identifier: Apache-2.0
#include "frontier/budget.h"

#include <gtest/gtest.h>

namespace crivello::frontier {
namespace {

TEST(BudgetTest, HasNoLimitUnlessOneIsSet) {
  Budget budget({}, MonotonicTime());
  for (int i = 0; i < 100; i++) budget.TakePage();
  budget.AddBytes(uint64_t{1} << 40);
  EXPECT_EQ(budget.Spent(MonotonicTime(std::chrono::hours(10000))), std::nullopt);
}

TEST(BudgetTest, TellsWhichLimitIsReached) {
  const MonotonicTime opened(std::chrono::hours(1));
  Budget budget({.pages = 2, .bytes = 100, .time = std::chrono::minutes(1)}, opened);
  budget.TakePage();
  budget.TakePage();
  EXPECT_EQ(budget.Spent(opened), "max-pages");
  budget.GiveBackPage();
  EXPECT_EQ(budget.Spent(opened), std::nullopt);
  budget.AddBytes(100);
  EXPECT_EQ(budget.Spent(opened), "max-bytes");
  Budget other({.time = std::chrono::minutes(1)}, opened);
  EXPECT_EQ(other.Spent(opened + std::chrono::seconds(59)), std::nullopt);
  EXPECT_EQ(other.Spent(opened + std::chrono::seconds(60)), "max-time");
}

TEST(DirectoryBudgetTest, LetsSoManyIntoEachDirectory) {
  std::string table;
  for (int i = 0; i < 3; i++) EXPECT_TRUE(CountInDirectory("/a/", 3, &table));
  EXPECT_FALSE(CountInDirectory("/a/", 3, &table));
  EXPECT_TRUE(CountInDirectory("/b/", 3, &table));
  EXPECT_FALSE(CountInDirectory("/a/", 3, &table));
}

TEST(DirectoryBudgetTest, KeepsTheLargestOfTooManyDirectoriesInItsBytes) {
  std::string table;
  for (int i = 0; i < 2000; i++) EXPECT_TRUE(CountInDirectory("/large/", 2000, &table));
  for (int i = 0; i < 3000; i++) EXPECT_TRUE(CountInDirectory("/" + std::to_string(i) + "/", 2000, &table));
  EXPECT_LE(table.size(), 4096u);
  EXPECT_FALSE(CountInDirectory("/large/", 2000, &table));
}

TEST(DirectoryBudgetTest, TakesWhateverBytesForATable) {
  std::string table("\xff\xff\xff\xff\xff\xff\x01\x80", 8);
  EXPECT_TRUE(CountInDirectory("/a/", 1, &table));
  EXPECT_FALSE(CountInDirectory("/a/", 1, &table));
}

}  // namespace
}  // namespace crivello::frontier
