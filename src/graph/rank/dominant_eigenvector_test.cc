// SPDX-License-Identifier: Apache-2.0
#include "graph/rank/dominant_eigenvector.h"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/graph_test_support.h"
#include "graph/transform/transpose.h"

namespace crivello::graph {
namespace {

DominantEigenvector Dominant(const ArrayGraph& graph, const DominantEigenvectorOptions& options = {}) {
  SilentProgress progress;
  return FindDominantEigenvector(TransposeInMemory(graph).value(), options, progress).value();
}

TEST(DominantEigenvectorTest, IsAnEigenvectorAndNoNodeIsAboveItsBound) {
  SeededRandom random(1);
  int converged = 0;
  for (int i = 0; i < 50; i++) {
    // A cycle through all nodes makes the vector unique (Perron, Frobenius).
    const uint64_t nodes = 2 + random.Below(20);
    auto arcs = ArcsOf(RandomGraph(random, nodes, nodes));
    for (Node node = 0; node < nodes; node++) arcs.emplace_back(node, static_cast<Node>((node + 1) % nodes));
    const auto graph = ArrayGraph::FromArcs(nodes, arcs);
    const auto result = Dominant(graph, {.max_passes = 20000});
    if (!result.converged) continue;
    converged++;
    std::vector<double> product(nodes);
    double sum = 0, residual = 0;
    for (const auto& [source, target] : ArcsOf(graph)) product[target] += result.values[source];
    for (size_t node = 0; node < nodes; node++) {
      residual += std::abs(product[node] - result.eigenvalue * result.values[node]);
      sum += result.values[node];
      EXPECT_GT(result.values[node], 0) << "of an irreducible matrix only this eigenvector is positive";
    }
    EXPECT_LE(residual / result.eigenvalue, 1e-9 + 1e-14);
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_GE(converged, 45);
}

TEST(DominantEigenvectorTest, OfACycleOfTwoIsUniformThoughItHasPeriodTwo) {
  const auto result = Dominant(ArrayGraph::FromArcs(3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.eigenvalue, std::sqrt(2.0), 1e-8);
  EXPECT_NEAR(result.values[1] / result.values[0], std::sqrt(2.0), 1e-7);
}

TEST(DominantEigenvectorTest, DoesNotConvergeWithoutCycles) {
  EXPECT_FALSE(Dominant(ArrayGraph::FromArcs(4, {})).converged);
  EXPECT_FALSE(Dominant(ArrayGraph::FromArcs(3, {{0, 1}, {1, 2}})).converged);
}

TEST(DominantEigenvectorTest, HasTheSameBitsWithAnyThreads) {
  SeededRandom random(2);
  SilentProgress progress;
  const auto graph = RandomGraph(random, 1000, 5000);
  const auto one = FindDominantEigenvector(graph, {}, progress).value();
  const auto three = FindDominantEigenvector(graph, {.threads = 3, .memory_bytes = 0}, progress).value();
  EXPECT_EQ(one.values, three.values);
}

}  // namespace
}  // namespace crivello::graph
