// SPDX-License-Identifier: Apache-2.0
#include "graph/stats/graph_stats.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/conformance.h"
#include "graph/array_graph.h"
#include "graph/bv/bv_code_writer.h"
#include "graph/bv/bv_graph.h"
#include "graph/bv/bv_test_support.h"

namespace crivello::graph {
namespace {

TEST(GraphStatsTest, CountsWhatCanBeSeen) {
  const auto stats = MeasureGraph(ArrayGraph::FromArcs(6, {{0, 0}, {0, 1}, {0, 2}, {0, 5}, {1, 5}, {4, 0}}));
  ASSERT_TRUE(stats.ok());
  EXPECT_EQ(stats->nodes, 6u);
  EXPECT_EQ(stats->arcs, 6u);
  EXPECT_EQ(stats->self_loops, 1u);
  EXPECT_EQ(stats->dangling, 3u);
  EXPECT_EQ(stats->unlinked, 2u);
  EXPECT_EQ(stats->max_outdegree, 4u);
  EXPECT_EQ(stats->max_indegree, 2u);
  EXPECT_EQ(stats->outdegrees[0], 3u);
  EXPECT_EQ(stats->outdegrees[1], 2u);
  EXPECT_EQ(stats->outdegrees[3], 1u);
  EXPECT_EQ(stats->distances[0], 1u);
  EXPECT_DOUBLE_EQ(stats->consecutivity, 0.5);
  EXPECT_DOUBLE_EQ(stats->locality, 1);
  EXPECT_EQ(stats->bv.arcs, 6u);
  EXPECT_EQ(stats->bv.copied_arcs + stats->bv.interval_arcs + stats->bv.residual_arcs, 6u);
}

TEST(GraphStatsTest, OfAnEmptyGraphAreZero) {
  const auto stats = MeasureGraph(ArrayGraph());
  ASSERT_TRUE(stats.ok());
  EXPECT_EQ(stats->arcs, 0u);
  EXPECT_EQ(stats->bv.bits_per_link(), 0);
}

TEST(GraphStatsTest, OfCnrAreTheKnownOnes) {
  const std::string path = SharedPath("graphs/cnr-2000-llp/cnr-2000.graph");
  if (path.empty()) GTEST_SKIP() << "skipped: no ../shared/graphs";
  const auto graph = BvGraph::Open(path.substr(0, path.size() - 6));
  ASSERT_TRUE(graph.ok());
  const auto stats = MeasureGraph(**graph);
  ASSERT_TRUE(stats.ok());
  EXPECT_EQ(stats->self_loops, 87442u);
  EXPECT_EQ(stats->dangling, 78056u);
  EXPECT_EQ(stats->unlinked, 0u);
  EXPECT_EQ(stats->max_outdegree, 2716u);
  EXPECT_EQ(stats->max_indegree, 18235u);
  EXPECT_EQ(stats->bv.copied_arcs, 2195145u);
  EXPECT_EQ(stats->bv.interval_arcs, 443657u);
  EXPECT_EQ(stats->bv.residual_arcs, 577350u);
  EXPECT_NEAR(stats->bv.bits_per_link(), 2.897, 0.001);
  EXPECT_NEAR(stats->mean_log_gap, 2.6133784090933467, 1e-12);
  EXPECT_GT(stats->locality, 0.5);
  EXPECT_GT(stats->similarity, 0.5);
  EXPECT_GT(stats->consecutivity, 0.3);
}

// The gaps of the lecture notes: between the first successor and the node, as a natural number, and then the
// differences minus one.
std::vector<uint64_t> GapsOf(uint64_t node, std::span<const Node> list) {
  std::vector<uint64_t> gaps;
  for (size_t i = 0; i < list.size(); i++) {
    gaps.push_back(i == 0 ? SignedToNatural(list[0], node) : list[i] - list[i - 1] - 1);
  }
  return gaps;
}

TEST(GraphStatsTest, TheGapsOfTheNotesAreTheirs) {
  const ArrayGraph graph = NotesGraph();
  EXPECT_EQ(GapsOf(15, graph.Successors(15)), (std::vector<uint64_t>{3, 1, 0, 0, 0, 0, 3, 0, 178, 111, 718}));
  EXPECT_EQ(GapsOf(16, graph.Successors(16)), (std::vector<uint64_t>{1, 0, 0, 4, 0, 0, 290, 0, 0, 2723}));
  EXPECT_EQ(GapsOf(18, graph.Successors(18)), (std::vector<uint64_t>{9, 1, 0, 0, 32}));
}

}  // namespace
}  // namespace crivello::graph
