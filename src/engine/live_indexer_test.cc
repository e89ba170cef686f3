// SPDX-License-Identifier: Apache-2.0
#include "engine/live_indexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <mutex>

#include "base/test_support.h"
#include "base/test_waiting.h"
#include "index/segments/manifest.h"
#include "index/tables/table_index_test_support.h"
#include "jobs/links/link_anchors.h"
#include "jobs/links/links_test_support.h"

namespace crivello::engine {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// An indexer that follows tables, and its last published snapshot.
class Follower {
 public:
  explicit Follower(index::Rows& rows, Duration quiet = hours(1), Listener* listener = nullptr)
      : anchors_(jobs::LinkTabletsOf(rows)) {
    LiveIndexerOptions options;
    options.listener = listener;
    options.anchors = &anchors_;
    options.settings.analyser = "words fold";
    options.refresh_interval = milliseconds(1);
    options.commit_interval = hours(1);
    options.quiet_interval = quiet;
    options.publish = [this](std::shared_ptr<const index::Snapshot> snapshot) {
      const std::lock_guard lock(mu_);
      snapshot_ = std::move(snapshot);
    };
    auto started = LiveIndexer::Start(rows.tablets(), options);
    EXPECT_TRUE(started.ok()) << started.status().ToString();
    indexer_ = *std::move(started);
  }
  LiveIndexer& operator*() { return *indexer_; }
  LiveIndexer* operator->() { return indexer_.get(); }

  std::set<std::string> Current(std::string_view field, std::string_view term) {
    std::shared_ptr<const index::Snapshot> snapshot;
    {
      const std::lock_guard lock(mu_);
      snapshot = snapshot_;
    }
    return FindWhere(*snapshot, field, term,
                     [](const index::SegmentView& view, index::DocId doc) { return view.IsCurrent(doc); });
  }

 private:
  std::mutex mu_;
  std::shared_ptr<const index::Snapshot> snapshot_;
  jobs::LinkAnchors anchors_;
  std::unique_ptr<LiveIndexer> indexer_;
};

TEST(LiveIndexerTest, FindsWhatWasPutAndWhatReplacedIt) {
  index::Rows rows(1);
  Follower follower(rows);
  EXPECT_THAT(follower.Current("body", "apple"), IsEmpty());
  rows.Put({"http://a.test/", "A", "an apple"});
  rows.Put({"http://b.test/", "B", "an apple and a pear"});
  ASSERT_TRUE(follower->CatchUp(false).ok());
  EXPECT_THAT(follower.Current("body", "apple"), UnorderedElementsAre("http://a.test/", "http://b.test/"));
  rows.Put({.url = "http://a.test/", .title = "A", .text = "a cherry", .time = 2'000'000});
  ASSERT_TRUE(follower->CatchUp(false).ok());
  EXPECT_THAT(follower.Current("body", "apple"), ElementsAre("http://b.test/"));
  EXPECT_THAT(follower.Current("body", "cherry"), ElementsAre("http://a.test/"));
  EXPECT_EQ(follower->stats().documents, 2u);
}

TEST(LiveIndexerTest, KnowsTextsOfLinksAfterABuildThatGoesOnBesideChanges) {
  index::Rows rows(2);
  Follower follower(rows);
  for (int i = 0; i < 40; i++) {
    const std::string host = "http://h" + std::to_string(i) + ".test/";
    rows.Put({host, "page", "some text", {{.url = "http://target.test/", .text = "lighthouse"}}});
  }
  rows.Put({"http://target.test/", "T", "a tower"});
  ASSERT_TRUE(follower->CatchUp(false).ok());
  ASSERT_TRUE(follower->CatchUp(true).ok());
  EXPECT_THAT(follower.Current("anchor", "lighthouse"), ElementsAre("http://target.test/"));
  EXPECT_EQ(follower->stats().documents, 41u);
  EXPECT_GE(follower->stats().builds, 1u);
  // Rows that arrive during a build are neither lost nor doubled.
  for (int i = 0; i < 200; i++) {
    rows.Put({"http://new" + std::to_string(i) + ".test/", "n", "freshly written"});
    if (i % 50 == 0) {
      ASSERT_TRUE(follower->CatchUp(i % 100 == 0).ok());
    }
  }
  ASSERT_TRUE(follower->CatchUp(true).ok());
  EXPECT_EQ(follower.Current("body", "freshly").size(), 200u);
  EXPECT_EQ(follower->stats().documents, 241u);
}

TEST(LiveIndexerTest, BuildsWhenTheTablesAreQuiet) {
  index::Rows rows(0);
  rows.Put({"http://a.test/", "A", "text", {{.url = "http://b.test/", .text = "pointer"}}});
  rows.Put({"http://b.test/", "B", "text"});
  Follower follower(rows, milliseconds(1));  // a build may begin at once, and has both rows
  ASSERT_TRUE(follower->CatchUp(false).ok());
  while (follower->stats().builds == 0) ASSERT_TRUE(follower->CatchUp(false).ok());
  EXPECT_THAT(follower.Current("anchor", "pointer"), ElementsAre("http://b.test/"));
}

TEST(LiveIndexerTest, HasNothingOfWhatIsGoneInItsFilesAfterARebuild) {
  index::Rows rows(1);
  Follower follower(rows);
  const auto files = [&rows] {
    uint64_t count = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(index::SegmentsPath(rows.tablet(0).index))) {
      if (entry.is_regular_file()) count++;
    }
    return count;
  };
  rows.Put({"http://a.test/", "A", "an apple"});
  ASSERT_TRUE(follower->Rebuild().ok());
  EXPECT_THAT(follower.Current("body", "apple"), ElementsAre("http://a.test/"));
  EXPECT_GT(files(), 0u);
  rows.Put({.url = "http://a.test/", .title = "A", .text = "", .time = 2'000'000, .noindex = true});
  ASSERT_TRUE(follower->Rebuild().ok());
  EXPECT_THAT(follower.Current("body", "apple"), IsEmpty());
  EXPECT_EQ(files(), 0u);
  ASSERT_TRUE(follower->Stop().ok());
  EXPECT_FALSE(follower->Rebuild().ok());
}

TEST(LiveIndexerTest, GoesOnWhereItStopped) {
  index::Rows rows(1);
  {
    Follower follower(rows);
    rows.Put({"http://a.test/", "A", "an apple"});
    ASSERT_TRUE(follower->Stop().ok());  // indexes what is there, and commits
  }
  EXPECT_THAT(Find(*rows.Open(), "body", "apple"), ElementsAre("http://a.test/"));
  rows.Put({"http://b.test/", "B", "an apple"});
  Follower follower(rows);
  EXPECT_THAT(follower.Current("body", "apple"), ElementsAre("http://a.test/"));
  ASSERT_TRUE(follower->CatchUp(false).ok());
  EXPECT_THAT(follower.Current("body", "apple"), UnorderedElementsAre("http://a.test/", "http://b.test/"));
}

// Collects the warnings of a start.
struct Warnings final : Listener {
  void Warn(std::string_view event, const std::string& sentence) override {
    sentences.push_back(std::string(event) + ": " + sentence);
  }
  std::unique_ptr<Progress> NewProgress() override { return std::make_unique<SilentProgress>(); }
  std::vector<std::string> sentences;
};

// An index of other rows, or of an earlier state of these: the log of changes cannot say what it
// lacks.
class UnfollowedIndexTest : public testing::Test {
 protected:
  void SetUp() override {
    Put(0, 20);
    Index();
    std::filesystem::copy(folder(), copy_ / "index", std::filesystem::copy_options::recursive);
    Put(20, 40);
    Index();
    Put(40, 41);
    Index();
  }
  void Put(int from, int to) {
    for (int i = from; i < to; i++) rows_.Put({"http://h" + std::to_string(i) + ".test/", "T", "walnut"});
  }
  // Builds the index with an indexer that is then stopped.
  void Index() {
    Follower follower(rows_);
    ASSERT_TRUE(follower->CatchUp(false).ok());
    ASSERT_TRUE(follower->Stop().ok());
  }
  void ExpectRebuilt(size_t pages) {
    Warnings warnings;
    {
      // Stopped at once: however far the build came, the next start knows whether one is needed.
      Follower follower(rows_, hours(1), &warnings);
      ASSERT_TRUE(follower->Stop().ok());
    }
    EXPECT_THAT(warnings.sentences, ElementsAre(testing::AllOf(testing::HasSubstr("index.incomplete: "),
                                                               testing::HasSubstr(folder()))));
    const index::Manifest manifest = index::Manifest::Read(folder()).value();
    if (rows_.tablet(0).changes->CanBeFollowedFrom(manifest.sequence).value()) {
      EXPECT_EQ(Find(*rows_.Open(), "body", "walnut").size(), pages);
    }
    {
      Follower follower(rows_);
      EXPECT_TRUE(WaitFor([&] { return follower.Current("body", "walnut").size() == pages; }))
          << follower.Current("body", "walnut").size();
      ASSERT_TRUE(follower->Rebuild().ok());
      ASSERT_TRUE(follower->Stop().ok());
    }
    // From now on it is followed again.
    Put(100, 101);
    Warnings none;
    Follower follower(rows_, hours(1), &none);
    ASSERT_TRUE(follower->CatchUp(false).ok());
    EXPECT_EQ(follower.Current("body", "walnut").size(), pages + 1);
    EXPECT_THAT(none.sentences, IsEmpty());
  }
  const std::string& folder() const { return rows_.tablet(0).index; }

  index::Rows rows_{0};
  const TemporaryFolder copy_;
};

TEST_F(UnfollowedIndexTest, IsRebuiltIfItIsAnOldCopy) {
  std::filesystem::remove_all(folder());
  std::filesystem::rename(copy_ / "index", folder());
  ExpectRebuilt(41);
}

TEST_F(UnfollowedIndexTest, IsRebuiltIfItIsGone) {
  std::filesystem::remove_all(folder());
  ExpectRebuilt(41);
}

TEST_F(UnfollowedIndexTest, IsRebuiltIfItKnowsMoreThanTheTable) {
  index::Manifest manifest = index::Manifest::Read(folder()).value();
  manifest.sequence += 1000;
  manifest.generation++;
  ASSERT_TRUE(manifest.Write(folder(), PosixFileSystem()).ok());
  Put(41, 42);
  ExpectRebuilt(42);
}

TEST(LiveIndexerTest, TellsWhyItStopped) {
  index::Rows rows(0);
  Follower follower(rows);
  auto second = LiveIndexer::Start(rows.tablets(), {});
  EXPECT_EQ(second.status().code(), StatusCode::kUnavailable) << second.status().ToString();
}

}  // namespace
}  // namespace crivello::engine
