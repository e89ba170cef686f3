// SPDX-License-Identifier: Apache-2.0
#include "engine/index_policy.h"

#include <gtest/gtest.h>

namespace crivello::engine {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(IndexPolicyTest, ACommandRefreshesUpToAFifthAndBuildsBeyond) {
  EXPECT_EQ(WorkOfCommand({.exists = true, .documents = 100, .changes = 0}), IndexWork::kRefresh);
  EXPECT_EQ(WorkOfCommand({.exists = true, .documents = 100, .changes = 20}), IndexWork::kRefresh);
  EXPECT_EQ(WorkOfCommand({.exists = true, .documents = 100, .changes = 21}), IndexWork::kBuild);
  EXPECT_EQ(WorkOfCommand({.exists = true, .documents = 0, .changes = 1}), IndexWork::kBuild);
}

TEST(IndexPolicyTest, ACommandBuildsWhatIsNotThereOrHasOtherSettings) {
  EXPECT_EQ(WorkOfCommand({.exists = false, .documents = 100, .changes = 0}), IndexWork::kBuild);
}

TEST(IndexPolicyTest, ALiveIndexIsBuiltWhenATenthHasChanged) {
  LiveIndexStats counts = {.documents = 1000, .changes = 100};
  EXPECT_FALSE(BuildIsDue(counts, minutes(1)));
  counts.changes = 101;
  EXPECT_TRUE(BuildIsDue(counts, minutes(1)));
}

TEST(IndexPolicyTest, ALiveIndexIsBuiltWhenTheTablesAreQuiet) {
  LiveIndexStats counts = {.documents = 1000, .changes = 1, .quiet = seconds(4)};
  EXPECT_FALSE(BuildIsDue(counts, seconds(5)));
  counts.quiet = seconds(5);
  EXPECT_TRUE(BuildIsDue(counts, seconds(5)));
  counts.changes = 0;
  EXPECT_FALSE(BuildIsDue(counts, seconds(5))) << "nothing to build in";
}

TEST(IndexPolicyTest, BuildsRestTwentyTimesAsLongAsTheLastOneTook) {
  LiveIndexStats counts = {
      .documents = 10, .changes = 1000, .quiet = hours(1), .rested = seconds(59), .build = seconds(3)};
  EXPECT_FALSE(BuildIsDue(counts, seconds(5)));
  counts.rested = seconds(60);
  EXPECT_TRUE(BuildIsDue(counts, seconds(5)));
}

TEST(IndexPolicyTest, ABuildThatSomeoneWaitsForDoesNotRest) {
  EXPECT_TRUE(BuildIsDue({.changes = 0, .build = hours(1), .wanted = true}, seconds(5)));
}

}  // namespace
}  // namespace crivello::engine
