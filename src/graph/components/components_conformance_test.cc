// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "graph/components/bow_tie.h"
#include "graph/components/strong_components.h"
#include "graph/components/weak_components.h"
#include "graph/shared_graphs.h"

namespace crivello::graph {
namespace {

struct KnownComponents {
  std::string graph;
  uint64_t strong, strong_largest, weak, weak_largest;
};

TEST(ComponentsConformanceTest, CountsThoseOfPublicGraphs) {
  SilentProgress progress;
  for (const KnownComponents& known : {KnownComponents{"cnr-2000-llp/cnr-2000", 100977, 112023, 1, 325557},
                                       KnownComponents{"cnr-2000-url/cnr-2000", 100977, 112023, 1, 325557},
                                       KnownComponents{"small/wb-cs.stanford", 4391, 2759, 522, 8929},
                                       KnownComponents{"small/harvard500", 147, 335, 1, 500}}) {
    const auto graph = LoadSharedGraph(known.graph);
    if (graph.nodes() == 0) GTEST_SKIP() << "skipped: no ../shared/graphs/" << known.graph;
    const auto strong = FindStrongComponents(graph, {}, progress).value();
    EXPECT_EQ(strong.sizes.size(), known.strong) << known.graph;
    EXPECT_EQ(strong.largest(), known.strong_largest) << known.graph;
    const auto weak = FindWeakComponents(graph, {}, progress).value();
    EXPECT_EQ(weak.sizes.size(), known.weak) << known.graph;
    EXPECT_EQ(weak.largest(), known.weak_largest) << known.graph;
    const auto bow_tie = FindBowTie(graph, strong, {}, progress).value();
    EXPECT_EQ(bow_tie.nodes[static_cast<size_t>(BowTiePart::kDisconnected)],
              graph.nodes() - known.weak_largest)
        << known.graph << ": the largest components of both kinds are one in the other";
  }
}

TEST(ComponentsConformanceTest, AreTheStrongComponentsThatWebGraphFinds) {
  const auto graph = LoadSharedGraph("cnr-2000-llp/cnr-2000");
  if (graph.nodes() == 0) GTEST_SKIP() << "skipped: no ../shared/graphs/cnr-2000-llp";
  SilentProgress progress;
  const auto strong = FindStrongComponents(graph, {}, progress).value();
  EXPECT_EQ(strong.sizes, SharedInts("cnr-2000-llp/cnr-2000.sccsizes"));
  // Components of the same size may be numbered differently there.
  const auto theirs = SharedInts("cnr-2000-llp/cnr-2000.scc");
  ASSERT_EQ(theirs.size(), strong.component.size());
  std::map<Node, Node> number;
  for (size_t node = 0; node < theirs.size(); node++) {
    ASSERT_EQ(number.emplace(theirs[node], strong.component[node]).first->second, strong.component[node]);
  }
  EXPECT_EQ(number.size(), strong.sizes.size());
}

}  // namespace
}  // namespace crivello::graph
