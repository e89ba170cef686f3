// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/arc_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/test_support.h"
#include "graph/bv/bv_test_support.h"
#include "graph/bv/bv_writer.h"

namespace crivello::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Labels = std::vector<std::vector<uint32_t>>;

Labels RandomLabels(const ArrayGraph& graph, uint32_t below, uint64_t seed) {
  SeededRandom random(seed);
  Labels labels(graph.nodes());
  for (uint64_t node = 0; node < graph.nodes(); node++) {
    for (size_t i = graph.Successors(static_cast<Node>(node)).size(); i > 0; i--) {
      labels[node].push_back(static_cast<uint32_t>(random.Below(below)));
    }
  }
  return labels;
}

void WriteLabelled(const ArrayGraph& graph, const Labels& labels, const ArcLabelFormat& format,
                   const TemporaryFolder& folder) {
  ASSERT_TRUE(WriteBvGraph(graph, folder / "g-underlying").ok());
  auto writer = ArcLabelWriter::Create(folder / "g", "g-underlying", format);
  ASSERT_TRUE(writer.ok());
  for (const auto& of_node : labels) ASSERT_TRUE(writer->Add(of_node).ok());
  ASSERT_TRUE(writer->Finish().ok());
}

TEST(ArcLabelsTest, AreReadAsTheyWereWritten) {
  const ArrayGraph graph = WebLikeGraph(150, 31);
  TemporaryFolder folder;
  for (const ArcLabelFormat& format :
       {ArcLabelFormat{},
        ArcLabelFormat{.kind = ArcLabelFormat::Kind::kFixedWidth, .width = 9, .key = "links"},
        ArcLabelFormat{.kind = ArcLabelFormat::Kind::kFixedWidth, .width = 0}}) {
    const bool no_bits = format.kind == ArcLabelFormat::Kind::kFixedWidth && format.width == 0;
    const Labels labels = RandomLabels(graph, no_bits ? 1 : 512, 32);
    WriteLabelled(graph, labels, format, folder);
    const auto read = LabelledGraph::Open(folder / "g");
    ASSERT_TRUE(read.ok()) << read.status().ToString();
    EXPECT_EQ(read->labels().format(), format);
    EXPECT_EQ(read->graph().arcs(), graph.arcs());
    ArcLabels::Reader reader(read->labels());
    const auto expect_labels = [&](uint64_t node) {
      const auto of_node = reader.Read(static_cast<Node>(node), labels[node].size());
      ASSERT_TRUE(of_node.ok()) << of_node.status().ToString();
      ASSERT_TRUE(std::ranges::equal(*of_node, labels[node]));
    };
    for (uint64_t node = 0; node < graph.nodes(); node++) expect_labels(node);
    for (uint64_t node = graph.nodes(); node-- > 0;) expect_labels(node);
  }
}

// The bits and offsets that WebGraph's format requires, by hand: gamma of 0, 2 and 1 is 1, 011 and 010.
TEST(ArcLabelsTest, HaveTheBitsOfWebGraph) {
  TemporaryFolder folder;
  WriteLabelled(ArrayGraph::FromArcs(3, {{0, 1}, {0, 2}, {2, 0}}), {{0, 2}, {}, {1}}, {}, folder);
  EXPECT_EQ(ReadWholeFile(folder / "g.labels"), "\xb4");  // 1 011 010, and a zero
  // Offsets 0, 4, 0, 3 in gamma: 1, 00101, 1, 00100.
  EXPECT_EQ(ReadWholeFile(folder / "g.labeloffsets"), "\x96\x40");
  EXPECT_THAT(ReadWholeFile(folder / "g.properties"),
              HasSubstr("labelspec=it.unimi.dsi.webgraph.labelling.GammaCodedIntLabel(count)\n"));
  EXPECT_THAT(ReadWholeFile(folder / "g.properties"), HasSubstr("underlyinggraph=g-underlying\n"));
}

TEST(ArcLabelsTest, RefuseWhatDoesNotFitOrIsNotKnown) {
  TemporaryFolder folder;
  auto narrow =
      ArcLabelWriter::Create(folder / "g", "g", {.kind = ArcLabelFormat::Kind::kFixedWidth, .width = 3});
  ASSERT_TRUE(narrow.ok());
  EXPECT_FALSE(narrow->Add(std::vector<uint32_t>{8}).ok());
  auto gamma = ArcLabelWriter::Create(folder / "g", "g", {});
  ASSERT_TRUE(gamma.ok());
  EXPECT_FALSE(gamma->Add(std::vector<uint32_t>{0x80000000}).ok());
  EXPECT_FALSE(ArcLabelWriter::Create(folder / "g", "g", {.key = "a,b"}).ok());
  for (const char* spec : {"", "GammaCodedIntLabel(x)", "it.unimi.dsi.webgraph.labelling.GammaCodedIntLabel",
                           "it.unimi.dsi.webgraph.labelling.FixedWidthIntLabel(x)",
                           "it.unimi.dsi.webgraph.labelling.FixedWidthIntLabel(x,32)",
                           "it.unimi.dsi.webgraph.labelling.FixedWidthLongListLabel(x,3)"}) {
    EXPECT_FALSE(ArcLabelFormat::Parse(spec).ok()) << spec;
  }
  const auto big = ArcLabelFormat::Parse("it.unimi.dsi.big.webgraph.labelling.FixedWidthIntLabel(FOO, 10)");
  ASSERT_TRUE(big.ok());
  EXPECT_EQ(big->width, 10u);
  EXPECT_EQ(big->key, "FOO");
}

TEST(ArcLabelsTest, AreRefusedOrReadWithinBoundsAfterAnyChangedByte) {
  const ArrayGraph graph = WebLikeGraph(40, 33);
  TemporaryFolder folder;
  WriteLabelled(graph, RandomLabels(graph, 20, 34), {}, folder);
  int refused = 0;
  for (const char* extension : {".labels", ".labeloffsets", ".properties"}) {
    const std::string path = folder / "g" + extension;
    const std::string whole = ReadWholeFile(path);
    for (size_t at = 0; at < whole.size(); at++) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
      WriteWholeFile(path, damaged);
      const auto read = LabelledGraph::Open(folder / "g");
      bool ok = read.ok();
      if (ok) {
        ArcLabels::Reader reader(read->labels());
        for (uint64_t node = 0; node < graph.nodes(); node++) {
          ok &= reader.Read(static_cast<Node>(node), graph.Successors(static_cast<Node>(node)).size()).ok();
        }
      }
      refused += ok ? 0 : 1;
    }
    WriteWholeFile(path, whole);
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace crivello::graph
