// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/test_support.h"
#include "graph/array_graph.h"
#include "graph/bv/bv_test_support.h"
#include "graph/exchange/csr_arrays.h"
#include "graph/exchange/text_graph.h"

namespace crivello::graph {
namespace {

using ::testing::HasSubstr;

Result<ArrayGraph> ReadAscii(const std::string& path) {
  CRV_ASSIGN(AsciiGraphReader reader, AsciiGraphReader::Open(path));
  ArrayGraphBuilder builder;
  while (reader.Next()) builder.AddNode(reader.successors());
  CRV_TRY(reader.status());
  return std::move(builder).Finish();
}

TEST(AsciiGraphTest, ReadsAndWritesTheLinesOfWebGraph) {
  TemporaryFolder folder;
  const auto graph = ArrayGraph::FromArcs(4, {{0, 1}, {0, 3}, {2, 0}, {3, 3}});
  ASSERT_TRUE(WriteAsciiGraph(graph, folder / "g.graph-txt").ok());
  EXPECT_EQ(ReadWholeFile(folder / "g.graph-txt"), "4\n1 3\n\n0\n3\n");
  EXPECT_TRUE(ReadAscii(folder / "g.graph-txt").value() == graph);
  WriteWholeFile(folder / "dos", " 4 \r\n1  3 \r\n\r\n\t0\r\n3");
  EXPECT_TRUE(ReadAscii(folder / "dos").value() == graph);
  const ArrayGraph random = WebLikeGraph(300, 21);
  ASSERT_TRUE(WriteAsciiGraph(random, folder / "r").ok());
  EXPECT_TRUE(ReadAscii(folder / "r").value() == random);
}

TEST(AsciiGraphTest, RefusesWhatIsNoGraphAndNamesTheLine) {
  TemporaryFolder folder;
  const std::pair<const char*, const char*> cases[] = {
      {"", "empty"},         {"x\n", "number of nodes"}, {"4294967296\n", "number of nodes"},
      {"2\n0\n", "after 1"}, {"2\n0\n2\n", "'2'"},       {"2\n1 0\n\n", "'0'"},
      {"1\n-1\n", "'-1'"},   {"1\n0x\n", "'0x'"},        {"1\n0\n0\n", "more lists"},
  };
  for (const auto& [text, expected] : cases) {
    WriteWholeFile(folder / "g", text);
    const auto graph = ReadAscii(folder / "g");
    ASSERT_FALSE(graph.ok()) << text;
    EXPECT_THAT(graph.status().ToString(), HasSubstr(expected));
  }
}

TEST(ArcListTest, ReadsArcsInAnyOrderAndWritesThemInOrder) {
  TemporaryFolder folder;
  WriteWholeFile(folder / "g", "# a comment\n2\t0\n\n% another\n0 3 0.25\n0 1\r\n");
  auto reader = ArcListReader::Open(folder / "g");
  ASSERT_TRUE(reader.ok());
  std::vector<std::pair<Node, Node>> arcs;
  while (reader->Next()) arcs.push_back(reader->arc());
  ASSERT_TRUE(reader->status().ok());
  const auto graph = ArrayGraph::FromArcs(4, arcs);
  EXPECT_EQ(arcs.size(), 3u);
  ASSERT_TRUE(WriteArcList(graph, folder / "h").ok());
  EXPECT_EQ(ReadWholeFile(folder / "h"), "0\t1\n0\t3\n2\t0\n");
}

TEST(ArcListTest, RefusesWhatIsNoArcAndNamesTheLine) {
  TemporaryFolder folder;
  for (const char* line : {"1", "a b", "1 -2", "1 4294967295", "1,2"}) {
    WriteWholeFile(folder / "g", std::string("0 0\n") + line + "\n");
    auto reader = ArcListReader::Open(folder / "g");
    ASSERT_TRUE(reader.ok());
    EXPECT_TRUE(reader->Next());
    EXPECT_FALSE(reader->Next()) << line;
    EXPECT_THAT(reader->status().ToString(), HasSubstr("line 2"));
    EXPECT_THAT(reader->status().ToString(), HasSubstr(line));
  }
}

TEST(CsrArraysTest, AreTwoArraysThatNumPyReads) {
  TemporaryFolder folder;
  const auto graph = ArrayGraph::FromArcs(3, {{0, 1}, {0, 2}, {2, 0}});
  ASSERT_TRUE(WriteCsrArrays(graph, folder / "g").ok());
  const std::string indptr = ReadWholeFile(folder / "g.indptr.npy");
  const std::string indices = ReadWholeFile(folder / "g.indices.npy");
  ASSERT_EQ(indptr.size(), 128u + 4 * 8);
  ASSERT_EQ(indices.size(), 128u + 3 * 4);
  EXPECT_EQ(indptr.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(static_cast<unsigned char>(indptr[8]), 118);
  EXPECT_THAT(indptr, HasSubstr("{'descr': '<i8', 'fortran_order': False, 'shape': (4,), }"));
  EXPECT_THAT(indices, HasSubstr("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }"));
  EXPECT_EQ(indptr[127], '\n');
  std::vector<int64_t> begins(4);
  std::memcpy(begins.data(), indptr.data() + 128, 32);
  EXPECT_THAT(begins, testing::ElementsAre(0, 2, 2, 3));
  std::vector<int32_t> targets(3);
  std::memcpy(targets.data(), indices.data() + 128, 12);
  EXPECT_THAT(targets, testing::ElementsAre(1, 2, 0));
}

}  // namespace
}  // namespace crivello::graph
