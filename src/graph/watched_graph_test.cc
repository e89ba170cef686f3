// SPDX-License-Identifier: Apache-2.0
#include "graph/watched_graph.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/file_system.h"
#include "base/test_support.h"
#include "graph/array_graph.h"
#include "graph/exchange/text_graph.h"

namespace crivello::graph {
namespace {

class CountedProgress final : public Progress {
 public:
  void Start(std::string_view, uint64_t) override {}
  void Advance(uint64_t units) override { units_ += units; }
  void Finish() override {}
  uint64_t units() const { return units_; }

 private:
  uint64_t units_ = 0;
};

TEST(WatchedGraphTest, HasTheArcsOfTheGraphAndTellsHowFarAScanIs) {
  std::vector<std::pair<Node, Node>> arcs;
  for (Node node = 0; node < 40000; node++) arcs.push_back({node, (node * 7) % 40000});
  const ArrayGraph graph = ArrayGraph::FromArcs(40000, arcs);
  CountedProgress progress;
  const WatchedGraph watched(graph, progress, {});
  EXPECT_TRUE(ArrayGraph::Copy(watched).value() == graph);
  EXPECT_GE(progress.units(), 32768u);
  EXPECT_LE(progress.units(), 40001u);
}

TEST(WatchedGraphTest, AScanEndsWhenItIsToStopAndAnExportLeavesNoFile) {
  const ArrayGraph graph = ArrayGraph::FromArcs(40000, {});
  SilentProgress progress;
  std::stop_source stop;
  stop.request_stop();
  const WatchedGraph watched(graph, progress, stop.get_token());
  uint64_t read = 0;
  const auto cursor = watched.Scan();
  while (cursor->Next()) read++;
  EXPECT_LT(read, 40000u);
  EXPECT_EQ(cursor->status().code(), StatusCode::kUnavailable);
  const TemporaryFolder folder;
  EXPECT_EQ(WriteAsciiGraph(watched, folder / "g").code(), StatusCode::kUnavailable);
  EXPECT_FALSE(ReadFile(folder / "g").ok());
}

}  // namespace
}  // namespace crivello::graph
