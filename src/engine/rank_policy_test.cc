// SPDX-License-Identifier: Apache-2.0
#include "engine/rank_policy.h"

#include <gtest/gtest.h>

namespace crivello::engine {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(RankPolicyTest, RanksAreComputedAgainWhenAFifthOfTheRowsHasChanged) {
  LiveRankStats counts = {.pages = 10000, .changes = 2000};
  EXPECT_FALSE(RanksAreDue(counts, minutes(1)));
  counts.changes = 2001;
  EXPECT_TRUE(RanksAreDue(counts, minutes(1)));
}

TEST(RankPolicyTest, TheFirstRanksComeAfterAThousandRowsOrWhenTheCrawlIsQuiet) {
  LiveRankStats counts = {.changes = 1000, .quiet = seconds(9)};
  EXPECT_FALSE(RanksAreDue(counts, seconds(10)));
  counts.changes = 1001;
  EXPECT_TRUE(RanksAreDue(counts, seconds(10)));
  counts = {.changes = 1, .quiet = seconds(10)};
  EXPECT_TRUE(RanksAreDue(counts, seconds(10)));
}

TEST(RankPolicyTest, AQuietCollectionTakesInAHundredth) {
  LiveRankStats counts = {.pages = 10000, .changes = 99, .quiet = hours(1)};
  EXPECT_FALSE(RanksAreDue(counts, seconds(10)));
  counts.changes = 100;
  EXPECT_TRUE(RanksAreDue(counts, seconds(10)));
}

TEST(RankPolicyTest, RanksRestTwentyTimesAsLongAsTheLastOnesTook) {
  LiveRankStats counts = {
      .pages = 10, .changes = 100'000, .quiet = hours(1), .rested = seconds(59), .took = seconds(3)};
  EXPECT_FALSE(RanksAreDue(counts, seconds(10)));
  counts.rested = seconds(60);
  EXPECT_TRUE(RanksAreDue(counts, seconds(10)));
}

TEST(RankPolicyTest, RanksThatSomeoneWaitsForDoNotRestUnlessNothingHasChanged) {
  LiveRankStats counts = {.pages = 1000, .changes = 1, .took = hours(1), .wanted = true};
  EXPECT_TRUE(RanksAreDue(counts, seconds(10)));
  counts.changes = 0;
  EXPECT_FALSE(RanksAreDue(counts, seconds(10)));
}

}  // namespace
}  // namespace crivello::engine
