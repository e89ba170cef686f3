// SPDX-License-Identifier: Apache-2.0
#include "engine/stored_index.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_support.h"
#include "care/importer.h"
#include "index/segments/manifest.h"

namespace crivello::engine {
namespace {

class StoredIndexTest : public testing::Test {
 protected:
  void SetUp() override { store_ = Open("c"); }
  std::unique_ptr<collection::Collection> Open(const std::string& name) {
    collection::CollectionOptions options;
    options.directory = folder_ / name;
    options.tablets = 2;
    return collection::Collection::Open(options).value();
  }
  static void Add(collection::Collection& store, int from, int to) {
    care::Importer importer(store, {});
    page::DocumentLineParser parser;
    page::ImportedDocument document;
    for (int i = from; i < to; i++) {
      const std::string host = "h" + std::to_string(i) + ".example";
      ASSERT_EQ(parser.Parse(R"({"url": "https://)" + host + R"(/", "text": "walnut"})", &document),
                Status::Ok());
      ASSERT_EQ(importer.Add(document), Status::Ok());
    }
    ASSERT_EQ(importer.Finish(), Status::Ok());
  }
  Result<IndexUpdate> Update(bool rebuild = false) {
    IndexUpdateOptions options;
    options.build.settings = DefaultIndexSettings().value();
    options.rebuild = rebuild;
    return UpdateIndex(*store_, std::move(options), progress_);
  }
  static std::string AnalyserOf(collection::Collection& store) {
    const auto manifest = index::Manifest::Read(IndexedTablets(store)[0].index);
    return manifest.ok() ? manifest->settings.analyser : manifest.status().ToString();
  }

  TemporaryFolder folder_;
  SilentProgress progress_;
  std::unique_ptr<collection::Collection> store_;
};

TEST_F(StoredIndexTest, IsBuiltThenRefreshedThenBuiltAgainWhenMuchHasChanged) {
  Add(*store_, 0, 20);
  const auto first = Update();
  ASSERT_TRUE(first.ok()) << first.status().ToString();
  EXPECT_FALSE(first->refreshed);
  EXPECT_EQ(first->built.segments.documents, 20u);

  Add(*store_, 20, 24);  // a fifth of the rows
  const auto second = Update();
  ASSERT_TRUE(second.ok()) << second.status().ToString();
  EXPECT_TRUE(second->refreshed);
  EXPECT_EQ(second->refresh.changed, 4u);
  EXPECT_FALSE(Update(/*rebuild=*/true)->refreshed);

  Add(*store_, 24, 40);
  EXPECT_FALSE(Update()->refreshed);
}

// A table was restored to an earlier state beside an index that was not: a refresh would add nothing.
TEST_F(StoredIndexTest, IsBuiltAgainIfItKnowsOfChangesThatTheTableDoesNot) {
  Add(*store_, 0, 20);
  ASSERT_TRUE(Update().ok());
  const std::string folder = IndexedTablets(*store_)[0].index;
  index::Manifest manifest = index::Manifest::Read(folder).value();
  manifest.sequence += 1000;
  manifest.generation++;
  ASSERT_TRUE(manifest.Write(folder, PosixFileSystem()).ok());
  const auto update = Update();
  ASSERT_TRUE(update.ok()) << update.status().ToString();
  EXPECT_FALSE(update->refreshed);
  EXPECT_EQ(update->built.segments.documents, 20u);
}

TEST_F(StoredIndexTest, IsBuiltAgainIfTheLogNoLongerHasWhatItLacks) {
  Add(*store_, 0, 90);
  ASSERT_TRUE(Update().ok());
  const std::string folder = IndexedTablets(*store_)[0].index;
  std::filesystem::copy(folder, folder_ / "copy", std::filesystem::copy_options::recursive);
  Add(*store_, 90, 95);
  ASSERT_TRUE(Update().ok());
  Add(*store_, 95, 100);
  ASSERT_TRUE(Update().ok());
  std::filesystem::remove_all(folder);
  std::filesystem::rename(folder_ / "copy", folder);
  const auto update = Update();
  ASSERT_TRUE(update.ok()) << update.status().ToString();
  EXPECT_FALSE(update->refreshed);
  EXPECT_EQ(update->built.segments.documents, 100u);
}

TEST_F(StoredIndexTest, IsRebuiltWithTheSettingsThatItHas) {
  Add(*store_, 0, 3);
  StoredIndex keeper;
  ASSERT_EQ(keeper.Rebuild(*store_, progress_), Status::Ok()) << "nothing to rebuild";
  EXPECT_FALSE(index::Manifest::Read(IndexedTablets(*store_)[0].index).ok());

  IndexUpdateOptions plain;
  plain.build.settings.analyser = "words fold";
  ASSERT_TRUE(UpdateIndex(*store_, plain, progress_).ok());
  ASSERT_EQ(keeper.Rebuild(*store_, progress_), Status::Ok());
  EXPECT_EQ(AnalyserOf(*store_), "words fold");

  // A repaired collection gets the index settings of the damaged one.
  const auto repaired = Open("repaired");
  Add(*repaired, 0, 3);
  StoredIndex like(store_->directory());
  ASSERT_EQ(like.Rebuild(*repaired, progress_), Status::Ok());
  EXPECT_EQ(AnalyserOf(*repaired), "words fold");
}

}  // namespace
}  // namespace crivello::engine
