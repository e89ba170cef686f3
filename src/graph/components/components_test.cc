// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/components/bow_tie.h"
#include "graph/components/strong_components.h"
#include "graph/components/weak_components.h"
#include "graph/graph_test_support.h"

namespace crivello::graph {
namespace {

using ::testing::ElementsAre;

StrongComponents Strong(const Graph& graph) {
  SilentProgress progress;
  return FindStrongComponents(graph, {}, progress).value();
}

// Components by definition: x and y are together if together(x, y); numbered by size, then lowest node.
template <typename Together>
Components ByDefinition(uint64_t n, const Together& together) {
  std::vector<Node> label(n);
  for (size_t x = 0; x < n; x++) {
    size_t y = 0;
    while (!together(x, y)) y++;
    label[x] = static_cast<Node>(y);
  }
  std::vector<std::pair<size_t, Node>> order;  // n minus the size, and the lowest node
  for (Node l = 0; l < n; l++) {
    const auto size = static_cast<size_t>(std::count(label.begin(), label.end(), l));
    if (size > 0) order.emplace_back(n - size, l);
  }
  std::sort(order.begin(), order.end());
  Components result;
  for (const auto& [rest, lowest] : order) result.sizes.push_back(static_cast<Node>(n - rest));
  for (const Node l : label) {
    for (size_t i = 0; i < order.size(); i++) {
      if (order[i].second == l) result.component.push_back(static_cast<Node>(i));
    }
  }
  return result;
}

TEST(StrongComponentsTest, AreTheClassesOfNodesThatReachEachOther) {
  SeededRandom random(1);
  for (int i = 0; i < 300; i++) {
    const auto graph = AnyRandomGraph(random, 40);
    const auto distance = AllDistances(graph);
    const auto expected = ByDefinition(graph.nodes(), [&](size_t x, size_t y) {
      return distance[x][y] < kUnreachable && distance[y][x] < kUnreachable;
    });
    const auto strong = Strong(graph);
    ASSERT_EQ(strong.component, expected.component);
    ASSERT_EQ(strong.sizes, expected.sizes);
    std::vector<size_t> position(strong.sizes.size());
    ASSERT_EQ(strong.sinks_first.size(), strong.sizes.size());
    for (size_t at = 0; at < position.size(); at++) position[strong.sinks_first[at]] = at;
    for (const auto& [source, target] : ArcsOf(graph)) {
      ASSERT_GE(position[strong.component[source]], position[strong.component[target]]);
    }
  }
}

// Vertices 0 to 3 and the edges {0, 1}, {1, 2}, {2, 0}, {2, 3} of the lecture notes.
TEST(StrongComponentsTest, TheGraphOfTheNotesIsOneComponentAsAGraphAndTwoWithArcsOneWay) {
  const std::vector<std::pair<Node, Node>> edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}};
  auto arcs = edges;
  for (const auto& [x, y] : edges) arcs.emplace_back(y, x);
  const auto graph = ArrayGraph::FromArcs(4, arcs);
  EXPECT_THAT(Strong(graph).sizes, ElementsAre(4));
  EXPECT_THAT(graph.Successors(1), ElementsAre(0, 2)) << "1, 0, 2 is a path and 1, 3 is not";
  const auto strong = Strong(ArrayGraph::FromArcs(4, edges));
  EXPECT_THAT(strong.component, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(strong.sizes, ElementsAre(3, 1)) << "the clique {0, 1, 2}, and 3";
  EXPECT_THAT(strong.sinks_first, ElementsAre(1, 0));
}

TEST(StrongComponentsTest, FollowsAPathOfAMillionNodesWithoutRecursion) {
  constexpr Node kNodes = 1000000;
  std::vector<std::pair<Node, Node>> arcs;
  for (Node node = 0; node + 1 < kNodes; node++) arcs.emplace_back(node, node + 1);
  EXPECT_EQ(Strong(ArrayGraph::FromArcs(kNodes, arcs)).sizes.size(), kNodes);
  arcs.emplace_back(kNodes - 1, 0);
  EXPECT_EQ(Strong(ArrayGraph::FromArcs(kNodes, arcs)).largest(), kNodes);
}

TEST(StrongComponentsTest, NeedsAReaderOrRoomForACopy) {
  SilentProgress progress;
  const auto graph = ArrayGraph::FromArcs(3, {{0, 1}, {1, 0}});
  const ScanOnlyGraph scanned(graph);
  EXPECT_EQ(FindStrongComponents(scanned, {}, progress).value().sizes, Strong(graph).sizes);
  EXPECT_EQ(FindStrongComponents(scanned, {.memory_bytes = 0}, progress).status().code(),
            StatusCode::kUnavailable);
}

TEST(WeakComponentsTest, AreTheClassesOfNodesThatArcsInAnyDirectionConnect) {
  SeededRandom random(2);
  SilentProgress progress;
  for (int i = 0; i < 300; i++) {
    const uint64_t nodes = random.Below(40);
    const auto graph = RandomGraph(random, nodes, random.Below(nodes * 2 + 1));
    auto arcs = ArcsOf(graph);
    for (size_t j = arcs.size(); j-- > 0;) arcs.emplace_back(arcs[j].second, arcs[j].first);
    const auto distance = AllDistances(ArrayGraph::FromArcs(nodes, arcs));
    const auto expected =
        ByDefinition(nodes, [&](size_t x, size_t y) { return distance[x][y] < kUnreachable; });
    const auto weak = FindWeakComponents(graph, {}, progress).value();
    ASSERT_EQ(weak.component, expected.component);
    ASSERT_EQ(weak.sizes, expected.sizes);
  }
}

TEST(BowTieTest, DividesTheNodesByWhatTheyReachAndWhatReachesThem) {
  SeededRandom random(3);
  SilentProgress progress;
  std::array<uint64_t, kBowTieParts> seen = {};
  for (int i = 0; i < 300; i++) {
    const uint64_t nodes = 1 + random.Below(30);
    const auto graph = RandomGraph(random, nodes, random.Below(nodes * 2 + 1));
    const auto distance = AllDistances(graph);
    const auto strong = Strong(graph);
    const auto weak = FindWeakComponents(graph, {}, progress).value();
    const auto bow_tie = FindBowTie(graph, strong, {}, progress).value();
    size_t core = 0;
    while (strong.component[core] != 0) core++;
    std::array<uint64_t, kBowTieParts> counts = {};
    for (size_t x = 0; x < nodes; x++) {
      const bool to = distance[x][core] < kUnreachable, from = distance[core][x] < kUnreachable;
      const auto expected = to && from                                  ? BowTiePart::kCore
                            : to                                        ? BowTiePart::kIn
                            : from                                      ? BowTiePart::kOut
                            : weak.component[x] == weak.component[core] ? BowTiePart::kTendrils
                                                                        : BowTiePart::kDisconnected;
      ASSERT_EQ(bow_tie.part[x], expected);
      counts[static_cast<size_t>(expected)]++;
      seen[static_cast<size_t>(expected)]++;
    }
    ASSERT_EQ(bow_tie.nodes, counts);
  }
  for (const uint64_t count : seen) EXPECT_GT(count, 100u) << "random graphs have all parts";
}

TEST(BowTieTest, AGraphWithoutNodesHasNoParts) {
  SilentProgress progress;
  const ArrayGraph graph;
  const auto bow_tie = FindBowTie(graph, Strong(graph), {}, progress).value();
  EXPECT_EQ(bow_tie.Share(BowTiePart::kCore), 0);
}

}  // namespace
}  // namespace crivello::graph
