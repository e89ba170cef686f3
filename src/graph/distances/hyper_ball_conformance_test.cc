// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "graph/distances/hyper_ball.h"
#include "graph/shared_graphs.h"
#include "graph/transform/transpose.h"

namespace crivello::graph {
namespace {

// The number of reachable pairs, by a visit from each node.
uint64_t CountReachablePairs(const ArrayGraph& graph) {
  std::vector<Node> queue, seen_from(graph.nodes(), ~Node{0});
  uint64_t pairs = 0;
  for (Node start = 0; start < graph.nodes(); start++) {
    queue.assign(1, start);
    seen_from[start] = start;
    for (size_t head = 0; head < queue.size(); head++) {
      for (const Node successor : graph.Successors(queue[head])) {
        if (seen_from[successor] == start) continue;
        seen_from[successor] = start;
        queue.push_back(successor);
      }
    }
    pairs += queue.size();
  }
  return pairs;
}

TEST(HyperBallConformanceTest, SixteenRunsAreWithinTheirErrorOfTheReachablePairsOfAPublicGraph) {
  const auto graph = LoadSharedGraph("small/wb-cs.stanford");
  if (graph.nodes() == 0) GTEST_SKIP() << "skipped: no ../shared/graphs/small";
  SilentProgress progress;
  const auto result = RunHyperBall(graph, {.log_registers = 8, .runs = 16}, progress).value();
  const Estimate pairs = Summarise(result.runs).reachable_pairs;
  const auto exact = static_cast<double>(CountReachablePairs(graph));
  EXPECT_LE(pairs.standard_error, 0.03 * exact);
  EXPECT_NEAR(pairs.value, exact, 3 * pairs.standard_error);
}

// The full version, with 16 runs, is in bench/graph.
TEST(HyperBallConformanceTest, HarmonicCentralitiesOfAPublicGraphAreAsFarOffAsTheoryAllows) {
  const auto samples = SharedHarmonicSamples("cnr-2000-llp/cnr-2000.harmonic-sample.tsv");
  if (samples.empty()) GTEST_SKIP() << "skipped: no ../shared/graphs/cnr-2000-llp";
  SilentProgress progress;
  const auto transpose = TransposeInMemory(LoadSharedGraph("cnr-2000-llp/cnr-2000")).value();
  constexpr unsigned kLog = 7;
  const auto result =
      RunHyperBall(transpose, {.log_registers = kLog, .harmonic = true, .reachable = true}, progress).value();
  const double allowed = 2 * 1.06 / std::sqrt(1 << kLog);
  int within = 0, count_within = 0;
  for (const HarmonicSample& sample : samples) {
    within += std::abs(result.harmonic[sample.node] - sample.harmonic_in) <= allowed * sample.harmonic_in;
    const auto count = static_cast<double>(sample.coreachable);
    count_within += std::abs(result.reachable[sample.node] - count) <= allowed * count;
  }
  EXPECT_EQ(samples.size(), 256u);
  EXPECT_GE(within, 0.95 * 256);
  EXPECT_GE(count_within, 0.95 * 256);
}

}  // namespace
}  // namespace crivello::graph
