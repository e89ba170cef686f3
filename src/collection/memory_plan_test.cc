// SPDX-License-Identifier: Apache-2.0
#include "collection/memory_plan.h"

#include <gtest/gtest.h>

namespace crivello::collection {
namespace {

using Work = MemoryPlan::Work;
constexpr uint64_t kMiB = 1 << 20;

uint64_t StoresOf(const MemoryPlan& plan, uint32_t tablets) {
  return plan.databases + tablets * (plan.sieve + plan.templates);
}

TEST(MemoryPlanTest, GivesManyTabletsTogetherWhatOneHas) {
  const uint64_t one = StoresOf(MemoryPlan::For(Work::kCrawl, 512 * kMiB, 1), 1);
  EXPECT_EQ(one, (128 + 128 + 32) * kMiB);
  for (const uint32_t tablets : {2u, 16u, 64u}) {
    const MemoryPlan plan = MemoryPlan::For(Work::kCrawl, 512 * kMiB, tablets);
    EXPECT_LE(StoresOf(plan, tablets), one) << tablets;
    EXPECT_EQ(plan.database * tablets, plan.databases) << tablets;
    EXPECT_EQ(plan.frontier, 128 * kMiB);
    EXPECT_EQ(plan.bodies, 128 * kMiB);
    EXPECT_EQ(plan.arriving, 64 * kMiB);
    EXPECT_EQ(plan.reading, 64 * kMiB);
  }
}

TEST(MemoryPlanTest, LeavesRoomForTheIndexOnlyWhereThereIsOne) {
  EXPECT_EQ(MemoryPlan::For(Work::kCrawl, 512 * kMiB, 1).index, 0u);
  const MemoryPlan up = MemoryPlan::For(Work::kUp, 512 * kMiB, 1);
  EXPECT_EQ(up.index, 128 * kMiB);
  EXPECT_EQ(up.frontier, 80 * kMiB);
  EXPECT_LE(up.index + up.frontier + up.bodies + up.databases + up.sieve, 512 * kMiB);
}

TEST(MemoryPlanTest, LeavesEachPartWhatItNeedsAtLeast) {
  const MemoryPlan plan = MemoryPlan::For(Work::kCrawl, 1 * kMiB, 4096);
  EXPECT_GE(plan.sieve, 1u << 18);
  EXPECT_GE(plan.database, 1u << 18);
  EXPECT_GE(plan.templates, 1u << 18);
  EXPECT_GE(plan.seen_texts, kMiB);
  EXPECT_GE(plan.near_copies, 4 * kMiB);
}

TEST(MemoryPlanTest, GivesReadersNoFrontier) {
  const MemoryPlan plan = MemoryPlan::For(Work::kRead, 256 * kMiB, 1);
  EXPECT_EQ(plan.databases, 64 * kMiB);
  EXPECT_EQ(plan.frontier, 0u);
  EXPECT_EQ(plan.bodies, 0u);
}

}  // namespace
}  // namespace crivello::collection
