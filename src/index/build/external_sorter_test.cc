// SPDX-License-Identifier: Apache-2.0
#include "index/build/external_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/fault_file_system.h"
#include "base/random.h"
#include "base/test_support.h"

namespace crivello::index {
namespace {

std::vector<std::string> Sorted(ExternalSorter& sorter) {
  EXPECT_TRUE(sorter.Sort().ok());
  std::vector<std::string> out;
  while (sorter.Next()) out.emplace_back(sorter.record());
  EXPECT_TRUE(sorter.status().ok());
  return out;
}

TEST(ExternalSorterTest, SortsInMemoryAndOnDiskAlike) {
  SeededRandom random(1);
  std::vector<std::string> records;
  for (int i = 0; i < 5000; i++) {
    std::string record(random.Below(40), '\0');
    for (char& c : record) c = static_cast<char>(random.Below(3) == 0 ? 0xff : random.Below(4));
    records.push_back(record);
  }
  records.emplace_back(300'000u, 'x');  // more than a buffer, and more than the least budget
  std::vector<std::string> expected = records;
  std::sort(expected.begin(), expected.end());
  for (const uint64_t budget : {uint64_t{1}, uint64_t{10'000}, uint64_t{64} << 20}) {
    SCOPED_TRACE(budget);
    const TemporaryFolder folder;
    ExternalSorter sorter({.folder = folder / "runs", .memory_bytes = budget});
    const auto end = budget == 1 ? records.begin() + 300 : records.end();
    for (auto it = records.begin(); it != end; ++it) ASSERT_TRUE(sorter.Add(*it).ok());
    if (budget == 1) {
      std::vector<std::string> few(records.begin(), end);
      std::sort(few.begin(), few.end());
      EXPECT_EQ(Sorted(sorter), few);
      EXPECT_EQ(sorter.runs(), 300u);
    } else {
      EXPECT_EQ(Sorted(sorter), expected);
      EXPECT_EQ(sorter.runs() > 1, budget == 10'000);
    }
  }
}

TEST(ExternalSorterTest, NothingGivesNothing) {
  const TemporaryFolder folder;
  ExternalSorter sorter({.folder = folder / "runs"});
  EXPECT_TRUE(Sorted(sorter).empty());
  EXPECT_FALSE(std::filesystem::exists(folder / "runs"));
}

TEST(ExternalSorterTest, ItsFilesGoWithIt) {
  const TemporaryFolder folder;
  {
    ExternalSorter sorter({.folder = folder / "runs", .memory_bytes = 100});
    for (int i = 0; i < 100; i++) ASSERT_TRUE(sorter.Add("record " + std::to_string(i)).ok());
    EXPECT_FALSE(std::filesystem::is_empty(folder / "runs"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder / "runs"));
}

TEST(ExternalSorterTest, AFullDiskIsAnError) {
  const TemporaryFolder folder;
  FaultFileSystem disk({.fail_at = 2});
  ExternalSorter sorter({.folder = folder / "runs", .memory_bytes = 100, .fs = &disk});
  Status status;
  for (int i = 0; i < 100 && status.ok(); i++) status = sorter.Add("record " + std::to_string(i));
  EXPECT_EQ(status.code(), StatusCode::kIoError) << status.ToString();
}

}  // namespace
}  // namespace crivello::index
