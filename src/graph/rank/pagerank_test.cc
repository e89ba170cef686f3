// SPDX-License-Identifier: Apache-2.0
#include "graph/rank/pagerank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graph/graph_test_support.h"
#include "graph/transform/transpose.h"

namespace crivello::graph {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

double L1(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); i++) sum += std::abs(a[i] - b[i]);
  return sum;
}

// PageRank by definition: the full matrix, and Gaussian elimination.
std::vector<double> DensePageRank(const ArrayGraph& graph, const PageRankOptions& options) {
  const size_t n = graph.nodes();
  std::vector<double> v(n, 1.0 / static_cast<double>(n));
  if (!options.preference.empty()) {
    double sum = 0;
    for (const double p : options.preference) sum += p;
    for (size_t i = 0; i < n; i++) v[i] = options.preference[i] / sum;
  }
  // Row i of `m`: the equation of node i, with its right-hand side at the end.
  std::vector<std::vector<double>> m(n, std::vector<double>(n + 1));
  for (size_t i = 0; i < n; i++) {
    m[i][i] += 1;
    m[i][n] = (1 - options.alpha) * v[i];
  }
  for (size_t j = 0; j < n; j++) {
    const auto successors = graph.Successors(static_cast<Node>(j));
    for (const Node i : successors) m[i][j] -= options.alpha / static_cast<double>(successors.size());
    for (size_t i = 0; successors.empty() && i < n; i++) {
      if (options.dangling == DanglingNodes::kUniform) m[i][j] -= options.alpha / static_cast<double>(n);
      if (options.dangling == DanglingNodes::kPreference) m[i][j] -= options.alpha * v[i];
    }
  }
  for (size_t pivot = 0; pivot < n; pivot++) {
    for (size_t i = 0; i < n; i++) {
      if (i == pivot || m[i][pivot] == 0) continue;
      const double factor = m[i][pivot] / m[pivot][pivot];
      for (size_t j = pivot; j <= n; j++) m[i][j] -= factor * m[pivot][j];
    }
  }
  std::vector<double> x(n);
  for (size_t i = 0; i < n; i++) x[i] = m[i][n] / m[i][i];
  return x;
}

enum class Method { kPower, kForward, kGaussSeidel };
constexpr Method kMethods[] = {Method::kPower, Method::kForward, Method::kGaussSeidel};

Result<Rank> Compute(Method method, const ArrayGraph& graph, const PageRankOptions& options) {
  SilentProgress progress;
  if (method == Method::kForward) return PageRankByPowerMethodForward(graph, options, progress);
  const auto transpose = TransposeInMemory(graph).value();
  return method == Method::kPower ? PageRankByPowerMethod(transpose, options, progress)
                                  : PageRankByGaussSeidel(transpose, options, progress);
}

TEST(PageRankTest, SolvesTheEquationWithinTheErrorThatItReports) {
  SeededRandom random(1);
  for (int i = 0; i < 150; i++) {
    const uint64_t nodes = 1 + random.Below(25);
    const auto graph = RandomGraph(random, nodes, random.Below(nodes * 3));
    std::vector<double> preference(nodes);
    for (double& p : preference) p = random.Below(3) == 0 ? random.Unit() : 0;
    preference[random.Below(nodes)] = 1;
    PageRankOptions options = {.alpha = std::vector<double>{0, 0.5, 0.85, 0.95}[random.Below(4)],
                               .dangling = static_cast<DanglingNodes>(random.Below(3)),
                               .tolerance = random.Below(2) ? 1e-12 : 1e-4};
    if (random.Below(2)) options.preference = preference;
    const auto expected = DensePageRank(graph, options);
    for (const Method method : kMethods) {
      const auto rank = Compute(method, graph, options).value();
      ASSERT_TRUE(rank.converged);
      ASSERT_LE(rank.error, options.tolerance);
      ASSERT_LE(L1(rank.values, expected), rank.error + 1e-13);
    }
  }
}

TEST(PageRankTest, OfSinksOnlyIsThePreference) {
  const auto graph = ArrayGraph::FromArcs(4, {});
  const std::vector<double> preference = {3, 0, 1, 0};
  for (const Method method : kMethods) {
    for (const auto dangling : {DanglingNodes::kUniform, DanglingNodes::kPreference}) {
      const auto uniform = Compute(method, graph, {.dangling = dangling}).value();
      EXPECT_THAT(uniform.values, testing::Each(DoubleNear(0.25, 1e-9)));
    }
    const auto preferred =
        Compute(method, graph, {.preference = preference, .dangling = DanglingNodes::kPreference}).value();
    EXPECT_LE(L1(preferred.values, {0.75, 0, 0.25, 0}), 1e-9);
    const auto lost = Compute(method, graph, {.dangling = DanglingNodes::kNone}).value();
    EXPECT_THAT(lost.values, testing::Each(DoubleNear(0.15 / 4, 1e-9)));
  }
}

TEST(PageRankTest, OfTrustedNodesStaysWhereTheyLead) {
  // 0 <-> 1 -> 2, and 3 -> 0; no node links to 3.
  const auto graph = ArrayGraph::FromArcs(4, {{0, 1}, {1, 0}, {1, 2}, {3, 0}});
  const std::vector<double> trusted = {1, 0, 0, 0};
  for (const Method method : kMethods) {
    const auto rank =
        Compute(method, graph, {.preference = trusted, .dangling = DanglingNodes::kPreference}).value();
    EXPECT_GT(rank.values[2], 0.1);
    EXPECT_EQ(rank.values[3], 0);
  }
}

TEST(PageRankTest, AStepOfThePowerMethodIsAtMostAlphaTimesTheOneBefore) {
  SeededRandom random(2);
  for (const double alpha : {0.5, 0.85, 0.99}) {
    const auto graph = RandomGraph(random, 500, 1500);
    std::vector<double> steps;
    PageRankOptions options = {.alpha = alpha, .tolerance = 1e-8, .max_passes = 5000};
    options.watch = [&](const PageRankPass& pass) {
      steps.push_back(pass.step);
      EXPECT_EQ(pass.pass, steps.size());
    };
    EXPECT_TRUE(Compute(Method::kPower, graph, options)->converged);
    ASSERT_GT(steps.size(), 10u);
    for (size_t i = 1; i < steps.size(); i++) EXPECT_LE(steps[i] / steps[i - 1], alpha + 0.01);
  }
}

TEST(PageRankTest, GaussSeidelTakesFewerPassesThanThePowerMethod) {
  SeededRandom random(3);
  for (const uint64_t nodes : {100u, 1000u, 10000u}) {
    const auto graph = RandomGraph(random, nodes, nodes * 4);
    const auto power = Compute(Method::kPower, graph, {}).value();
    const auto gauss_seidel = Compute(Method::kGaussSeidel, graph, {}).value();
    EXPECT_LT(gauss_seidel.passes, power.passes);
    EXPECT_LE(L1(power.values, gauss_seidel.values), power.error + gauss_seidel.error);
  }
}

TEST(PageRankTest, HasTheSameBitsWithAnyThreadsAndWithoutMemoryForTheGraph) {
  SeededRandom random(4);
  SilentProgress progress;
  const auto transpose = RandomGraph(random, 3000, 12000);
  for (const auto compute : {PageRankByPowerMethod, PageRankByGaussSeidel}) {
    const auto expected = compute(transpose, {}, progress).value();
    for (const unsigned threads : {2u, 3u, 8u}) {
      const ScanOnlyGraph scanned(transpose);
      const auto rank = compute(scanned, {.threads = threads, .memory_bytes = 0}, progress).value();
      EXPECT_EQ(rank.values, expected.values);
      EXPECT_EQ(rank.passes, expected.passes);
      EXPECT_GE(scanned.scans(), rank.passes) << "the graph was read in each pass";
    }
  }
}

TEST(PageRankTest, SaysWhenItDidNotConverge) {
  SeededRandom random(5);
  const auto graph = RandomGraph(random, 100, 300);
  for (const Method method : kMethods) {
    const auto rank = Compute(method, graph, {.max_passes = 3}).value();
    EXPECT_FALSE(rank.converged);
    EXPECT_EQ(rank.passes, 3u);
    EXPECT_GT(rank.error, 1e-9);
    EXPECT_LE(L1(rank.values, DensePageRank(graph, {})), rank.error);
  }
}

TEST(PageRankTest, EndsWhenStopped) {
  std::stop_source stop;
  stop.request_stop();
  const auto graph = ArrayGraph::FromArcs(2, {{0, 1}});
  for (const Method method : kMethods) {
    EXPECT_EQ(Compute(method, graph, {.stop = stop.get_token()}).status().code(), StatusCode::kUnavailable);
  }
}

TEST(PageRankTest, RefusesWhatIsNoPreferenceAndNoAlpha) {
  const auto graph = ArrayGraph::FromArcs(2, {{0, 1}});
  const std::vector<double> longer = {1, 1, 1}, negative = {2, -1}, zero = {0, 0}, not_a_number = {1, NAN};
  for (const Method method : kMethods) {
    for (const auto* preference : {&longer, &negative, &zero, &not_a_number}) {
      EXPECT_EQ(Compute(method, graph, {.preference = *preference}).status().code(),
                StatusCode::kInvalidArgument);
    }
    EXPECT_EQ(Compute(method, graph, {.alpha = 1}).status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(Compute(method, graph, {.alpha = -0.1}).status().code(), StatusCode::kInvalidArgument);
  }
}

TEST(PageRankTest, OfNoNodesIsEmpty) {
  for (const Method method : kMethods) {
    const auto rank = Compute(method, ArrayGraph(), {}).value();
    EXPECT_THAT(rank.values, ElementsAre());
    EXPECT_TRUE(rank.converged);
  }
}

}  // namespace
}  // namespace crivello::graph
