// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/bv_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/conformance.h"
#include "base/random.h"
#include "base/test_support.h"
#include "bits/bit_stream.h"
#include "bits/codes.h"
#include "graph/array_graph.h"
#include "graph/bv/bv_test_support.h"
#include "graph/bv/bv_writer.h"

namespace crivello::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Compares all lists of a graph, by its reader and by its cursor.
void ExpectEqualGraphs(const Graph& graph, const ArrayGraph& expected) {
  ASSERT_EQ(graph.nodes(), expected.nodes());
  ASSERT_EQ(graph.arcs(), expected.arcs());
  const auto copy = ArrayGraph::Copy(graph);
  ASSERT_TRUE(copy.ok()) << copy.status().ToString();
  EXPECT_TRUE(*copy == expected);
  auto reader = graph.Reader();
  ASSERT_TRUE(reader.ok()) << reader.status().ToString();
  for (uint64_t node = expected.nodes(); node-- > 0;) {
    const auto list = (*reader)->Successors(static_cast<Node>(node));
    ASSERT_TRUE(list.ok()) << list.status().ToString();
    ASSERT_TRUE(std::ranges::equal(*list, expected.Successors(static_cast<Node>(node)))) << "node " << node;
  }
}

TEST(BvGraphTest, ReadsTheExampleOfTheNotes) {
  const ArrayGraph expected = NotesGraph();
  TemporaryFolder folder;
  ASSERT_TRUE(WriteBvGraph(expected, folder / "notes").ok());
  for (const uint64_t jump : {1u, 4u, 64u}) {
    const auto graph = BvGraph::Open(folder / "notes", {.jump = jump});
    ASSERT_TRUE(graph.ok()) << graph.status().ToString();
    ExpectEqualGraphs(**graph, expected);
    const auto reader = (*graph)->Reader();
    ASSERT_TRUE(reader.ok());
    EXPECT_THAT((*reader)->Successors(18).value(), ElementsAre(13, 15, 16, 17, 50));
  }
}

// Bits written by hand: the record of node 1 refers to node 0 and copies 2 of its 3 successors.
TEST(BvGraphTest, ReadsBitsWrittenByHand) {
  bits::BitWriter writer;
  const auto gamma = [&](uint64_t x) { bits::GammaCode::Write(writer, x); };
  gamma(3);                            // node 0: outdegree 3
  bits::UnaryCode::Write(writer, 0);   // no reference
  gamma(0);                            // no intervals
  bits::ZetaCode(3).Write(writer, 2);  // 0 + 1: the difference 1 is 2
  bits::ZetaCode(3).Write(writer, 0);  // 2
  bits::ZetaCode(3).Write(writer, 1);  // 4
  gamma(7);                            // node 1: outdegree 7
  bits::UnaryCode::Write(writer, 1);   // as node 0
  gamma(2);                            // two blocks:
  gamma(1);                            // copy 1,
  gamma(0);                            // skip 2; then the rest is copied, 4
  gamma(1);                            // an interval
  gamma(9);                            // from 1 - 5 on, before the first node
  gamma(0);
  for (int node = 2; node < 9; node++) gamma(0);
  const Bytes damaged = writer.Finish();
  BvProperties properties = {.nodes = 9, .arcs = 10, .parameters = {}};
  const auto graph = BvGraph::FromBytes(properties, damaged, std::nullopt, "by hand");
  ASSERT_TRUE(graph.ok());
  const auto cursor = (*graph)->Scan();
  ASSERT_TRUE(cursor->Next());
  EXPECT_THAT(cursor->successors(), ElementsAre(1, 2, 4));
  EXPECT_FALSE(cursor->Next());
  EXPECT_THAT(cursor->status().ToString(), HasSubstr("by hand: the list of node 1"));
  EXPECT_THAT(cursor->status().ToString(), HasSubstr("intervals"));
}

TEST(BvGraphTest, ScansAnyRangeOfNodes) {
  const ArrayGraph expected = WebLikeGraph(300, 1);
  TemporaryFolder folder;
  ASSERT_TRUE(WriteBvGraph(expected, folder / "g").ok());
  for (const auto from : {BvOffsetsFrom::kFileIfAny, BvOffsetsFrom::kFileOrScan, BvOffsetsFrom::kNowhere}) {
    const auto graph = BvGraph::Open(folder / "g", {.offsets = from});
    ASSERT_TRUE(graph.ok());
    for (const auto& [begin, end] : {std::pair{0, 0}, {1, 2}, {5, 40}, {250, 300}, {299, 300}, {300, 300}}) {
      const auto cursor = (*graph)->Scan(static_cast<uint64_t>(begin), static_cast<uint64_t>(end));
      for (int node = begin; node < end; node++) {
        ASSERT_TRUE(cursor->Next()) << cursor->status().ToString();
        ASSERT_EQ(cursor->node(), static_cast<Node>(node));
        ASSERT_TRUE(std::ranges::equal(cursor->successors(), expected.Successors(static_cast<Node>(node))));
      }
      EXPECT_FALSE(cursor->Next());
      EXPECT_TRUE(cursor->status().ok());
    }
  }
}

TEST(BvGraphTest, MakesOffsetsByAScanOnlyWhenAsked) {
  const ArrayGraph expected = WebLikeGraph(100, 2);
  TemporaryFolder folder;
  ASSERT_TRUE(WriteBvGraph(expected, folder / "g").ok());
  const std::string offsets = ReadWholeFile(folder / "g.offsets");
  ASSERT_EQ(std::remove((folder / "g.offsets").c_str()), 0);
  const auto without = BvGraph::Open(folder / "g");
  ASSERT_TRUE(without.ok());
  EXPECT_EQ((*without)->Reader().status().code(), StatusCode::kUnavailable);
  const auto scanned = BvGraph::Open(folder / "g", {.offsets = BvOffsetsFrom::kFileOrScan, .jump = 3});
  ASSERT_TRUE(scanned.ok());
  ExpectEqualGraphs(**scanned, expected);
  ASSERT_TRUE(WriteBvOffsets(**without, folder / "g.offsets").ok());
  EXPECT_EQ(ReadWholeFile(folder / "g.offsets"), offsets);
}

TEST(BvGraphTest, ReadsWhatItWroteWithAnyParametersAndCodes) {
  using Kind = BvCode::Kind;
  std::vector<BvParameters> all(1);
  for (const uint32_t window : {0u, 1u, 16u}) all.push_back({.window = window});
  for (const uint32_t max_ref_count : {0u, 1u, BvParameters::kNoLimit}) {
    all.push_back({.max_ref_count = max_ref_count});
  }
  for (const uint32_t min_interval : {0u, 1u, 2u, 3u}) all.push_back({.min_interval = min_interval});
  for (const uint32_t k : {1u, 2u, 7u, 31u}) all.push_back({.codes = {.residuals = {Kind::kZeta, k}}});
  for (const uint32_t modulus : {1u, 3u, 64u})
    all.push_back({.codes = {.residuals = {Kind::kGolomb, modulus}}});
  for (const Kind kind : {Kind::kGamma, Kind::kDelta, Kind::kNibble}) {
    all.push_back({.codes = {.residuals = {kind}}});
  }
  all.push_back(
      {.codes = {.outdegrees = {Kind::kDelta}, .references = {Kind::kDelta}, .offsets = {Kind::kDelta}}});
  all.push_back(
      {.codes = {.references = {Kind::kGamma}, .block_counts = {Kind::kUnary}, .blocks = {Kind::kUnary}}});
  all.push_back({.codes = {.block_counts = {Kind::kDelta}, .blocks = {Kind::kDelta}}});
  const ArrayGraph expected = WebLikeGraph(200, 3);
  TemporaryFolder folder;
  for (const BvParameters& parameters : all) {
    SCOPED_TRACE(FormatCompressionFlags(parameters.codes));
    const auto stats = WriteBvGraph(expected, folder / "g", {.parameters = parameters});
    ASSERT_TRUE(stats.ok()) << stats.status().ToString();
    EXPECT_EQ((stats->graph_bits() + 7) / 8, ReadWholeFile(folder / "g.graph").size());
    const auto graph = BvGraph::Open(folder / "g");
    ASSERT_TRUE(graph.ok()) << graph.status().ToString();
    EXPECT_EQ((*graph)->parameters(), parameters);
    ExpectEqualGraphs(**graph, expected);
  }
}

TEST(BvGraphTest, RefusesPropertiesItDoesNotKnowAndNamesThem) {
  const JavaProperties good = {{"graphclass", "it.unimi.dsi.webgraph.BVGraph"},
                               {"version", "0"},
                               {"nodes", "1"},
                               {"arcs", "1"},
                               {"windowsize", "7"},
                               {"maxrefcount", "3"},
                               {"minintervallength", "4"},
                               {"zetak", "3"},
                               {"compressionflags", ""}};
  ASSERT_TRUE(ReadBvProperties(good).ok());
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"graphclass", "it.unimi.dsi.webgraph.EFGraph"},
      {"version", "2"},
      {"nodes", "-1"},
      {"nodes", "4294967296"},
      {"arcs", "2"},
      {"windowsize", "7x"},
      {"zetak", "0"},
      {"endianness", "middle"},
      {"compressionflags", "RESIDUALS_RICE"},
      {"compressionflags", "OUTDEGREES_ZETA"},
      {"compressionflags", "RESIDUALS_OMEGA"},
      {"compressionflags", "ARCS_GAMMA"},
  };
  for (const auto& [key, value] : changes) {
    JavaProperties changed = good;
    changed[key] = value;
    const auto read = ReadBvProperties(changed);
    ASSERT_FALSE(read.ok()) << key << "=" << value;
    EXPECT_THAT(read.status().message(), HasSubstr(value));
  }
  for (const auto& [key, value] : good) {
    if (key == "zetak" || key == "compressionflags") continue;
    JavaProperties without = good;
    without.erase(key);
    const auto read = ReadBvProperties(without);
    ASSERT_FALSE(read.ok()) << key;
    EXPECT_THAT(read.status().message(), HasSubstr(key));
  }
}

TEST(BvGraphTest, ReadsTheFlagsOfBothDialects) {
  JavaProperties properties = {{"graphclass", "it.unimi.dsi.big.webgraph.BVGraph"},
                               {"version", "0"},
                               {"nodes", "0"},
                               {"arcs", "0"},
                               {"windowsize", "7"},
                               {"maxrefcount", "2147483647"},
                               {"minintervallength", "4"},
                               {"zetak", "5"},
                               {"compressionflags", "BLOCKS_DELTA | RESIDUALS_ZETA|OFFSETS_DELTA"}};
  const auto java = ReadBvProperties(properties);
  ASSERT_TRUE(java.ok()) << java.status().ToString();
  EXPECT_EQ(java->parameters.codes.blocks.kind, BvCode::Kind::kDelta);
  EXPECT_EQ(java->parameters.codes.block_counts.kind, BvCode::Kind::kGamma);
  EXPECT_EQ(java->parameters.codes.residuals, (BvCode{BvCode::Kind::kZeta, 5}));
  EXPECT_EQ(java->parameters.codes.offsets.kind, BvCode::Kind::kDelta);

  properties["version"] = "1";
  properties["endianness"] = "little";
  properties["compressionflags"] = "BLOCKS_DELTA|RESIDUALS_PI2|OUTDEGREES_ZETA4|INTERVALS_OMEGA";
  const auto rust = ReadBvProperties(properties);
  ASSERT_TRUE(rust.ok()) << rust.status().ToString();
  EXPECT_TRUE(rust->parameters.little_endian);
  EXPECT_EQ(rust->parameters.codes.block_counts.kind, BvCode::Kind::kDelta);
  EXPECT_EQ(rust->parameters.codes.residuals, (BvCode{BvCode::Kind::kPi, 2}));
  EXPECT_EQ(rust->parameters.codes.outdegrees, (BvCode{BvCode::Kind::kZeta, 4}));
  EXPECT_EQ(rust->parameters.codes.intervals.kind, BvCode::Kind::kOmega);
}

TEST(BvGraphTest, SaysWhichFileWasTruncated) {
  TemporaryFolder folder;
  ASSERT_TRUE(WriteBvGraph(WebLikeGraph(60, 4), folder / "g").ok());
  const std::string graph = ReadWholeFile(folder / "g.graph"), offsets = ReadWholeFile(folder / "g.offsets");
  WriteWholeFile(folder / "g.graph", graph.substr(0, graph.size() / 2));
  const auto half = BvGraph::Open(folder / "g");
  EXPECT_EQ(half.status().code(), StatusCode::kCorruption);
  EXPECT_THAT(half.status().message(), HasSubstr("the graph was truncated"));
  WriteWholeFile(folder / "g.graph", graph);
  WriteWholeFile(folder / "g.offsets", offsets.substr(0, offsets.size() / 2));
  EXPECT_THAT(BvGraph::Open(folder / "g").status().message(),
              HasSubstr("the file ends or is damaged at offset"));
}

// Changed bytes that are not detected are read within bounds, and give a graph.
TEST(BvGraphTest, RefusesOrSurvivesEveryChangedByte) {
  const ArrayGraph original = WebLikeGraph(60, 4);
  TemporaryFolder folder;
  ASSERT_TRUE(WriteBvGraph(original, folder / "g").ok());
  int refused = 0;
  for (const char* extension : {".graph", ".offsets", ".properties"}) {
    const std::string path = folder / "g" + extension;
    const std::string whole = ReadWholeFile(path);
    for (size_t at = 0; at < whole.size(); at++) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
      WriteWholeFile(path, damaged);
      refused += UseAnyGraph(folder / "g") ? 0 : 1;
    }
    for (size_t size = 0; size < whole.size(); size += 7) {
      WriteWholeFile(path, whole.substr(0, size));
      refused += UseAnyGraph(folder / "g") ? 0 : 1;
    }
    WriteWholeFile(path, whole);
  }
  EXPECT_GT(refused, 100);
  EXPECT_TRUE(UseAnyGraph(folder / "g"));
}

}  // namespace
}  // namespace crivello::graph
