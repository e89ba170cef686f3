// SPDX-License-Identifier: Apache-2.0
#include "engine/collection_ranks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/atomic_file.h"
#include "base/mutex.h"
#include "base/test_support.h"
#include "care/importer.h"
#include "engine/live_indexer.h"
#include "engine/stored_index.h"
#include "graph/names/name_list_writer.h"
#include "graph/rank_file.h"
#include "index/ranks/rank_test_support.h"
#include "index/tables/collection_index.h"
#include "jobs/links/link_anchors.h"
#include "web/url/row_key.h"

namespace crivello::engine {
namespace {

class CollectionRanksTest : public testing::Test {
 protected:
  void SetUp() override {
    collection::CollectionOptions options;
    options.directory = folder_ / "c";
    options.tablets = 2;
    store_ = collection::Collection::Open(options).value();
    care::Importer importer(*store_, {});
    page::DocumentLineParser parser;
    page::ImportedDocument document;
    for (int i = 0; i < 20; i++) {
      ASSERT_EQ(parser.Parse(R"({"url": ")" + UrlOf(i) + R"(", "text": "walnut"})", &document), Status::Ok());
      ASSERT_EQ(importer.Add(document), Status::Ok());
    }
    ASSERT_EQ(importer.Finish(), Status::Ok());
    std::filesystem::create_directories(folder_ / "c/graph");
    std::filesystem::create_directories(folder_ / "c/ranks");
  }
  static std::string UrlOf(int i) { return "https://h" + std::to_string(i) + ".example/"; }
  std::string GraphFile(const std::string& name) { return folder_ / ("c/graph/" + name); }

  // Writes the names of these pages, as a graph of them has; returns their identity.
  uint64_t WriteNames(int from, int to) {
    std::set<std::string> keys;
    for (int i = from; i < to; i++) keys.insert(web::RowKey(*web::ParseUrl(UrlOf(i))).value());
    auto names = graph::NameListWriter::Create({.path = GraphFile("pages.urls"), .form = "row-key"});
    EXPECT_TRUE(names.ok()) << names.status().ToString();
    urls_.clear();
    for (const std::string& key : keys) {
      EXPECT_TRUE(names->Add(key).ok());
      urls_.push_back(web::UrlOfRowKey(key)->href());
    }
    return names->Finish().value();
  }
  // Writes values that are multiples of `step`; returns them as a map.
  index::PlainRank WriteRank(const std::string& name, uint64_t identity, double step,
                             const std::string& names = "pages") {
    index::PlainRank rank;
    std::vector<double> values;
    for (const std::string& url : urls_) {
      values.push_back(step * static_cast<double>(1 + values.size()));
      rank[url] = static_cast<float>(values.back());
    }
    EXPECT_TRUE(graph::WriteRankVector(folder_ / ("c/ranks/" + name),
                                       {.names = names, .names_identity = identity, .how = "a test"}, values)
                    .ok());
    return rank;
  }
  // Builds it from the rows with the present settings.
  Status Rebuild() {
    IndexUpdateOptions options;
    options.build.settings = DefaultIndexSettings().value();
    options.rebuild = true;
    SilentProgress progress;
    return UpdateIndex(*store_, std::move(options), progress).status();
  }
  // The orders of documents that its segments have.
  std::set<std::string> Orders() {
    std::set<std::string> orders;
    const auto snapshot = Snapshot();
    for (const index::SegmentView& view : snapshot->segments()) orders.insert(view.segment->info().order);
    return orders;
  }
  Result<IndexUpdate> Update(const std::string& order = "url") {
    IndexUpdateOptions options;
    options.build.settings = DefaultIndexSettings().value();
    options.build.order = order;
    options.new_settings = order != "url";
    SilentProgress progress;
    return UpdateIndex(*store_, std::move(options), progress);
  }
  std::shared_ptr<const index::Snapshot> Snapshot() {
    return index::OpenCollectionIndex(folder_ / "c").value();
  }

  TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
  std::vector<std::string> urls_;  // of the nodes
};

TEST_F(CollectionRanksTest, AnIndexHasTheRanksThatTheCollectionHas) {
  const index::PlainRank first = WriteRank("pagerank", WriteNames(0, 15), 0.5);
  ASSERT_TRUE(Update().ok());
  ASSERT_EQ(Snapshot()->documents(), 20u);
  index::ExpectRank(*Snapshot(), "pagerank", first);
  // Another rank of the same graph, then one of a new graph.
  uint64_t identity = WriteNames(0, 15);
  index::PlainRank rank = WriteRank("pagerank", identity, 0.25);
  ASSERT_TRUE(Update().ok());
  index::ExpectRank(*Snapshot(), "pagerank", rank);
  identity = WriteNames(5, 20);
  ASSERT_TRUE(Update().ok());
  index::ExpectRank(*Snapshot(), "pagerank", rank);  // whose pages are no longer known
  rank = WriteRank("pagerank", identity, 2);
  ASSERT_TRUE(Update().ok());
  index::ExpectRank(*Snapshot(), "pagerank", rank);
  ASSERT_TRUE(Update("pagerank").ok());
  index::ExpectRank(*Snapshot(), "pagerank", rank);
  const auto wrong = Update("nope");
  EXPECT_EQ(wrong.status().code(), StatusCode::kNotFound);
  std::filesystem::remove(folder_ / "c/ranks/pagerank");
  ASSERT_TRUE(Update().ok());
  const auto without = Snapshot();
  for (const index::SegmentView& view : without->segments()) EXPECT_TRUE(view.ranks.empty());
}

TEST_F(CollectionRanksTest, ARebuildKeepsTheOrderAsLongAsItsRankIsThere) {
  WriteRank("mine", WriteNames(0, 15), 0.5);
  ASSERT_TRUE(Update("mine").ok());
  EXPECT_THAT(Orders(), testing::ElementsAre("mine"));
  ASSERT_TRUE(Rebuild().ok());
  EXPECT_THAT(Orders(), testing::ElementsAre("mine"));
  SilentProgress progress;
  ASSERT_TRUE(StoredIndex().Rebuild(*store_, progress).ok());
  EXPECT_THAT(Orders(), testing::ElementsAre("mine"));
  // The live indexer does the same.
  CollectionRanks ranks(*store_);
  {
    const auto anchors = jobs::LinkAnchors::Of(*store_);
    LiveIndexerOptions options;
    options.settings = DefaultIndexSettings().value();
    options.anchors = anchors.get();
    options.ranks = &ranks;
    auto live = LiveIndexer::Start(IndexedTablets(*store_), options);
    ASSERT_TRUE(live.ok()) << live.status().ToString();
    const Status rebuilt = (*live)->Rebuild();
    ASSERT_TRUE(rebuilt.ok()) << rebuilt.ToString();
    ASSERT_EQ((*live)->Stop(), Status::Ok());
  }
  EXPECT_THAT(Orders(), testing::ElementsAre("mine"));
  std::filesystem::remove(folder_ / "c/ranks/mine");
  ASSERT_TRUE(Rebuild().ok());
  EXPECT_THAT(Orders(), testing::ElementsAre("arrival")) << "that of the rows, which is that of URLs";
}

TEST_F(CollectionRanksTest, APageThatIsRemovedFromTheNamesIsRemovedFromTheRank) {
  index::PlainRank rank = WriteRank("pagerank", WriteNames(0, 15), 0.5);
  ASSERT_TRUE(Update().ok());
  const std::string gone = web::RowKey(*web::ParseUrl(UrlOf(3))).value();
  ASSERT_TRUE(graph::RemoveNames(GraphFile("pages.urls"), [&gone](std::string_view name) {
                return name == gone;
              }).ok());
  CollectionRanks ranks(*store_);
  for (size_t i = 0; i < store_->tablets().size(); i++) {
    const auto pages = ranks.Read("pagerank", i);
    ASSERT_TRUE(pages.ok()) << pages.status().ToString();
    EXPECT_FALSE((*pages)->Find(index::UrlKey(UrlOf(3))));
  }
  ASSERT_TRUE(Update().ok());
  for (size_t i = 0; i < store_->tablets().size(); i++) {
    const std::string folder = IndexedTablets(*store_)[i].index;
    const auto manifest = index::Manifest::Read(folder);
    ASSERT_TRUE(manifest.ok() && manifest->ranks.size() == 1);
    const auto pages =
        index::RankPages::Open(index::RankPagesPath(folder, manifest->ranks[0]), Verify::kPayload);
    ASSERT_TRUE(pages.ok()) << pages.status().ToString();
    EXPECT_FALSE((*pages)->Find(index::UrlKey(UrlOf(3))));
  }
}

// Each page of UrlOf() has a host and a domain of its own; five of them have a value.
TEST_F(CollectionRanksTest, PagesHaveTheRankOfTheirHostOrDomain) {
  index::PlainRank rank;
  for (const std::string level : {"hosts", "domains"}) {
    auto names = graph::NameListWriter::Create({.path = GraphFile(level + ".urls"), .form = "host"});
    ASSERT_TRUE(names.ok());
    urls_.clear();
    for (int i = 5; i < 10; i++) {
      ASSERT_TRUE(names->Add("example.h" + std::to_string(i)).ok());
      urls_.push_back(UrlOf(i));
    }
    rank = WriteRank("of-" + level, names->Finish().value(), 0.5, level);
  }
  ASSERT_TRUE(Update().ok());
  for (const char* name : {"of-hosts", "of-domains"}) index::ExpectRank(*Snapshot(), name, rank);
  // A page that is newer than the ranks, on a host that has one.
  care::Importer importer(*store_, {});
  page::DocumentLineParser parser;
  page::ImportedDocument document;
  const std::string newer = UrlOf(9) + "newer";
  ASSERT_EQ(parser.Parse(R"({"url": ")" + newer + R"(", "text": "hazel"})", &document), Status::Ok());
  ASSERT_EQ(importer.Add(document), Status::Ok());
  ASSERT_EQ(importer.Finish(), Status::Ok());
  ASSERT_TRUE(Update().ok());
  const auto snapshot = Snapshot();
  EXPECT_EQ(snapshot->documents(), 21u);
  rank[newer] = rank.at(UrlOf(9));
  for (const char* name : {"of-hosts", "of-domains"}) index::ExpectRank(*snapshot, name, rank);
}

TEST_F(CollectionRanksTest, AHostThatIsRemovedFromTheNamesIsRemovedFromTheRank) {
  auto names = graph::NameListWriter::Create({.path = GraphFile("hosts.urls"), .form = "host"});
  urls_.clear();
  for (int i = 1; i < 6; i++) {
    ASSERT_TRUE(names->Add("example.h" + std::to_string(i)).ok());
    urls_.push_back(UrlOf(i));
  }
  WriteRank("of-hosts", names->Finish().value(), 0.5, "hosts");
  CollectionRanks ranks(*store_);
  const auto before = ranks.List();
  ASSERT_TRUE(before.ok() && before->size() == 1);
  ASSERT_TRUE(graph::RemoveNames(GraphFile("hosts.urls"), [](std::string_view name) {
                return name == "example.h3";
              }).ok());
  const auto after = ranks.List();
  ASSERT_TRUE(after.ok() && after->size() == 1);
  EXPECT_NE((*before)[0].digest, (*after)[0].digest);
  size_t found = 0;
  for (size_t i = 0; i < store_->tablets().size(); i++) {
    const auto pages = ranks.Read("of-hosts", i);
    ASSERT_TRUE(pages.ok()) << pages.status().ToString();
    EXPECT_FALSE((*pages)->FindHost("h3.example"));
    for (int host = 1; host < 6; host++)
      found += (*pages)->FindHost(fmt::format("h{}.example", host)) ? 1 : 0;
  }
  EXPECT_EQ(found, 4u) << "each in the tablet of its host";
}

TEST_F(CollectionRanksTest, DamagedRanksStayAsTheyWere) {
  const index::PlainRank rank = WriteRank("pagerank", WriteNames(0, 15), 0.5);
  ASSERT_TRUE(Update().ok());
  ASSERT_TRUE(WriteFileAtomically(folder_ / "c/ranks/pagerank", AsBytes("damaged")).ok());
  EXPECT_EQ(Update().status().code(), StatusCode::kCorruption);
  index::ExpectRank(*Snapshot(), "pagerank", rank);
}

TEST_F(CollectionRanksTest, ALiveIndexTakesInANewRank) {
  CollectionRanks ranks(*store_);
  Mutex mu;
  std::shared_ptr<const index::Snapshot> last;
  LiveIndexerOptions options;
  options.settings = DefaultIndexSettings().value();
  index::PageFields fields;
  options.fields = fields;
  const auto anchors = jobs::LinkAnchors::Of(*store_);
  options.anchors = anchors.get();
  options.ranks = &ranks;
  options.quiet_interval = std::chrono::hours(1);
  options.publish = [&](std::shared_ptr<const index::Snapshot> snapshot) {
    const MutexLock lock(mu);
    last = std::move(snapshot);
  };
  auto indexer = LiveIndexer::Start(IndexedTablets(*store_), options);
  ASSERT_TRUE(indexer.ok()) << indexer.status().ToString();
  ASSERT_TRUE((*indexer)->CatchUp(false).ok());
  const uint64_t identity = WriteNames(0, 15);
  for (const double step : {0.5, 4.0}) {
    const index::PlainRank rank = WriteRank("pagerank", identity, step);
    ASSERT_TRUE((*indexer)->CatchUp(false).ok());
    const MutexLock lock(mu);
    index::ExpectRank(*last, "pagerank", rank);
  }
}

}  // namespace
}  // namespace crivello::engine
