// SPDX-License-Identifier: Apache-2.0
#include "kv/levels.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "base/test_support.h"
#include "kv/database.h"

namespace crivello::kv {
namespace {

TEST(LevelsTest, ShowsATreeLevelByLevel) {
  const TemporaryFolder folder;
  const std::string path = folder / "db";
  {
    DatabaseOptions options;
    options.families = {{.name = "rows"}, {.name = "counts", .counters = true}, {.name = "empty"}};
    options.memory_bytes = 8 << 20;
    const auto db = Database::Open(path, options).value();
    Batch batch;
    for (int i = 0; i < 1000; ++i) batch.Put(0, fmt::format("key {:04}", i), "row");
    ASSERT_TRUE(db->Write(batch, {.sync = true}).ok());
    const Family all[] = {0, 1};
    ASSERT_TRUE(db->Purge(all).ok());
    Batch last;
    for (int i = 0; i < 10; ++i) last.Delete(0, fmt::format("key {:04}", i));
    last.Put(0, "later", "row");
    last.Add(1, "count", 1);
    last.Add(1, "count", 1);
    ASSERT_TRUE(db->Write(last, {.sync = true}).ok());
  }
  const auto count = [&] {
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path)) files += entry.exists() ? 1 : 0;
    return files;
  };
  const size_t files_before = count();
  const auto levels = DescribeLevels(path);
  ASSERT_TRUE(levels.ok()) << levels.status().ToString();
  EXPECT_EQ(count(), files_before);
  const auto find = [&](const std::string& family, bool in_memory) -> LevelStats {
    LevelStats sum = {.family = family};
    for (const LevelStats& level : *levels) {
      if (level.family != family || (level.level == LevelStats::kMemory) != in_memory) continue;
      sum.files += level.files;
      sum.bytes += level.bytes;
      sum.entries += level.entries;
      sum.tombstones += level.tombstones;
      sum.filter_bytes += level.filter_bytes;
      sum.index_bytes += level.index_bytes;
    }
    return sum;
  };
  const LevelStats memory = find("rows", true), disk = find("rows", false);
  EXPECT_EQ(memory.entries, 11u);
  EXPECT_EQ(memory.tombstones, 10u);
  EXPECT_EQ(disk.entries, 1000u);
  EXPECT_EQ(disk.tombstones, 0u);
  EXPECT_GE(disk.files, 1u);
  EXPECT_GT(disk.bytes, 1000u);
  EXPECT_GT(disk.index_bytes, 0u);
  EXPECT_EQ(find("counts", true).entries, 2u);
  EXPECT_EQ(find("empty", true).entries + find("empty", false).entries, 0u);
}

TEST(LevelsTest, SaysWhatIsNoDatabase) {
  const TemporaryFolder folder;
  EXPECT_FALSE(IsDatabase(folder.path()));
  EXPECT_EQ(DescribeLevels(folder.path()).status().code(), StatusCode::kNotFound);
  std::filesystem::create_directory(folder / "broken");
  ASSERT_TRUE(WriteFileAtomically(folder / "broken/CURRENT", AsBytes("MANIFEST-7\n")).ok());
  EXPECT_TRUE(IsDatabase(folder / "broken"));
  EXPECT_FALSE(DescribeLevels(folder / "broken").ok());
}

}  // namespace
}  // namespace crivello::kv
