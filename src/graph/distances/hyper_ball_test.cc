// SPDX-License-Identifier: Apache-2.0
#include "graph/distances/hyper_ball.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "base/test_support.h"
#include "graph/distances/ball_counters.h"
#include "graph/distances/update_log.h"
#include "graph/graph_test_support.h"
#include "graph/transform/transpose.h"

namespace crivello::graph {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// A graph that counts its scans.
class CountedGraph final : public Graph {
 public:
  explicit CountedGraph(const Graph& graph) : graph_(graph) {}
  uint64_t nodes() const override { return graph_.nodes(); }
  uint64_t arcs() const override { return graph_.arcs(); }
  std::unique_ptr<NodeCursor> Scan(uint64_t begin, uint64_t end) const override {
    scans_++;
    return graph_.Scan(begin, end);
  }
  Result<std::unique_ptr<SuccessorReader>> Reader() const override { return graph_.Reader(); }
  uint64_t scans() const { return scans_; }

 private:
  const Graph& graph_;
  mutable std::atomic<uint64_t> scans_ = 0;
};

HyperBallResult HyperBall(const Graph& graph, const HyperBallOptions& options) {
  SilentProgress progress;
  return RunHyperBall(graph, options, progress).value();
}

// Six vertices; the first one has the second and the fourth as successors, as in the lecture notes.
ArrayGraph SixVertices() {
  return ArrayGraph::FromArcs(6, {{0, 1}, {0, 3}, {1, 2}, {2, 0}, {3, 4}, {4, 3}, {4, 5}});
}

// Balls as bit masks: the ball of radius t + 1 of a vertex is the union of its ball of radius t and those of
// its successors.
std::vector<uint64_t> NextBalls(const ArrayGraph& graph, const std::vector<uint64_t>& balls) {
  std::vector<uint64_t> next = balls;
  for (const auto& [source, target] : ArcsOf(graph)) next[source] |= balls[target];
  return next;
}

TEST(BallsTest, OfSixVerticesAsBitMasks) {
  const auto graph = SixVertices();
  std::vector<uint64_t> balls;
  for (unsigned node = 0; node < 6; node++) balls.push_back(1u << node);
  balls = NextBalls(graph, balls);
  EXPECT_THAT(balls, ElementsAre(0b001011, 0b000110, 0b000101, 0b011000, 0b111000, 0b100000));
  for (Node node = 0; node < 6; node++) {
    EXPECT_EQ(static_cast<size_t>(std::popcount(balls[node])), graph.Successors(node).size() + 1);
  }
  balls = NextBalls(graph, balls);
  EXPECT_THAT(balls, ElementsAre(0b011111, 0b000111, 0b001111, 0b111000, 0b111000, 0b100000));
  // With many registers, counters of few elements are almost exact.
  const auto result = HyperBall(graph, {.log_registers = 14, .reachable = true, .max_distance = 2});
  for (Node node = 0; node < 6; node++) {
    EXPECT_NEAR(result.reachable[node], std::popcount(balls[node]), 0.01);
  }
}

TEST(BallsTest, HaveTheSizesThatDistancesGive) {
  SeededRandom random(1);
  for (int i = 0; i < 30; i++) {
    const auto graph = AnyRandomGraph(random, 40);
    const auto distance = AllDistances(graph);
    const auto result =
        HyperBall(graph, {.log_registers = 14, .seed = random.Next(), .harmonic = true, .reachable = true});
    uint32_t longest = 0;
    std::vector<double> function(graph.nodes() + 1);
    for (size_t x = 0; x < graph.nodes(); x++) {
      double harmonic = 0, reachable = 0;
      for (size_t y = 0; y < graph.nodes(); y++) {
        if (distance[x][y] >= kUnreachable) continue;
        reachable++;
        if (x != y) harmonic += 1.0 / distance[x][y];
        longest = std::max(longest, distance[x][y]);
        for (size_t t = distance[x][y]; t < function.size(); t++) function[t]++;
      }
      // Linear counting of k elements is off by about k / sqrt(2 m) if two of them collide.
      EXPECT_NEAR(result.reachable[x], reachable, 0.05 + reachable * 0.05);
      EXPECT_NEAR(result.harmonic[x], harmonic, 0.05 + harmonic * 0.05);
    }
    ASSERT_EQ(result.runs.size(), 1u);
    ASSERT_EQ(result.runs[0].size(), longest + 1) << "it ends when nothing changes";
    for (size_t t = 0; t <= longest; t++) {
      EXPECT_NEAR(result.runs[0][t], function[t], 0.05 + function[t] * 0.02);
    }
  }
}

TEST(HyperBallTest, OfSinksOnlyEachNodeReachesItself) {
  const auto result = HyperBall(ArrayGraph::FromArcs(100, {}), {.harmonic = true, .reachable = true});
  EXPECT_THAT(result.runs, ElementsAre(ElementsAre(100)));
  EXPECT_THAT(result.harmonic, Each(0));
  EXPECT_THAT(result.reachable, Each(1));
  EXPECT_EQ(result.passes, 1u);
}

TEST(HyperBallTest, TheTransposedGraphGivesHarmonicCentrality) {
  // A star: nodes 1 to 50 link to 0.
  std::vector<std::pair<Node, Node>> arcs;
  for (Node node = 1; node <= 50; node++) arcs.emplace_back(node, 0);
  const auto transpose = TransposeInMemory(ArrayGraph::FromArcs(51, arcs)).value();
  const auto result = HyperBall(transpose, {.log_registers = 12, .harmonic = true});
  EXPECT_NEAR(result.harmonic[0], 50, 1.5);
  EXPECT_EQ(result.harmonic[1], 0);
}

TEST(HyperBallTest, HasTheSameBitsInAnyStorageAndWithAnyThreads) {
  SeededRandom random(2);
  const auto graph = RandomGraph(random, 2000, 6000);
  for (const unsigned log : {4u, 5u, 6u, 7u, 9u}) {
    const HyperBallOptions options = {.log_registers = log, .runs = 2, .harmonic = true, .reachable = true};
    const auto expected = HyperBall(graph, options);
    EXPECT_EQ(expected.storage, CounterStorage::kBytes);
    for (const auto storage : {CounterStorage::kBytes, CounterStorage::kPacked, CounterStorage::kDisk}) {
      HyperBallOptions other = options;
      other.storage = storage;
      other.threads = 3;
      other.memory_bytes = 0;
      const auto result = HyperBall(ScanOnlyGraph(graph), other);
      EXPECT_EQ(result.runs, expected.runs);
      EXPECT_EQ(result.harmonic, expected.harmonic);
      EXPECT_EQ(result.reachable, expected.reachable);
      EXPECT_EQ(result.passes, expected.passes);
    }
  }
}

TEST(HyperBallTest, FollowsLongPathsWithTheSameBitsAndFewScans) {
  // A random graph, and a path of 1,000 nodes that leads to it.
  SeededRandom random(6);
  constexpr Node kNodes = 2000, kPath = 1000;
  auto arcs = ArcsOf(RandomGraph(random, kNodes, 8000));
  for (Node node = 0; node < kPath; node++) {
    arcs.emplace_back(kNodes + node, node == 0 ? 0 : kNodes + node - 1);
  }
  const auto graph = ArrayGraph::FromArcs(kNodes + kPath, arcs);
  const HyperBallOptions options = {.log_registers = 6, .harmonic = true, .reachable = true};
  HyperBallOptions small = options;
  small.memory_bytes = 0;
  const ScanOnlyGraph scanned(graph);
  const auto expected = HyperBall(scanned, small);
  EXPECT_GT(expected.passes, 100u);
  EXPECT_GE(scanned.scans(), 64 * expected.passes) << "each of 64 blocks in each pass";
  const auto transpose = TransposeInMemory(graph).value();
  for (const unsigned threads : {1u, 3u}) {
    for (const bool given : {false, true}) {
      HyperBallOptions with = given ? small : options;
      with.threads = threads;
      if (given) with.transpose = &transpose;
      const CountedGraph counted(graph);
      const auto result = HyperBall(counted, with);
      EXPECT_EQ(result.runs, expected.runs);
      EXPECT_EQ(result.harmonic, expected.harmonic);
      EXPECT_EQ(result.reachable, expected.reachable);
      EXPECT_EQ(result.passes, expected.passes);
      EXPECT_LT(counted.scans(), 64 * expected.passes / 2) << "in the other passes only candidates are read";
    }
  }
}

TEST(HyperBallTest, ChoosesTheStorageThatFits) {
  const auto graph = ArrayGraph::FromArcs(10000, {{0, 1}});
  const auto storage = [&](uint64_t memory_bytes) {
    return HyperBall(graph, {.log_registers = 6, .memory_bytes = memory_bytes}).storage;
  };
  EXPECT_EQ(storage(1000000), CounterStorage::kBytes) << "640,000 bytes, and a quarter for the log";
  EXPECT_EQ(storage(600000), CounterStorage::kPacked) << "400,000 bytes, and a quarter for the log";
  EXPECT_EQ(storage(300000), CounterStorage::kDisk);
}

TEST(HyperBallTest, SeedsAndRunsDiffer) {
  SeededRandom random(3);
  const auto graph = RandomGraph(random, 500, 2000);
  const auto runs = HyperBall(graph, {.log_registers = 5, .runs = 2}).runs;
  EXPECT_NE(runs[0], runs[1]);
  EXPECT_EQ(HyperBall(graph, {.log_registers = 5, .seed = 1}).runs[0], runs[1]) << "run i has the seed + i";
}

TEST(HyperBallTest, TheMeanOfRunsIsWithinTheErrorOfTheJackknife) {
  SeededRandom random(4);
  const auto graph = RandomGraph(random, 300, 900);
  double pairs = 0, sum = 0;
  for (const auto& row : AllDistances(graph)) {
    for (const uint32_t distance : row) {
      if (distance >= kUnreachable) continue;
      pairs++;
      sum += distance;
    }
  }
  const auto summary = Summarise(HyperBall(graph, {.log_registers = 8, .runs = 16}).runs);
  EXPECT_LE(summary.reachable_pairs.standard_error, 0.03 * pairs);
  EXPECT_NEAR(summary.reachable_pairs.value, pairs, 3 * summary.reachable_pairs.standard_error);
  EXPECT_NEAR(summary.average_distance.value, sum / pairs, 0.1);
}

TEST(HyperBallTest, RefusesRegistersOutOfRangeAndEndsWhenStopped) {
  SilentProgress progress;
  const auto graph = ArrayGraph::FromArcs(2, {{0, 1}});
  EXPECT_EQ(RunHyperBall(graph, {.log_registers = 3}, progress).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(RunHyperBall(graph, {.log_registers = 17}, progress).status().code(),
            StatusCode::kInvalidArgument);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(RunHyperBall(graph, {.stop = stop.get_token()}, progress).status().code(),
            StatusCode::kUnavailable);
}

TEST(HyperBallTest, OfNoNodesIsEmpty) {
  EXPECT_THAT(HyperBall(ArrayGraph(), {.harmonic = true}).harmonic, ElementsAre());
}

TEST(BallCountersTest, EstimateAsTheCountersOfTheLibraryDo) {
  const unsigned log = 6;
  for (const bool packed : {false, true}) {
    auto counters = BallCounters::Create({.nodes = 1000, .log_registers = log, .packed = packed}).value();
    counters.Reset(0, 1000, 7);
    BallCounters::Buffer buffer(counters);
    std::vector<Node> others;
    for (Node node = 1; node < 1000; node++) {
      others.push_back(node);
      counters.Unite(0, others, buffer);
      const double estimate = counters.Estimate(buffer);
      EXPECT_NEAR(estimate, node + 1, 6 * 1.04 / 8 * (node + 1));
      if (!packed) continue;
      const auto bytes = counters.Bytes(buffer);
      std::vector<uint64_t> words(bytes.size() / 8);
      std::memcpy(words.data(), bytes.data(), bytes.size());
      EXPECT_EQ(estimate, counters.shape().Estimate(words.data()));
    }
  }
}

// Among n uniform hashes, the maximum number of trailing zeros is about log2(n): one in n hashes has as many.
TEST(BallCountersTest, ABillionElementsHaveAboutThirtyZeros) {
  SeededRandom random(5);
  // The maximum for n hashes is below k with probability (1 - 2^-k)^n.  Drawn from that distribution.
  const double n = 1e9;
  double sum = 0;
  int beyond = 0;
  constexpr int kDraws = 2000;
  for (int draw = 0; draw < kDraws; draw++) {
    const double u = random.Unit();
    int zeros = 0;
    while (std::pow(1 - std::pow(2.0, -(zeros + 1)), n) < u) zeros++;
    sum += zeros;
    beyond += zeros < 26 || zeros > 37;
  }
  EXPECT_NEAR(sum / kDraws, std::log2(n), 1.0);
  EXPECT_LE(beyond, kDraws / 50);
  // Our hashes follow it: 2^20 of them have a maximum of about 20.
  double most_sum = 0;
  for (uint64_t seed = 0; seed < 8; seed++) {
    SeededRandom hashes(seed);
    int most = 0;
    for (uint64_t i = 0; i < uint64_t{1} << 20; i++) most = std::max(most, std::countr_zero(hashes.Next()));
    most_sum += most;
  }
  EXPECT_NEAR(most_sum / 8, 20, 2);
}

TEST(UpdateLogTest, GivesBackInOrderWhatWasAddedFromMemoryAndDisk) {
  TemporaryFolder folder;
  for (const uint64_t memory_bytes : {uint64_t{0}, uint64_t{3} << 20, uint64_t{1} << 30}) {
    UpdateLog log({.value_bytes = 1000, .memory_bytes = memory_bytes, .folder = folder.path()});
    for (int round = 0; round < 3; round++) {
      const Node count = round == 1 ? 0 : 5000;
      std::vector<std::byte> value(1000);
      for (Node node = 0; node < count; node++) {
        value[node % 1000] = static_cast<std::byte>(node);
        ASSERT_TRUE(log.Add(node, value).ok());
      }
      Node next = 0;
      std::vector<std::byte> expected(1000);
      ASSERT_TRUE(log.Replay([&](Node node, std::span<const std::byte> given) {
                       expected[next % 1000] = static_cast<std::byte>(next);
                       ASSERT_EQ(node, next++);
                       ASSERT_TRUE(std::equal(given.begin(), given.end(), expected.begin(), expected.end()));
                     })
                      .ok());
      EXPECT_EQ(next, count);
    }
    EXPECT_EQ(log.spilled_bytes() > 0, memory_bytes < 5000000);
  }
}

}  // namespace
}  // namespace crivello::graph
