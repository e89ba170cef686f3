// SPDX-License-Identifier: Apache-2.0
#include "engine/disk_stats.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/test_support.h"

namespace crivello::engine {
namespace {

TEST(DiskStatsTest, AddsUpTheFilesOfACollectionByWhatTheyAre) {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, size_t bytes) {
    std::filesystem::create_directories(std::filesystem::path(folder / name).parent_path());
    std::ofstream(folder / name) << std::string(bytes, 'x');
  };
  write("tablets/t-0/archive/a.warc.gz", 1000);
  write("tablets/t-1/archive/b.warc.gz", 200);
  write("tablets/t-0/index/segments/1/body.terms", 30);
  write("tablets/t-0/db/000004.log", 4);
  write("tablets/t-0/sieve/z", 5);
  write("graph/pages.graph", 600);
  const serve::DiskStats stats = MeasureDisk(folder.path());
  EXPECT_TRUE(stats.known);
  EXPECT_EQ(stats.archive, 1200u);
  EXPECT_EQ(stats.index, 30u);
  EXPECT_EQ(stats.database, 4u);
  EXPECT_EQ(stats.other, 605u);
  EXPECT_GT(stats.total, 0u);
  EXPECT_LE(stats.free, stats.total);
  EXPECT_FALSE(MeasureDisk(folder / "nowhere").known);
}

TEST(DiskStatsTest, IsNotMeasuredAtEveryLook) {
  const TemporaryFolder folder;
  DiskWatch watch(folder.path());
  EXPECT_EQ(watch.Get().other, 0u);
  std::ofstream(folder / "file") << "new";
  EXPECT_EQ(watch.Get().other, 0u) << "within the same seconds";
}

}  // namespace
}  // namespace crivello::engine
