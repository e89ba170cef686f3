// SPDX-License-Identifier: Apache-2.0
#include "graph/ef/ef_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/conformance.h"
#include "base/test_support.h"
#include "graph/array_graph.h"
#include "graph/bv/bv_test_support.h"

namespace crivello::graph {
namespace {

TEST(EfGraphTest, HasTheArcsOfTheGraphAndNoOthers) {
  TemporaryFolder folder;
  for (const ArrayGraph& expected : {ArrayGraph(), ArrayGraph::FromArcs(5, {}),
                                     ArrayGraph::FromArcs(1, {{0, 0}}), WebLikeGraph(150, 11)}) {
    ASSERT_TRUE(WriteEfGraph(expected, folder / "g").ok());
    const auto graph = Mapped<EfGraph>::Open(folder / "g");
    ASSERT_TRUE(graph.ok()) << graph.status().ToString();
    EXPECT_TRUE(ArrayGraph::Copy(**graph).value() == expected);
    auto reader = (*graph)->Reader();
    for (uint64_t x = 0; x < expected.nodes(); x++) {
      const auto node = static_cast<Node>(x);
      const auto list = expected.Successors(node);
      ASSERT_TRUE(std::ranges::equal((*reader)->Successors(node).value(), list));
      ASSERT_EQ((*graph)->Outdegree(node), list.size());
      for (uint64_t y = 0; y < expected.nodes(); y++) {
        ASSERT_EQ((*graph)->HasArc(node, static_cast<Node>(y)),
                  std::binary_search(list.begin(), list.end(), static_cast<Node>(y)));
      }
    }
  }
}

TEST(EfGraphTest, ScansAnyRangeOfNodes) {
  const ArrayGraph expected = WebLikeGraph(100, 12);
  const auto image = MakeEfGraphImage(expected);
  ASSERT_TRUE(image.ok());
  const auto graph = EfGraph::FromImage(std::as_bytes(std::span(*image)));
  ASSERT_TRUE(graph.ok());
  for (uint64_t begin = 0; begin <= 100; begin += 9) {
    const auto cursor = graph->Scan(begin, 100);
    for (uint64_t node = begin; node < 100; node++) {
      ASSERT_TRUE(cursor->Next());
      ASSERT_EQ(cursor->node(), node);
      ASSERT_TRUE(std::ranges::equal(cursor->successors(), expected.Successors(static_cast<Node>(node))));
    }
    EXPECT_FALSE(cursor->Next());
  }
}

TEST(EfGraphTest, RefusesOrSurvivesEveryChangedBit) {
  const auto image = MakeEfGraphImage(WebLikeGraph(40, 13));
  ASSERT_TRUE(image.ok());
  uint64_t arcs = 0;
  for (size_t bit = 0; bit < 64 * image->size(); bit++) {
    std::vector<uint64_t> damaged = *image;
    damaged[bit / 64] ^= uint64_t{1} << bit % 64;
    const auto graph = EfGraph::FromImage(std::as_bytes(std::span(damaged)));
    if (!graph.ok()) continue;
    const auto copy = ArrayGraph::Copy(*graph);  // it rejects anything that is not a graph
    ASSERT_TRUE(copy.ok()) << copy.status().ToString();
    auto reader = graph->Reader();
    for (uint64_t node = 0; node < graph->nodes(); node++) {
      arcs += (*reader)->Successors(static_cast<Node>(node)).value().size();
    }
  }
  EXPECT_GT(arcs, 0u);
  for (size_t words = 0; words < image->size(); words++) {
    EXPECT_FALSE(EfGraph::FromImage(std::as_bytes(std::span(*image).first(words))).ok());
  }
}

TEST(EfGraphTest, HasEveryArcOfARealGraph) {
  const std::string path = SharedPath("graphs/small/wb-cs.stanford.graph");
  if (path.empty()) GTEST_SKIP() << "skipped: no ../shared/graphs";
  const auto bv = BvGraph::Open(path.substr(0, path.size() - 6));
  ASSERT_TRUE(bv.ok());
  const auto image = MakeEfGraphImage(**bv);
  ASSERT_TRUE(image.ok());
  const auto graph = EfGraph::FromImage(std::as_bytes(std::span(*image)));
  ASSERT_TRUE(graph.ok());
  EXPECT_TRUE(ArrayGraph::Copy(*graph).value() == ArrayGraph::Copy(**bv).value());
  // 2 + log2(n^2 / m) = 13.35, and 5% more.
  EXPECT_LT(64.0 * static_cast<double>(image->size()) / static_cast<double>(graph->arcs()), 14.4);
}

}  // namespace
}  // namespace crivello::graph
