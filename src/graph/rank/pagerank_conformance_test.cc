// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "graph/rank/pagerank.h"
#include "graph/shared_graphs.h"
#include "graph/transform/transpose.h"

namespace crivello::graph {
namespace {

double Distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); i++) sum += std::abs(a[i] - b[i]);
  return sum;
}

TEST(PageRankConformanceTest, IsThatOfPublicGraphsByEachMethod) {
  SilentProgress progress;
  for (const std::string name : {"cnr-2000-llp/cnr-2000", "small/wb-cs.stanford", "small/harvard500"}) {
    const auto expected = SharedDoubles(name + ".pagerank085.f64le");
    if (expected.empty()) continue;
    const auto graph = LoadSharedGraph(name);
    const auto transpose = TransposeInMemory(graph).value();
    // The given vector itself has an error of up to 6e-10.
    const PageRankOptions options = {.tolerance = 1e-9};
    const auto power = PageRankByPowerMethod(transpose, options, progress).value();
    const auto gauss_seidel = PageRankByGaussSeidel(transpose, options, progress).value();
    for (const Rank* rank : {&power, &gauss_seidel}) {
      ASSERT_EQ(rank->values.size(), expected.size());
      EXPECT_TRUE(rank->converged);
      EXPECT_LE(rank->error, 1e-9);
      EXPECT_LE(Distance(rank->values, expected), 2e-9) << name;
    }
    EXPECT_LT(gauss_seidel.passes, power.passes) << name;
  }
  if (SharedGraphPath("cnr-2000-llp/cnr-2000").empty()) GTEST_SKIP() << "skipped: no ../shared/graphs";
}

}  // namespace
}  // namespace crivello::graph
