// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/graph_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/test_support.h"
#include "graph/names/name_list.h"
#include "graph/names/name_list_writer.h"

namespace crivello::jobs {
namespace {

using testing::ElementsAre;

class GraphFolderTest : public testing::Test {
 protected:
  std::string Collection() const { return folder_.path(); }
  static void Put(const std::string& path, const std::string& bytes) {
    ASSERT_TRUE(WriteFileAtomically(path, AsBytes(bytes)).ok());
  }
  std::vector<std::string> Files() const { return ListFolder(GraphFolder(Collection())).value(); }
  std::string Content(const std::string& name) const {
    return ReadFile(GraphFolder(Collection()) + "/" + name).value();
  }

  TemporaryFolder folder_;
};

TEST_F(GraphFolderTest, AllFilesOfALevelAreReplacedTogether) {
  for (const std::string content : {"first", "second"}) {
    const auto lock = GraphLock::Take(Collection());
    ASSERT_TRUE(lock.ok()) << lock.status().ToString();
    auto replacement = GraphReplacement::Begin(Collection(), GraphLevel::kHost);
    ASSERT_TRUE(replacement.ok());
    Put(replacement->basename() + ".graph", content);
    Put(NamesPath(replacement->basename()), content);
    if (content == "second") {
      EXPECT_EQ(Content("hosts.graph"), "first");
    }
    ASSERT_EQ(replacement->Commit(), Status::Ok());
    EXPECT_THAT(Files(), ElementsAre("hosts.graph", "hosts.urls", "lock"));
    EXPECT_EQ(Content("hosts.graph"), content);
    EXPECT_EQ(Content("hosts.urls"), content);
  }
}

// Whatever was moved when the process died, the rest is moved later; incomplete files are removed.
TEST_F(GraphFolderTest, AReplacementThatACrashInterruptedIsCompleted) {
  const std::string folder = GraphFolder(Collection());
  for (int moved = 0; moved <= 2; moved++) {
    ASSERT_TRUE(MakeFolders(folder + "/pages.made").ok());
    ASSERT_TRUE(MakeFolders(folder + "/hosts.making").ok());
    Put(folder + "/hosts.making/hosts.graph", "half");
    Put(folder + (moved > 0 ? "/pages.graph" : "/pages.made/pages.graph"), "new");
    if (moved == 0) Put(folder + "/pages.graph", "old");
    Put(folder + (moved > 1 ? "/pages.urls" : "/pages.made/pages.urls"), "new");
    if (moved <= 1) Put(folder + "/pages.urls", "old");
    ASSERT_EQ(FinishReplacing(Collection()), Status::Ok());
    EXPECT_THAT(Files(), ElementsAre("lock", "pages.graph", "pages.urls"));
    EXPECT_EQ(Content("pages.graph"), "new");
    EXPECT_EQ(Content("pages.urls"), "new");
  }
  // There is nothing to complete, and nothing is created.
  const TemporaryFolder other;
  EXPECT_EQ(FinishReplacing(other.path()), Status::Ok());
  EXPECT_FALSE(std::filesystem::exists(GraphFolder(other.path())));
}

TEST_F(GraphFolderTest, ForgettingLeavesTheNamesThatStayAndNothingElse) {
  EXPECT_EQ(ForgetInGraphs(Collection(), [](GraphLevel, std::string_view) { return true; }), Status::Ok());
  const std::string folder = GraphFolder(Collection());
  ASSERT_TRUE(MakeFolders(folder + "/pages.making").ok());
  for (const char* const file : {"pages.graph", "pages.properties", "hosts-links.labels", "domains.urls"}) {
    Put(folder + "/" + file, "secret");
  }
  graph::NameListBuilder names({.folder = folder + "/scratch"});
  for (const char* const name : {"a", "secret", "z"}) ASSERT_TRUE(names.Add(name).ok());
  ASSERT_TRUE(names.WriteTo({.path = folder + "/pages.urls", .form = std::string(kRowKeyForm)}).ok());
  const auto gone = [](GraphLevel level, std::string_view name) {
    return level == GraphLevel::kPage && name == "secret";
  };
  ASSERT_EQ(ForgetInGraphs(Collection(), gone), Status::Ok());
  EXPECT_THAT(Files(), ElementsAre("lock", "pages.urls"));
  const auto list = Mapped<graph::NameList>::Open(folder + "/pages.urls");
  ASSERT_TRUE(list.ok());
  EXPECT_EQ((*list)->removed(), 1u);
  EXPECT_EQ((*list)->Find("z"), graph::Node{2});
}

TEST_F(GraphFolderTest, TheNameOfARankCannotLeaveItsFolder) {
  EXPECT_EQ(RankPath("c", "page-rank_2").value(), "c/ranks/page-rank_2");
  for (const std::string& bad :
       {std::string(), std::string("../x"), std::string("a/b"), std::string(65, 'a')}) {
    EXPECT_EQ(RankPath("c", bad).status().code(), StatusCode::kInvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace crivello::jobs
