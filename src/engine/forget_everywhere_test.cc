// SPDX-License-Identifier: Apache-2.0
#include "engine/forget_everywhere.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/test_support.h"
#include "care/importer.h"
#include "engine/stored_index.h"
#include "graph/names/name_list.h"
#include "jobs/graph/graph_folder.h"
#include "jobs/graph/graph_store.h"
#include "jobs/links/link_inverter.h"
#include "jobs/links/links_file.h"
#include "jobs/links/links_folder.h"

namespace crivello::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ForgetEverywhereTest : public testing::Test {
 protected:
  void SetUp() override {
    collection::CollectionOptions options;
    options.directory = folder_ / "c";
    options.tablets = 4;
    store_ = collection::Collection::Open(options).value();
    care::Importer importer(*store_, {});
    const auto add = [&](const std::string& url, const std::string& body) {
      const std::string block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<!doctype html>" + body;
      store::WarcRecord record;
      record.type = store::WarcType::kResponse;
      record.target_uri = url;
      record.date = "2026-10-02T03:04:05Z";
      record.block = block;
      ASSERT_EQ(importer.Add(record), Status::Ok());
    };
    // It has links to pages in several tablets, and others link to it.
    std::string all;
    for (int i = 0; i < 8; i++) all += "<a href=https://h" + std::to_string(i) + ".example/>betrayal</a>";
    add("https://going.example/secret", "<title>Going</title><p>" + all);
    add("https://h0.example/", "<title>0</title><p><a href=https://going.example/secret>to it</a>");
    add("https://h1.example/", "<title>1</title><p><a href=https://h0.example/>a neighbour</a>");
    ASSERT_EQ(importer.Finish(), Status::Ok());
    IndexUpdateOptions build;
    build.build.settings = DefaultIndexSettings().value();
    ASSERT_TRUE(UpdateIndex(*store_, build, progress_).ok());
  }

  std::vector<std::string> Folders() const { return jobs::LinkFolders(jobs::LinkTabletsOf(*store_)); }
  // All links, as "source -> target: text".
  std::vector<std::string> Links() const {
    std::vector<std::string> links;
    for (const std::string& folder : Folders()) {
      const auto file = Mapped<jobs::LinksFile>::Open(jobs::LinksPath(folder));
      if (!file.ok()) continue;
      jobs::LinksCursor cursor(**file);
      while (cursor.Next()) {
        const jobs::LinkRecord link = cursor.link();
        links.push_back(std::string(link.source) + " -> " + std::string(link.target) + ": " +
                        std::string(link.text));
      }
      EXPECT_TRUE(cursor.status().ok());
    }
    return links;
  }

  TemporaryFolder folder_;
  SilentProgress progress_;
  std::unique_ptr<collection::Collection> store_;
  const collection::ForgetTarget target_ =
      collection::ForgetTarget::Parse("https://going.example/secret").value();
};

TEST_F(ForgetEverywhereTest, LeavesNoLinkFromAPageOrToIt) {
  EXPECT_EQ(Links().size(), 10u);
  StoredIndex index;
  const auto summary = ForgetEverywhere(*store_, {&target_, 1}, "asked", &index, progress_);
  ASSERT_TRUE(summary.ok()) << summary.status().ToString();
  EXPECT_EQ(summary->rows, 1u);
  EXPECT_THAT(Links(), ElementsAre("example,h1)https:443/ -> example,h0)https:443/: a neighbour"));
}

TEST_F(ForgetEverywhereTest, RemovesTheFilesIfNobodyWritesThemAgain) {
  // An interrupted job has left a file.
  const std::string leftover = jobs::LinksPath(Folders()[1]) + ".tmp-1-1";
  ASSERT_TRUE(WriteFileAtomically(leftover, AsBytes("betrayal")).ok());
  ASSERT_TRUE(ForgetEverywhere(*store_, {&target_, 1}, "asked", nullptr, progress_).ok());
  EXPECT_THAT(Links(), IsEmpty());
  EXPECT_EQ(ReadFile(leftover).status().code(), StatusCode::kNotFound);
  for (const jobs::LinkTablet& tablet : jobs::LinkTabletsOf(*store_)) {
    EXPECT_EQ(jobs::CheckLinksOf(tablet).code(), StatusCode::kNotFound);
  }
}

TEST_F(ForgetEverywhereTest, LeavesNoGraphAndNoNameOfAPage) {
  for (const jobs::GraphLevel level : jobs::kGraphLevels) {
    ASSERT_TRUE(jobs::StoreGraph(*store_, {.level = level, .frontier = true}, progress_).ok());
  }
  const std::string folder = jobs::GraphFolder(store_->directory());
  const auto names = [&](jobs::GraphLevel level) {
    return Mapped<graph::NameList>::Open(jobs::NamesPath(jobs::GraphBasename(store_->directory(), level)));
  };
  const uint64_t pages = (*names(jobs::GraphLevel::kPage))->size();
  ASSERT_EQ(pages, 9u);  // the three that were fetched, and those they link to
  EXPECT_TRUE((*names(jobs::GraphLevel::kHost))->Find("example.going").has_value());
  const auto host = collection::ForgetTarget::Parse("going.example").value();
  ASSERT_TRUE(ForgetEverywhere(*store_, {&host, 1}, "asked", nullptr, progress_).ok());

  EXPECT_EQ((*names(jobs::GraphLevel::kPage))->size(), pages);
  EXPECT_EQ((*names(jobs::GraphLevel::kPage))->removed(), 1u);
  EXPECT_FALSE((*names(jobs::GraphLevel::kHost))->Find("example.going").has_value());
  EXPECT_TRUE((*names(jobs::GraphLevel::kHost))->Find("example.h0").has_value());
  for (const std::string& file : ListFolder(folder).value()) {
    EXPECT_TRUE(file == "lock" || file.ends_with(".urls")) << file;
    EXPECT_EQ(ReadFile(folder + "/" + file)->find("going"), std::string::npos) << file;
  }
  // And it does not come back.
  ASSERT_TRUE(jobs::StoreGraph(*store_, {.frontier = true}, progress_).ok());
  EXPECT_FALSE((*names(jobs::GraphLevel::kPage))->Find("example,going)https:443/secret").has_value());
}

}  // namespace
}  // namespace crivello::engine
