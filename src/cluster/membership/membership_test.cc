// SPDX-License-Identifier: Apache-2.0
#include "cluster/membership/membership.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/fence/simulation_seeds_test_support.h"
#include "cluster/membership/cluster_simulation_test_support.h"

namespace crivello::cluster {
namespace {

TEST(ClusterSimulationTest, LosesNoAcknowledgedPageAndNoUrlInAnyHistory) {
  ClusterSimulationStats all;
  const uint64_t seeds = SimulationSeeds(200);
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    ClusterSimulation simulation(seed, ClusterBug::kNone);
    EXPECT_EQ(simulation.Run(), "") << "seed " << seed;
    all.Add(simulation.stats());
  }
  const auto n = [](uint64_t number) { return static_cast<size_t>(number); };
  std::printf(
      "cluster: %zu seeds, %zu pages; %zu take-overs, %zu tablets closed, %zu stale owners fenced, %zu stale "
      "requests, %zu pages fetched again; %zu crashes, %zu power cuts, %zu pauses, %zu stalls, %zu leaves, "
      "%zu hung closings; %zu agents cut off, %zu outages, %zu buckets lost, %zu rolled back, %zu messages, "
      "%zu lost, %zu repeated, %zu stale answers, %zu conflicts, %zu early batches; %zu claims, at most %zu "
      "of a tablet after the last fault, at most %.2f of a tablet per fault\n",
      n(seeds), n(all.pages), n(all.takeovers), n(all.closed), n(all.fenced), n(all.stale_requests),
      n(all.fetched_again), n(all.crashes), n(all.power_cuts), n(all.pauses), n(all.stalls), n(all.leaves),
      n(all.exits), n(all.cuts), n(all.outages), n(all.bus.forgotten), n(all.bus.rolled_back),
      n(all.bus.messages), n(all.bus.lost), n(all.bus.repeated), n(all.bus.stale), n(all.bus.conflicts),
      n(all.gaps), n(all.claims), n(all.calm_claims), all.claims_per_fault);
  for (const uint64_t met :
       {all.takeovers, all.closed,       all.fenced,    all.stale_requests, all.fetched_again,
        all.crashes,   all.power_cuts,   all.pauses,    all.stalls,         all.leaves,
        all.exits,     all.cuts,         all.outages,   all.bus.forgotten,  all.bus.rolled_back,
        all.bus.lost,  all.bus.repeated, all.bus.stale, all.bus.conflicts,  all.gaps}) {
    EXPECT_GT(met, 0u);
  }
}

class ClusterBugTest : public testing::TestWithParam<ClusterBug> {};

TEST_P(ClusterBugTest, IsFound) {
  if (kIsSanitized) GTEST_SKIP() << "the release build looks for deliberate bugs";
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    const std::string violation = ClusterSimulation(seed, GetParam()).Run();
    if (violation.empty()) continue;
    std::printf("bug: %-46s found by seed %4zu: %s\n", std::string(ClusterBugName(GetParam())).c_str(),
                static_cast<size_t>(seed), violation.c_str());
    return;
  }
  ADD_FAILURE() << ClusterBugName(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, ClusterBugTest, testing::ValuesIn(kClusterBugs));

}  // namespace
}  // namespace crivello::cluster
