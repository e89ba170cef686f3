// SPDX-License-Identifier: Apache-2.0
#include "graph/array_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ArrayGraphTest, HasTheArcsThatWereGivenOnce) {
  const auto graph = ArrayGraph::FromArcs(4, {{2, 0}, {0, 3}, {0, 1}, {0, 3}, {2, 2}});
  EXPECT_EQ(graph.nodes(), 4u);
  EXPECT_EQ(graph.arcs(), 4u);
  EXPECT_THAT(graph.Successors(0), ElementsAre(1, 3));
  EXPECT_THAT(graph.Successors(1), IsEmpty());
  EXPECT_THAT(graph.Successors(2), ElementsAre(0, 2));
}

TEST(ArrayGraphTest, ScansAnyRangeOfNodesAndReadsAnyNode) {
  const auto graph = ArrayGraph::FromArcs(3, {{0, 1}, {1, 0}, {1, 2}});
  const auto cursor = graph.Scan(1, 3);
  ASSERT_TRUE(cursor->Next());
  EXPECT_EQ(cursor->node(), 1u);
  EXPECT_THAT(cursor->successors(), ElementsAre(0, 2));
  ASSERT_TRUE(cursor->Next());
  EXPECT_EQ(cursor->node(), 2u);
  EXPECT_THAT(cursor->successors(), IsEmpty());
  EXPECT_FALSE(cursor->Next());
  EXPECT_TRUE(cursor->status().ok());
  auto reader = graph.Reader();
  ASSERT_TRUE(reader.ok());
  EXPECT_THAT((*reader)->Successors(0).value(), ElementsAre(1));
}

TEST(ArrayGraphTest, RefusesListsThatAreNoGraph) {
  EXPECT_FALSE(ArrayGraph::FromArrays({}, {}).ok());
  EXPECT_FALSE(ArrayGraph::FromArrays({0, 1}, {1}).ok()) << "a target beyond the nodes";
  EXPECT_FALSE(ArrayGraph::FromArrays({0, 2, 2}, {1, 1}).ok()) << "an arc twice";
  EXPECT_FALSE(ArrayGraph::FromArrays({0, 2, 2}, {1, 0}).ok()) << "a list that decreases";
  EXPECT_FALSE(ArrayGraph::FromArrays({0, 2, 1}, {0}).ok()) << "a list that ends before it begins";
  EXPECT_FALSE(ArrayGraph::FromArrays({0, 3, 1}, {0}).ok()) << "a list beyond the targets";
  EXPECT_FALSE(ArrayGraph::FromArrays({1, 1}, {0}).ok()) << "a target of no node";
  EXPECT_TRUE(ArrayGraph::FromArrays({0, 1, 1}, {1}).ok());
}

TEST(ArrayGraphTest, IsEqualToItsCopy) {
  const auto graph = ArrayGraph::FromArcs(3, {{0, 1}, {1, 0}, {1, 2}});
  const auto copy = ArrayGraph::Copy(graph);
  ASSERT_TRUE(copy.ok());
  EXPECT_EQ(graph, *copy);
}

}  // namespace
}  // namespace crivello::graph
