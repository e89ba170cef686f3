// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/node_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "base/atomic_file.h"
#include "base/test_support.h"
#include "graph/array_graph.h"
#include "graph/names/name_list_writer.h"
#include "jobs/graph/graph_folder.h"

namespace crivello::jobs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(NodeValuesTest, ALineHasANameAndANumber) {
  for (const std::string line : {"https://example.org/a b\t0.25", "  https://example.org/a b  2.5e-1 "}) {
    const auto parsed = ParseNodeValue(line);
    ASSERT_TRUE(parsed.ok()) << parsed.status().ToString();
    EXPECT_EQ(parsed->name, "https://example.org/a b");
    EXPECT_EQ(parsed->value, 0.25);
  }
  for (const std::string line :
       {"", "1", "a", "a b", "a -1", "a -0", "a nan", "a inf", "a 1e400", "a 1x", "a 0x1", "\t1"}) {
    const auto parsed = ParseNodeValue(line);
    EXPECT_EQ(parsed.status().code(), StatusCode::kCorruption) << line;
    EXPECT_THAT(parsed.status().message(), HasSubstr("expected a URL, a host or a node, and a number"));
  }
}

class NodeValuesFileTest : public testing::Test {
 protected:
  void SetUp() override {
    graph_.basename = folder_ / "g";
    graph_.graph = std::make_unique<graph::ArrayGraph>(graph::ArrayGraph::FromArcs(5, {}));
    auto names = graph::NameListWriter::Create({.path = NamesPath(graph_.basename), .form = "host"});
    ASSERT_TRUE(names.ok());
    for (const char* name : {"org.a", "org.b", "org.c", "org.d.www", "org.e"})
      ASSERT_TRUE(names->Add(name).ok());
    ASSERT_TRUE(names->Finish().ok());
    graph_.names.emplace(Mapped<graph::NameList>::Open(NamesPath(graph_.basename)).value());
  }
  Result<NodeValues> Read(const std::string& text, UnnamedNodes unnamed = UnnamedNodes::kZero) {
    EXPECT_TRUE(WriteFileAtomically(folder_ / "values", AsBytes(text)).ok());
    return ReadNodeValues(folder_ / "values", graph_, unnamed, {});
  }

  TemporaryFolder folder_;
  OpenedGraph graph_;
};

TEST_F(NodeValuesFileTest, NamesAndNumbersAreNodesAndOthersArePassedOver) {
  const auto read = Read("# mine\n\nb.org\t3\nhttps://a.org/x 7\r\n4 1\nb.org 2\nd.org 5\nelsewhere.org 9\n");
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_THAT(read->values, ElementsAre(7, 2, 0, 5, 1));
  EXPECT_EQ(read->lines, 6u);
  EXPECT_EQ(read->named, 4u);
}

TEST_F(NodeValuesFileTest, NodesWithoutALineHaveTheMedianIfThatIsWanted) {
  EXPECT_THAT(Read("a.org 8\nb.org 4\nc.org 2\ne.org 1\n", UnnamedNodes::kMedian)->values,
              ElementsAre(8, 4, 2, 2, 1));
}

TEST_F(NodeValuesFileTest, ALineThatIsWrongIsNamedAndAFileWithoutANodeIsRefused) {
  const auto wrong = Read("a.org 1\nb.org one\n");
  EXPECT_THAT(wrong.status().message(), testing::AllOf(HasSubstr("line 2"), HasSubstr("'b.org one'")));
  const auto none = Read("x.org 1\ny.org 1\n");
  EXPECT_EQ(none.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(none.status().message(), HasSubstr("none of its 2 lines names a node"));
}

}  // namespace
}  // namespace crivello::jobs
