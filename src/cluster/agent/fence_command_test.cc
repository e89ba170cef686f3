// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/fence_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_support.h"

namespace crivello::cluster {
namespace {

TEST(FenceCommandTest, GetsTheNameOfTheAgentAndDecides) {
  const TemporaryFolder folder;
  EXPECT_TRUE(RunFenceCommand("touch '" + folder.path() + "'/$1", "red").ok());
  EXPECT_TRUE(std::filesystem::exists(folder / "red"));
  const Status failed = RunFenceCommand("exit 3", "red");
  EXPECT_EQ(failed.code(), StatusCode::kUnavailable);
  EXPECT_THAT(failed.message(), testing::HasSubstr("red"));
  EXPECT_FALSE(RunFenceCommand("kill -9 $$", "red").ok());
}

}  // namespace
}  // namespace crivello::cluster
