// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/graph_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/test_support.h"
#include "graph/array_graph.h"
#include "jobs/exchange/common_crawl.h"

namespace crivello::jobs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GraphFilesTest : public testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(WriteFileAtomically(folder_ / name, AsBytes(text)).ok());
  }
  Result<GraphFilesSummary> ImportArcs(const std::string& arcs, const std::string& to,
                                       uint64_t memory = 1 << 20, std::stop_token stop = {}) {
    Write("arcs", arcs);
    return ImportGraphText(GraphText::kArcs, folder_ / "arcs", 0,
                           {.to = folder_ / to, .memory_bytes = memory, .stop = std::move(stop)}, progress_);
  }
  Result<CommonCrawlSummary> ImportRelease(const std::string& vertices, const std::string& edges,
                                           const std::string& to) {
    Write("v.txt", vertices);
    Write("e.txt", edges);
    return ImportCommonCrawl(
        {.vertices = {folder_ / "v.txt"}, .edges = {folder_ / "e.txt"}, .to = folder_ / to}, progress_);
  }
  OpenedGraph Opened(const std::string& name) const { return OpenGraphFiles(folder_ / name).value(); }
  // The files whose name begins so.
  std::vector<std::string> FilesOf(const std::string& begin) const {
    std::vector<std::string> files;
    for (const std::string& file : ListFolder(folder_.path()).value()) {
      if (file.starts_with(begin)) files.push_back(file);
    }
    return files;
  }

  TemporaryFolder folder_;
  SilentProgress progress_;
};

TEST_F(GraphFilesTest, AGraphDoesNotTakeOverTheNamesOfTheOneBeforeIt) {
  ASSERT_TRUE(ImportRelease("0\torg.a\n1\torg.b\n", "0\t1\n", "g").ok());
  EXPECT_EQ(Opened("g").Display(1), "b.org");
  ASSERT_TRUE(ImportArcs("1 0\n", "g").ok());
  EXPECT_EQ(Opened("g").Display(1), "1");
  EXPECT_THAT(FilesOf("g."), ElementsAre("g.graph", "g.offsets", "g.properties"));
}

TEST_F(GraphFilesTest, AGraphReplacesTheOneInTheOtherFormat) {
  ASSERT_TRUE(ImportArcs("0 1\n", "small").ok());
  ASSERT_TRUE(ImportArcs("0 1\n1 2\n2 0\n", "large").ok());
  for (const auto& [from, format, files] :
       {std::tuple("large", GraphFormat::kEf, std::vector<std::string>{"g.ef-graph"}),
        std::tuple("small", GraphFormat::kBv,
                   std::vector<std::string>{"g.graph", "g.offsets", "g.properties"}),
        std::tuple("large", GraphFormat::kEf, std::vector<std::string>{"g.ef-graph"})}) {
    ASSERT_TRUE(CompressGraph(Opened(from), {.to = folder_ / "g", .format = format}, progress_).ok());
    EXPECT_EQ(Opened("g").graph->arcs(), Opened(from).graph->arcs());
    EXPECT_EQ(FilesOf("g."), files);
  }
}

TEST_F(GraphFilesTest, TheGraphThatIsReadIsRefusedAsATargetHoweverItIsSpelled) {
  ASSERT_TRUE(ImportArcs("0 1\n", "g").ok());
  std::filesystem::create_directory(folder_ / "sub");
  for (const std::string& to : {folder_ / "g", folder_ / "./g", folder_ / "sub/../g"}) {
    const auto made = TransposeGraph(Opened("g"), {.to = to}, progress_);
    EXPECT_EQ(made.status().code(), StatusCode::kInvalidArgument) << to;
    EXPECT_THAT(made.status().message(), HasSubstr("choose another basename with --to"));
  }
}

TEST_F(GraphFilesTest, NothingIsLeftOfACommandThatIsStoppedOrFails) {
  // In a folder with this name is something of the user's.
  std::filesystem::create_directory(folder_ / "g.scratch");
  Write("g.scratch/mine", "mine");
  std::string arcs;
  for (int i = 0; i < 20000; i++) arcs += std::to_string(i) + " " + std::to_string(i * 7 % 20000) + "\n";
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_EQ(ImportArcs(arcs, "g", 1, stopped.get_token()).status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(ImportArcs(arcs + "wrong\n", "g", 1).status().code(), StatusCode::kCorruption);
  EXPECT_FALSE(ImportRelease("0\torg.a\n1\torg.a\n", "0\t1\n", "g").ok());
  EXPECT_THAT(FilesOf("g"), ElementsAre("g.scratch"));
  ASSERT_TRUE(ImportArcs(arcs, "g", 1).ok());
  EXPECT_THAT(FilesOf("g"), ElementsAre("g.graph", "g.offsets", "g.properties", "g.scratch"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "g.scratch/mine"));
}

TEST_F(GraphFilesTest, AGraphStaysIfTheNamesOfTheNextAreRefused) {
  ASSERT_TRUE(ImportRelease("0\torg.a\n1\torg.b\n", "0\t1\n", "g").ok());
  const auto twice = ImportRelease("0\torg.a\n1\torg.a\n2\torg.c\n", "0\t1\n", "g");
  EXPECT_THAT(twice.status().message(), HasSubstr("org.a"));
  EXPECT_EQ(Opened("g").Display(1), "b.org");
  EXPECT_THAT(FilesOf("g"), ElementsAre("g.graph", "g.offsets", "g.properties", "g.urls"));
}

}  // namespace
}  // namespace crivello::jobs
