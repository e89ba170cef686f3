// SPDX-License-Identifier: Apache-2.0
#include "cluster/assign/bounded_loads.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "cluster/assign/assignment.h"
#include "cluster/assign/min_hashing.h"

namespace crivello::cluster {
namespace {

using testing::HasSubstr;

std::vector<std::string> NamesWith(const std::string& prefix, uint64_t count) {
  std::vector<std::string> names;
  for (uint64_t i = 0; i < count; i++) names.push_back(fmt::format("{}{:04}", prefix, i));
  return names;
}

// The slow judge: each tablet asks the agents of its chain one after the other; an agent that has too many
// keeps those with the smallest hashes and sends one away (Gale, Shapley, 1962).
std::vector<uint32_t> ByProposals(const std::vector<std::string>& tablets,
                                  const std::vector<std::string>& agents, uint64_t limit) {
  const MinHashing hashing(agents);
  std::vector<size_t> asked(tablets.size(), 0);
  std::vector<std::vector<uint32_t>> kept(agents.size());
  std::vector<uint32_t> waiting(tablets.size());
  for (uint32_t i = 0; i < tablets.size(); i++) waiting[i] = i;
  while (!waiting.empty()) {
    const uint32_t tablet = waiting.back();
    waiting.pop_back();
    const uint32_t agent = hashing.Chain(AssignmentKey(tablets[tablet]), agents.size())[asked[tablet]++];
    kept[agent].push_back(tablet);
    if (kept[agent].size() <= limit) continue;
    const auto worst = std::max_element(kept[agent].begin(), kept[agent].end(), [&](uint32_t x, uint32_t y) {
      return hashing.Score(AssignmentKey(tablets[x]), agent) <
             hashing.Score(AssignmentKey(tablets[y]), agent);
    });
    waiting.push_back(*worst);
    kept[agent].erase(worst);
  }
  std::vector<uint32_t> owners(tablets.size());
  for (uint32_t agent = 0; agent < agents.size(); agent++) {
    for (const uint32_t tablet : kept[agent]) owners[tablet] = agent;
  }
  return owners;
}

TEST(BoundedLoadsTest, AreAsProposalsFindThem) {
  SeededRandom random(1);
  for (int round = 0; round < 60; round++) {
    const auto tablets = NamesWith(fmt::format("t{}-", round), random.Below(120));
    const auto agents = NamesWith("a", 1 + random.Below(12));
    const double epsilon = random.Below(3) == 0 ? 0 : random.Unit();
    const auto made = AssignTablets(tablets, agents, epsilon);
    ASSERT_TRUE(made.ok());
    EXPECT_EQ(made->owners, ByProposals(tablets, agents, made->limit)) << "round " << round;
  }
}

TEST(BoundedLoadsTest, GiveNobodyMoreThanTheLimit) {
  for (const uint64_t count : {uint64_t{1}, uint64_t{3}, uint64_t{10}, uint64_t{64}}) {
    for (const double epsilon : {0.0, 0.1, 0.5}) {
      const auto made = AssignTablets(NamesWith("t-", 256), NamesWith("a", count), epsilon);
      ASSERT_TRUE(made.ok());
      std::vector<uint64_t> loads(count, 0);
      for (const uint32_t owner : made->owners) loads[owner]++;
      EXPECT_LE(*std::max_element(loads.begin(), loads.end()), made->limit);
      EXPECT_EQ(made->limit, LoadLimit(256, count, epsilon));
    }
  }
}

TEST(BoundedLoadsTest, AreMinHashingIfTheBoundIsLoose) {
  const auto tablets = NamesWith("t-", 256);
  const auto agents = NamesWith("a", 10);
  const auto made = AssignTablets(tablets, agents, std::numeric_limits<double>::infinity());
  const MinHashing hashing(agents);
  for (size_t i = 0; i < tablets.size(); i++)
    EXPECT_EQ(made->owners[i], hashing.Owner(AssignmentKey(tablets[i])));
}

TEST(BoundedLoadsTest, DoNotDependOnTheOrderOfTabletsAndAgents) {
  auto tablets = NamesWith("t-", 128);
  auto agents = NamesWith("a", 7);
  const auto one = AssignTablets(tablets, agents, 0.05);
  std::reverse(tablets.begin(), tablets.end());
  std::reverse(agents.begin(), agents.end());
  const auto other = AssignTablets(tablets, agents, 0.05);
  auto reversed = other->owners;
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(one->owners, reversed);
}

// What is not contravariant is counted: moves between agents that were there before and after.
TEST(BoundedLoadsTest, MoveMoreThanTheyMustWhenAnAgentJoins) {
  const auto tablets = NamesWith("t-", 256);
  uint64_t to_newcomer = 0;
  uint64_t extra = 0;
  for (uint64_t count = 4; count < 24; count++) {
    const auto before = AssignTablets(tablets, NamesWith("a", count), 0.1);
    const auto after = AssignTablets(tablets, NamesWith("a", count + 1), 0.1);
    for (size_t i = 0; i < tablets.size(); i++) {
      if (after->owners[i] == before->owners[i]) continue;
      (after->owners[i] == count ? to_newcomer : extra)++;
    }
  }
  EXPECT_GT(to_newcomer, 0u);
  EXPECT_GT(extra, 0u);
  EXPECT_LT(extra, 3 * to_newcomer);
}

TEST(LoadLimitTest, IsTheFormula) {
  EXPECT_EQ(LoadLimit(256, 10, 0), 26u);
  EXPECT_EQ(LoadLimit(256, 10, 0.1), 29u);
  EXPECT_EQ(LoadLimit(100, 10, 0.1), 11u);  // not 12: 1.1 * 10 is above 11 in binary
  EXPECT_EQ(LoadLimit(64, 64, 0), 1u);
  EXPECT_EQ(LoadLimit(3, 10, 0), 1u);
  EXPECT_EQ(LoadLimit(0, 10, 0), 0u);
  EXPECT_EQ(LoadLimit(10, 2, std::numeric_limits<double>::infinity()), 10u);
}

TEST(BoundedLoadsTest, NameWhatTheyCannotUse) {
  const auto tablets = NamesWith("t-", 4);
  EXPECT_THAT(AssignTablets(tablets, {}, 0).status().message(), HasSubstr("no agents"));
  EXPECT_THAT(AssignTablets(tablets, NamesWith("a", 2), -1).status().message(), HasSubstr("epsilon -1"));
  const std::vector<std::string> twice = {"a", "a"};
  EXPECT_THAT(AssignTablets(tablets, twice, 0).status().message(), HasSubstr("two agents"));
}

}  // namespace
}  // namespace crivello::cluster
