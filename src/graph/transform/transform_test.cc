// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "graph/graph_test_support.h"
#include "graph/transform/orders.h"
#include "graph/transform/select.h"
#include "graph/transform/transpose.h"

namespace crivello::graph {
namespace {

using ::testing::ElementsAre;

template <typename Operation>
ArrayGraph Collect(const Operation& operation) {
  ArrayGraphBuilder builder;
  const Status status = operation(SinkTo(builder));
  EXPECT_TRUE(status.ok()) << status.ToString();
  return std::move(builder).Finish().value();
}

ArrayGraph TransposedArcs(const ArrayGraph& graph, bool also_forward) {
  auto arcs = ArcsOf(graph);
  const size_t count = arcs.size();
  for (size_t i = 0; i < count; i++) {
    const std::pair<Node, Node> turned(arcs[i].second, arcs[i].first);
    if (also_forward) {
      arcs.push_back(turned);
    } else {
      arcs[i] = turned;
    }
  }
  return ArrayGraph::FromArcs(graph.nodes(), arcs);
}

TEST(TransposeTest, TurnsEachArcAroundWhateverTheMemory) {
  SeededRandom random(1);
  SilentProgress progress;
  for (int i = 0; i < 200; i++) {
    const auto graph = AnyRandomGraph(random, 40);
    const TransposeOptions options = {.memory_bytes = random.Below(2) ? 1 << 20 : random.Below(100)};
    EXPECT_EQ(Collect([&](const NodeSink& sink) { return Transpose(graph, options, sink, progress); }),
              TransposedArcs(graph, false));
    EXPECT_EQ(Collect([&](const NodeSink& sink) { return Symmetrise(graph, options, sink, progress); }),
              TransposedArcs(graph, true));
    EXPECT_EQ(TransposeInMemory(graph).value(), TransposedArcs(graph, false));
  }
}

TEST(TransposeTest, ReadsTheGraphOncePerPartThatFits) {
  SilentProgress progress;
  std::vector<std::pair<Node, Node>> arcs;
  for (Node x = 0; x < 100; x++) {
    for (Node y = 0; y < 10; y++) arcs.emplace_back(x, (x + y) % 100);
  }
  const auto graph = ArrayGraph::FromArcs(100, arcs);
  const ScanOnlyGraph counted(graph);
  Collect([&](const NodeSink& sink) { return Transpose(counted, {.memory_bytes = 1000}, sink, progress); });
  EXPECT_EQ(counted.scans(), 1u + 4u) << "1000 arcs of 4 bytes, 1000 bytes at a time";
}

TEST(TransposeTest, EndsWithTheErrorOfTheSinkAndWhenStopped) {
  SilentProgress progress;
  const auto graph = ArrayGraph::FromArcs(3, {{0, 1}});
  const auto full = [](std::span<const Node>) { return Status::IoError("full"); };
  EXPECT_EQ(Transpose(graph, {}, full, progress).code(), StatusCode::kIoError);
  std::stop_source stop;
  stop.request_stop();
  const auto large = ArrayGraph::FromArcs(uint64_t{1} << 17, {{0, 1}});
  ArrayGraphBuilder builder;
  EXPECT_EQ(Transpose(large, {.stop = stop.get_token()}, SinkTo(builder), progress).code(),
            StatusCode::kUnavailable);
}

TEST(SelectTest, FiltersArcs) {
  const auto graph = ArrayGraph::FromArcs(3, {{0, 0}, {0, 1}, {1, 2}, {2, 2}});
  const auto result = Collect([&](const NodeSink& sink) {
    return FilterArcs(
        graph, [](Node x, Node y) { return x != y; }, sink);
  });
  EXPECT_EQ(result, ArrayGraph::FromArcs(3, {{0, 1}, {1, 2}}));
}

TEST(SelectTest, KeepsTheArcsBetweenTheNodesOfASubgraph) {
  const auto graph = ArrayGraph::FromArcs(5, {{0, 1}, {1, 3}, {1, 4}, {3, 1}, {3, 3}, {4, 0}});
  const auto result = Collect([&](const NodeSink& sink) {
    return Subgraph(graph, std::vector<Node>{1, 3, 4}, sink);
  });
  EXPECT_EQ(result, ArrayGraph::FromArcs(3, {{0, 1}, {0, 2}, {1, 0}, {1, 1}}));
  ArrayGraphBuilder builder;
  EXPECT_EQ(Subgraph(graph, std::vector<Node>{1, 1}, SinkTo(builder)).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Subgraph(graph, std::vector<Node>{5}, SinkTo(builder)).code(), StatusCode::kInvalidArgument);
}

TEST(SelectTest, PermutesNodesAndBack) {
  SeededRandom random(2);
  for (int i = 0; i < 100; i++) {
    const auto graph = AnyRandomGraph(random, 30);
    const auto order = RandomOrder(graph.nodes(), random.Next());
    auto arcs = ArcsOf(graph);
    for (auto& [source, target] : arcs) {
      source = order[source];
      target = order[target];
    }
    const auto permuted = Collect([&](const NodeSink& sink) { return Permute(graph, order, sink); });
    EXPECT_EQ(permuted, ArrayGraph::FromArcs(graph.nodes(), arcs));
    const auto back = InversePermutation(order).value();
    EXPECT_EQ(Collect([&](const NodeSink& sink) { return Permute(permuted, back, sink); }), graph);
  }
}

TEST(SelectTest, RefusesWhatIsNotAPermutation) {
  const auto graph = ArrayGraph::FromArcs(2, {{0, 1}});
  ArrayGraphBuilder builder;
  EXPECT_FALSE(Permute(graph, std::vector<Node>{0}, SinkTo(builder)).ok());
  EXPECT_FALSE(Permute(graph, std::vector<Node>{0, 0}, SinkTo(builder)).ok());
  EXPECT_FALSE(Permute(graph, std::vector<Node>{0, 2}, SinkTo(builder)).ok());
  EXPECT_EQ(Permute(ScanOnlyGraph(graph), std::vector<Node>{0, 1}, SinkTo(builder)).code(),
            StatusCode::kUnavailable);
}

TEST(SelectTest, UnitesGraphsOfDifferentSizes) {
  const auto a = ArrayGraph::FromArcs(2, {{0, 1}, {1, 0}});
  const auto b = ArrayGraph::FromArcs(4, {{0, 1}, {0, 3}, {3, 2}});
  const auto expected = ArrayGraph::FromArcs(4, {{0, 1}, {0, 3}, {1, 0}, {3, 2}});
  EXPECT_EQ(Collect([&](const NodeSink& sink) { return Unite(a, b, sink); }), expected);
  EXPECT_EQ(Collect([&](const NodeSink& sink) { return Unite(b, a, sink); }), expected);
}

TEST(OrdersTest, GoesBreadthFirstFromTheRootsAndThenFromTheLowestNodes) {
  const auto graph = ArrayGraph::FromArcs(7, {{5, 2}, {5, 6}, {2, 3}, {6, 3}, {0, 1}, {1, 5}});
  // 5, 2, 6, 3, then 0, 1, then 4.
  EXPECT_THAT(BreadthFirstOrder(graph, std::vector<Node>{5}).value(), ElementsAre(4, 5, 1, 3, 6, 0, 2));
  // 0, 1, 5, 2, 6, 3, 4.
  EXPECT_THAT(BreadthFirstOrder(graph).value(), ElementsAre(0, 1, 3, 5, 6, 2, 4));
  EXPECT_EQ(BreadthFirstOrder(graph, std::vector<Node>{7}).status().code(), StatusCode::kInvalidArgument);
}

TEST(OrdersTest, ARandomOrderDependsOnItsSeedAndIsUniform) {
  EXPECT_EQ(RandomOrder(100, 1), RandomOrder(100, 1));
  EXPECT_NE(RandomOrder(100, 1), RandomOrder(100, 2));
  // Each of the 6 orders of 3 nodes 1000 times, plus or minus 6 standard deviations.
  std::vector<int> counts(27);
  for (uint64_t seed = 0; seed < 6000; seed++) {
    const auto order = RandomOrder(3, seed);
    counts[order[0] * 9 + order[1] * 3 + order[2]]++;
  }
  for (const int code : {5, 7, 11, 15, 19, 21}) EXPECT_NEAR(counts[static_cast<size_t>(code)], 1000, 175);
}

TEST(OrdersTest, OrdersByKeysFromOutside) {
  const std::vector<std::string> keys = {"org.b", "com.a", "org.a", "com.a"};
  EXPECT_THAT(OrderBy(4, [&](Node x, Node y) { return keys[x] < keys[y]; }), ElementsAre(3, 0, 2, 1));
}

}  // namespace
}  // namespace crivello::graph
