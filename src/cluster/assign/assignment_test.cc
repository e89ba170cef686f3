// SPDX-License-Identifier: Apache-2.0
#include "cluster/assign/assignment.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "cluster/assign/consistent_hashing.h"
#include "cluster/assign/random_permutations.h"

namespace crivello::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string NodeName(uint64_t i) { return fmt::format("node{:03}", i); }

std::vector<std::string> NodeNames(uint64_t count) {
  std::vector<std::string> names;
  for (uint64_t i = 0; i < count; i++) names.push_back(NodeName(i));
  return names;
}

std::unique_ptr<Assignment> MustMake(std::string_view kind, const std::vector<std::string>& names,
                                     const AssignmentOptions& options = {}) {
  auto made = MakeAssignment(kind, MembersNamed(names), options);
  EXPECT_TRUE(made.ok()) << made.status().ToString();
  return std::move(made).value();
}

const std::string& OwnerName(const Assignment& assignment, uint64_t key) {
  return assignment.agents()[assignment.Owner(key)];
}

// A random subset of 60 nodes, of `least` or more.
std::vector<std::string> SomeNodes(Random& random, size_t least) {
  std::vector<std::string> names = NodeNames(60);
  for (size_t i = 0; i < names.size(); i++) std::swap(names[i], names[i + random.Below(names.size() - i)]);
  names.resize(least + random.Below(names.size() - least));
  return names;
}

class AssignmentTest : public testing::TestWithParam<AssignmentKind> {
 protected:
  std::unique_ptr<Assignment> Make(const std::vector<std::string>& names,
                                   AssignmentOptions options = {}) const {
    options.universe = NodeNames(60);
    return MustMake(GetParam().name, names, options);
  }
};

// delta_B^-1(a) is part of delta_A^-1(a) for each a in A, if A is part of B: a key that B gives to an agent
// of A had that agent in A.
TEST_P(AssignmentTest, IsContravariantUnlessItIsTheCounterExample) {
  for (const int hash_bits : {64, 5}) {  // few bits: collisions decide much
    SeededRandom random(1);
    uint64_t violations = 0;
    for (int pair = 0; pair < 1000; pair++) {
      const std::vector<std::string> b = SomeNodes(random, 2);
      const std::vector<std::string> a(b.begin(),
                                       b.begin() + 1 + static_cast<ptrdiff_t>(random.Below(b.size() - 1)));
      const AssignmentOptions options = {.replicas = 20, .hash_bits = hash_bits};
      const auto small = Make(a, options);
      const auto large = Make(b, options);
      const std::set<std::string> in_a(a.begin(), a.end());
      for (int i = 0; i < 50; i++) {
        const uint64_t key = random.Next();
        const std::string& owner = OwnerName(*large, key);
        if (in_a.contains(owner) && owner != OwnerName(*small, key)) violations++;
      }
    }
    if (GetParam().is_contravariant) {
      EXPECT_EQ(violations, 0u) << hash_bits << " bits";
    } else {
      EXPECT_GT(violations, 1000u);
    }
  }
}

// Chain(key)[i] is the owner without the first i of the chain.
TEST_P(AssignmentTest, HasAChainThatIsTheAnswerWithoutTheFirstAgent) {
  for (const int hash_bits : {64, 4}) {
    SeededRandom random(2);
    for (int round = 0; round < 60; round++) {
      std::vector<std::string> names = SomeNodes(random, 1);
      const AssignmentOptions options = {.replicas = 7, .hash_bits = hash_bits};
      const auto all = Make(names, options);
      const uint64_t key = random.Next();
      const std::vector<uint32_t> chain = all->Chain(key, 1000);
      ASSERT_EQ(chain.size(), names.size());
      const std::vector<uint32_t> first = all->Chain(key, 3);
      EXPECT_TRUE(std::equal(first.begin(), first.end(), chain.begin()));
      for (const uint32_t next : chain) {
        const std::string& name = all->agents()[next];
        ASSERT_EQ(OwnerName(*Make(names, options), key), name) << "round " << round;
        std::erase(names, name);
      }
    }
  }
}

TEST_P(AssignmentTest, DoesNotDependOnTheOrderOfTheAgents) {
  SeededRandom random(3);
  for (int round = 0; round < 50; round++) {
    std::vector<std::string> names = SomeNodes(random, 1);
    const auto one = Make(names, {.hash_bits = 6});
    std::sort(names.begin(), names.end());
    std::reverse(names.begin(), names.end());
    const auto other = Make(names, {.hash_bits = 6});
    EXPECT_EQ(one->agents(), other->agents());
    for (int i = 0; i < 20; i++) {
      const uint64_t key = random.Next();
      EXPECT_EQ(one->Owner(key), other->Owner(key));
    }
  }
}

// The loads of A agents with U keys are those of U independent throws at the shares of the agents: then
// sum (load - expected)^2 / expected has mean A - 1 and variance 2 (A - 1).
TEST_P(AssignmentTest, BalancesWithinItsFormula) {
  constexpr uint64_t kKeys = 40'000;
  for (const uint64_t count : {uint64_t{2}, uint64_t{10}, uint64_t{60}}) {
    const auto assignment = Make(NodeNames(count));
    std::vector<double> expected(count, static_cast<double>(kKeys) / static_cast<double>(count));
    if (const auto* circle = dynamic_cast<const ConsistentHashing*>(assignment.get())) {
      expected = circle->Shares();
      EXPECT_NEAR(std::accumulate(expected.begin(), expected.end(), 0.0), 1, 1e-9);
      for (double& share : expected) share *= static_cast<double>(kKeys);
    }
    std::vector<double> load(count, 0);
    SeededRandom random(count);
    for (uint64_t i = 0; i < kKeys; i++) load[assignment->Owner(random.Next())]++;
    double chi_square = 0;
    for (size_t i = 0; i < count; i++) {
      chi_square += (load[i] - expected[i]) * (load[i] - expected[i]) / expected[i];
    }
    const auto freedom = static_cast<double>(count - 1);
    EXPECT_LT(chi_square, freedom + 5 * std::sqrt(2 * freedom)) << count << " agents";
    EXPECT_GT(chi_square, freedom - 5 * std::sqrt(2 * freedom)) << count << " agents";
  }
}

// A newcomer takes 1/(A+1) of the keys; of h mod |A|, |A|/(|A|+1) of the keys move.
TEST_P(AssignmentTest, MovesAsManyKeysAsItMustWhenAnAgentJoins) {
  constexpr double kKeys = 40'000;
  for (const uint64_t count : {uint64_t{1}, uint64_t{9}, uint64_t{40}}) {
    const auto before = Make(NodeNames(count));
    const auto after = Make(NodeNames(count + 1));
    SeededRandom random(count);
    double moved = 0;
    double moved_to_newcomer = 0;
    for (int i = 0; i < static_cast<int>(kKeys); i++) {
      const uint64_t key = random.Next();
      const std::string& owner = OwnerName(*after, key);
      if (owner == OwnerName(*before, key)) continue;
      moved++;
      if (owner == NodeName(count)) moved_to_newcomer++;
    }
    const auto agents = static_cast<double>(count);
    double share = GetParam().is_contravariant ? 1 / (agents + 1) : agents / (agents + 1);
    if (const auto* circle = dynamic_cast<const ConsistentHashing*>(after.get()))
      share = circle->Shares()[count];
    const double deviation = std::sqrt(kKeys * share * (1 - share));
    EXPECT_NEAR(moved, kKeys * share, 5 * deviation) << count << " agents";
    if (GetParam().is_contravariant) {
      EXPECT_EQ(moved, moved_to_newcomer);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Assignment, AssignmentTest, testing::ValuesIn(AssignmentKinds()),
                         [](const auto& kind) {
                           std::string name(kind.param.name);
                           std::erase(name, '-');
                           return name;
                         });

// The shuffle of the notes, run to its end on a vector.
std::vector<uint32_t> WholePermutation(uint64_t seed, uint32_t n) {
  SeededRandom random(seed);
  std::vector<uint32_t> elements(n);
  std::iota(elements.begin(), elements.end(), 0u);
  for (uint32_t i = 0; i < n; i++) std::swap(elements[i], elements[i + random.Below(n - i)]);
  return elements;
}

TEST(LazyPermutationTest, IsFisherAndYatesShuffle) {
  for (uint32_t n = 1; n < 140; n++) {
    LazyPermutation lazy(n, n);
    std::vector<uint32_t> drawn;
    for (uint32_t i = 0; i < n; i++) drawn.push_back(lazy.Next());
    EXPECT_EQ(drawn, WholePermutation(n, n));
  }
}

TEST(LazyPermutationTest, DrawsAllPermutationsEquallyOften) {
  std::vector<int> counts(24, 0);
  constexpr int kDraws = 24'000;
  for (uint64_t seed = 0; seed < kDraws; seed++) {
    LazyPermutation lazy(seed, 4);
    int rank = 0;
    std::vector<uint32_t> left = {0, 1, 2, 3};
    for (const int radix : {6, 2, 1, 0}) {
      const auto at = std::find(left.begin(), left.end(), lazy.Next());
      rank += radix * static_cast<int>(at - left.begin());
      left.erase(at);
    }
    counts[static_cast<size_t>(rank)]++;
  }
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 24, 5 * std::sqrt(kDraws / 24));
}

// sqrt((A-1) / (AC+1)), over many circles.
TEST(ConsistentHashingTest, HasSharesThatDeviateByItsFormula) {
  constexpr double kAgents = 10;
  for (const uint32_t replicas : {1u, 10u, 300u}) {
    double squares = 0;
    constexpr int kCircles = 100;
    for (int circle = 0; circle < kCircles; circle++) {
      std::vector<Member> members;
      for (int i = 0; i < static_cast<int>(kAgents); i++)
        members.push_back({.name = fmt::format("{}-{}", circle, i)});
      const auto made = ConsistentHashing::Make(members, replicas);
      for (const double share : dynamic_cast<const ConsistentHashing&>(**made).Shares()) {
        squares += (share * kAgents - 1) * (share * kAgents - 1);
      }
    }
    const double measured = std::sqrt(squares / (kAgents * kCircles));
    const double formula = std::sqrt((kAgents - 1) / (kAgents * replicas + 1));
    EXPECT_NEAR(measured / formula, 1, 0.15) << replicas << " replicas";
  }
}

TEST(ConsistentHashingTest, GivesKeysByWeightAndMovesThemOnlyToWhomIsRaised) {
  std::vector<Member> members = {
      {.name = "a", .weight = 1}, {.name = "b", .weight = 2}, {.name = "c", .weight = 1}};
  const auto before = MakeAssignment("consistent", members, {.replicas = 3000});
  members[2].weight = 4;
  const auto after = MakeAssignment("consistent", members, {.replicas = 3000});
  const auto shares = dynamic_cast<const ConsistentHashing&>(**before).Shares();
  EXPECT_NEAR(shares[1], 0.5, 0.05);
  EXPECT_NEAR(dynamic_cast<const ConsistentHashing&>(**after).Shares()[2], 4.0 / 7, 0.05);
  SeededRandom random(5);
  int moved = 0;
  for (int i = 0; i < 5000; i++) {
    const uint64_t key = random.Next();
    if ((*before)->Owner(key) == (*after)->Owner(key)) continue;
    EXPECT_EQ((*after)->Owner(key), 2u);
    moved++;
  }
  EXPECT_GT(moved, 1000);
}

TEST(RandomPermutationsTest, AreContravariantOnlyIfTheUniverseStaysTheSame) {
  const auto before = MustMake("permutation", NodeNames(9));
  const auto after = MustMake("permutation", NodeNames(10));
  SeededRandom random(6);
  int violations = 0;
  for (int i = 0; i < 1000; i++) {
    const uint64_t key = random.Next();
    const std::string& owner = OwnerName(*after, key);
    if (owner != NodeName(9) && owner != OwnerName(*before, key)) violations++;
  }
  EXPECT_GT(violations, 50);
}

// Agents of different versions must agree, or two would write to one tablet until the file system stops one.
TEST(AssignmentStabilityTest, AnswersAsItAlwaysDid) {
  std::vector<std::string> owners;
  for (const AssignmentKind& kind : AssignmentKinds()) {
    const auto assignment = MustMake(kind.name, NodeNames(10));
    std::string line;
    for (const char* name : {"t-0000", "t-0101", "example.org", "crivello.example"}) {
      for (const uint32_t agent : assignment->Chain(AssignmentKey(name), 2)) line += std::to_string(agent);
      line += ' ';
    }
    owners.push_back(line);
  }
  EXPECT_THAT(owners, ElementsAre("21 46 27 97 ", "38 48 92 23 ", "23 91 23 36 ", "73 83 23 28 "));
}

TEST(MakeAssignmentTest, NamesWhatItCannotUse) {
  const struct {
    std::string kind;
    std::vector<Member> members;
    AssignmentOptions options;
    std::string says;
  } cases[] = {
      {"colander", {{.name = "a"}}, {}, "no assignment function 'colander'"},
      {"min-hash", {}, {}, "no agents"},
      {"min-hash", {{.name = "a"}, {.name = ""}}, {}, "name of an agent is empty"},
      {"modulo", {{.name = "a"}, {.name = "b"}, {.name = "a"}}, {}, "two agents are named 'a'"},
      {"min-hash", {{.name = "a", .weight = 2}}, {}, "agent 'a' has weight 2"},
      {"consistent", {{.name = "a", .weight = 0}}, {}, "weight 0 of agent 'a'"},
      {"consistent", {{.name = "a", .weight = std::nan("")}}, {}, "weight nan"},
      {"consistent", {{.name = "a"}}, {.replicas = 0}, "0 replicas"},
      {"consistent", {{.name = "a"}}, {.replicas = 1u << 31}, "replicas"},
      {"permutation", {{.name = "a"}}, {.universe = {"b", "c"}}, "agent 'a' is not one of the 2"},
      {"min-hash", {{.name = "a"}}, {.hash_bits = 65}, "65 bits"},
  };
  for (const auto& c : cases) {
    const auto made = MakeAssignment(c.kind, c.members, c.options);
    ASSERT_FALSE(made.ok()) << c.says;
    EXPECT_EQ(made.status().code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(made.status().message(), HasSubstr(c.says));
  }
}

}  // namespace
}  // namespace crivello::cluster
