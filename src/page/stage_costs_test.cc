// SPDX-License-Identifier: Apache-2.0
#include "page/stage_costs.h"

#include <gtest/gtest.h>

#include <chrono>

namespace crivello::page {
namespace {

void Work(Duration cpu) {
  const Duration until = ThreadCpu() + cpu;
  while (ThreadCpu() < until) {
  }
}

Duration Of(const StageCosts& costs, Stage stage) { return costs.cpu()[static_cast<size_t>(stage)]; }

TEST(StageCostsTest, ChargesEachStageForWhatTheThreadDidInIt) {
  StageCosts costs(true);
  const Duration before = ThreadCpu();
  {
    StageClock clock(costs, Stage::kOther);
    Work(std::chrono::milliseconds(2));
    clock.Enter(Stage::kDigest);
    Work(std::chrono::milliseconds(6));
    clock.Enter(Stage::kOther);
    Work(std::chrono::milliseconds(1));
  }
  const Duration all = ThreadCpu() - before;
  EXPECT_GE(Of(costs, Stage::kDigest), std::chrono::milliseconds(6));
  EXPECT_GE(Of(costs, Stage::kOther), std::chrono::milliseconds(3));
  EXPECT_EQ(Of(costs, Stage::kCommit), Duration::zero());
  EXPECT_LE(Of(costs, Stage::kDigest) + Of(costs, Stage::kOther), all);
}

TEST(StageCostsTest, MeasuresNothingUnlessItIsAsked) {
  StageCosts costs(false);
  {
    StageClock clock(costs, Stage::kLinks);
    Work(std::chrono::milliseconds(1));
    clock.Enter(Stage::kSieve);
  }
  for (const Duration cpu : costs.cpu()) EXPECT_EQ(cpu, Duration::zero());
}

TEST(StageCostsTest, EveryStageHasAName) {
  for (size_t i = 0; i < kStages; ++i) EXPECT_NE(StageName(static_cast<Stage>(i)), "");
}

}  // namespace
}  // namespace crivello::page
