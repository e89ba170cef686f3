// SPDX-License-Identifier: Apache-2.0
#include "base/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/test_support.h"

namespace crivello {
namespace {

TEST(ScratchFolderTest, IsNewAndGoesWithAllThatIsInIt) {
  for (const bool in_memory : {false, true}) {
    std::string path;
    {
      auto made = ScratchFolder::Create({.prefix = "crivello-mine-", .in_memory = in_memory});
      ASSERT_TRUE(made.ok()) << made.status().ToString();
      const auto other = ScratchFolder::Create({.prefix = "crivello-mine-", .in_memory = in_memory});
      ScratchFolder folder = *std::move(made);
      path = folder.path();
      EXPECT_NE(path, other->path());
      EXPECT_TRUE(std::filesystem::path(path).filename().string().starts_with("crivello-mine-"));
      EXPECT_TRUE(std::filesystem::is_empty(path));
      ASSERT_TRUE(MakeFolders(folder / "a/b").ok());
      ASSERT_TRUE(WriteFileAtomically(folder / "a/b/c", AsBytes("text")).ok());
    }
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

TEST(ScratchFolderTest, LiesInAGivenFolder) {
  const TemporaryFolder folder;
  const auto made = ScratchFolder::Create({.prefix = "mine-", .folder = folder.path()});
  ASSERT_TRUE(made.ok()) << made.status().ToString();
  EXPECT_TRUE(made->path().starts_with(folder / "mine-")) << made->path();
  const auto nowhere = ScratchFolder::Create({.prefix = "mine-", .folder = folder / "missing"});
  EXPECT_FALSE(nowhere.ok());
  EXPECT_NE(nowhere.status().message().find(folder / "missing/mine-"), std::string::npos)
      << nowhere.status().message();
}

TEST(ScratchFolderTest, NeedsAFolderToLieIn) {
  const TemporaryFolder folder;
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", (folder / "missing").c_str(), 1);
  const auto made = ScratchFolder::Create({});
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_EQ(made.status().code(), StatusCode::kIoError) << made.status().ToString();
}

}  // namespace
}  // namespace crivello
