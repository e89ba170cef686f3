// SPDX-License-Identifier: Apache-2.0
#include "index/tables/table_indexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "index/tables/table_index_test_support.h"
#include "text/terms/analyser.h"

namespace crivello::index {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::set<std::string> FindCurrent(const Snapshot& snapshot, std::string_view field, std::string_view term) {
  return FindWhere(snapshot, field, term,
                   [](const SegmentView& view, DocId doc) { return view.IsCurrent(doc); });
}
std::set<std::string> FindAt(const Snapshot& snapshot, std::string_view field, std::string_view term,
                             int64_t at) {
  return FindWhere(snapshot, field, term,
                   [at](const SegmentView& view, DocId doc) { return view.WasCurrent(doc, at); });
}

class TableIndexerTest : public testing::TestWithParam<int> {
 protected:
  Rows rows_{GetParam()};
};

TEST_P(TableIndexerTest, RowsAreFoundByTheirWordsAndByWhatLinksSay) {
  rows_.Put({.url = "https://oak.org/", .title = "Oaks", .text = "An oak is a tree."});
  rows_.Put({.url = "https://forest.org/a",
             .title = "Forest",
             .text = "Many a tree stands there.",
             .links = {{.url = "https://oak.org/", .text = "king of the woods"},
                       {.url = "https://forest.org/b", .text = "hidden", .nofollow = true}}});
  rows_.Put({.url = "https://forest.org/b", .title = "B", .text = "Nothing.", .noindex = true});
  const TableIndexSummary summary = rows_.Build();
  EXPECT_EQ(summary.rows, 3u);
  EXPECT_EQ(summary.segments.documents, 2u);
  const auto snapshot = rows_.Open();
  EXPECT_EQ(snapshot->documents(), 2u);
  EXPECT_EQ(snapshot->field("body").tokens, 10u);
  EXPECT_THAT(Find(*snapshot, "body", "tree"), ElementsAre("https://forest.org/a", "https://oak.org/"));
  EXPECT_THAT(Find(*snapshot, "title", "oaks"), ElementsAre("https://oak.org/"));
  EXPECT_THAT(Find(*snapshot, "anchor", "woods"), ElementsAre("https://oak.org/"));
  EXPECT_THAT(Find(*snapshot, "links", "https://oak.org/"), ElementsAre("https://forest.org/a"));
  EXPECT_THAT(Find(*snapshot, "site", "forest.org"), ElementsAre("https://forest.org/a"));
  EXPECT_THAT(Find(*snapshot, "body", "nothing"), IsEmpty());
}

TEST_P(TableIndexerTest, TheNewestVersionIsTheOneUnlessAllAreKept) {
  rows_.Put({.url = "https://a.org/", .title = "", .text = "first words"});
  rows_.Put({.url = "https://a.org/", .title = "", .text = "second words", .time = 9'000'000});
  rows_.Build();
  EXPECT_THAT(Find(*rows_.Open(), "body", "first"), IsEmpty());
  EXPECT_THAT(Find(*rows_.Open(), "body", "second"), ElementsAre("https://a.org/"));
  TableIndexOptions options;
  options.settings.versions = true;
  EXPECT_EQ(rows_.Build(options).segments.documents, 2u);
  const auto all = rows_.Open();
  EXPECT_THAT(Find(*all, "body", "first"), ElementsAre("https://a.org/"));
  const auto view = std::find_if(all->segments().begin(), all->segments().end(),
                                 [](const SegmentView& segment) { return segment.segment->documents() > 0; });
  ASSERT_NE(view, all->segments().end());
  EXPECT_TRUE(view->IsCurrent(0));  // the newest comes first
  EXPECT_FALSE(view->IsCurrent(1));
  EXPECT_TRUE(view->WasCurrent(1, 8));
  EXPECT_FALSE(view->WasCurrent(1, 9));
  EXPECT_TRUE(view->WasCurrent(0, 9));
  EXPECT_FALSE(view->WasCurrent(0, 8));
}

TEST_P(TableIndexerTest, IndexesHaveTheRanksOfTheirCollection) {
  MemoryRanks ranks;
  const PlainRank first = {{"https://a.org/", 1}, {"https://b.org/", 7}, {"https://c.org/", 3}};
  ranks.Set("pagerank", first);
  rows_.UseRanks(&ranks);
  rows_.Put({.url = "https://a.org/", .title = "", .text = "word"});
  rows_.Put({.url = "https://b.org/", .title = "", .text = "word"});
  rows_.Build();
  ExpectRank(*rows_.Open(), "pagerank", first);
  rows_.Put({.url = "https://c.org/", .title = "", .text = "word"});
  rows_.Put({.url = "https://new.org/", .title = "", .text = "word"});
  rows_.Refresh();
  EXPECT_EQ(rows_.Open()->live_documents(), 4u);
  ExpectRank(*rows_.Open(), "pagerank", first);
  // A rank is replaced and a new one added, without any change of rows; then in a new build.
  const PlainRank second = {{"https://a.org/", 5}, {"https://new.org/", 2}};
  ranks.Set("pagerank", second);
  ranks.Set("mine", first);
  rows_.Refresh();
  for (int i = 0; i < 2; i++) {
    ExpectRank(*rows_.Open(), "pagerank", second);
    ExpectRank(*rows_.Open(), "mine", first);
    rows_.Build();
  }
  // A rank that cannot be read stays as it was, and one that was removed disappears.
  ranks.Set("pagerank", first);
  ranks.Lose("pagerank");
  ranks.Remove("mine");
  rows_.Refresh();
  for (int i = 0; i < 2; i++) {
    const auto snapshot = rows_.Open();
    ExpectRank(*snapshot, "pagerank", second);
    for (const SegmentView& view : snapshot->segments()) EXPECT_EQ(view.rank("mine"), nullptr);
    rows_.Build();
  }
  rows_.UseRanks(nullptr);
  rows_.Build();
  ExpectRank(*rows_.Open(), "pagerank", second);
}

TEST_P(TableIndexerTest, DocumentsCanBeInTheOrderOfARank) {
  MemoryRanks ranks;
  PlainRank rank;
  for (int i = 0; i < 50; i++) {
    const std::string url = "https://h" + std::to_string(i) + ".org/";
    rows_.Put({.url = url, .title = "", .text = "word"});
    rank[url] = static_cast<float>(i * 7 % 50);
  }
  ranks.Set("mine", rank);
  rows_.UseRanks(&ranks);
  TableIndexOptions options;
  options.order = "mine";
  rows_.Build(options);
  const auto snapshot = rows_.Open();
  EXPECT_EQ(snapshot->documents(), 50u);
  ExpectRank(*snapshot, "mine", rank);
  for (const SegmentView& view : snapshot->segments()) {
    EXPECT_EQ(view.segment->info().order, "mine");
    for (DocId doc = 1; doc < view.segment->documents(); doc++)
      EXPECT_GT((*view.rank("mine"))[doc - 1], (*view.rank("mine"))[doc]);
  }
  options.order = "nope";
  options.ranks = &ranks;
  SilentProgress progress;
  const auto refused = BuildTableIndexes(rows_.tablets(), options, progress);
  EXPECT_EQ(refused.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(refused.status().message(), testing::HasSubstr("url, bisection, inlinks, depth, mine"));
}

TEST_P(TableIndexerTest, AnotherOrderFindsTheSame) {
  for (int i = 0; i < 100; i++) {
    const std::string number = std::to_string(i);
    rows_.Put({.url = "https://a.org/" + number,
               .title = "Page " + number,
               .text = i % 2 == 0 ? "even numbers are here" : "odd ones stand there",
               .links = {{.url = "https://a.org/" + std::to_string(i / 3), .text = "up"}},
               .time = 1'000'000});
    if (i % 10 == 0) {
      rows_.Put({.url = "https://a.org/" + number, .title = "New", .text = "even now", .time = 2'000'000});
    }
  }
  TableIndexOptions options;
  options.settings.versions = true;
  rows_.Build(options);
  const auto expected = Find(*rows_.Open(), "body", "even");
  ASSERT_EQ(expected.size(), 50u);
  for (const char* order : {"bisection", "inlinks", "depth"}) {
    SCOPED_TRACE(order);
    options.order = order;
    rows_.Build(options);
    const auto snapshot = rows_.Open();
    EXPECT_EQ(Find(*snapshot, "body", "even"), expected);
    // An ended version still says when it ended.
    for (const SegmentView& view : snapshot->segments()) {
      TextReader texts(view.segment->texts());
      uint64_t ended = 0;
      for (DocId doc = 0; doc < view.segment->documents(); doc++) {
        if (view.IsCurrent(doc)) continue;
        EXPECT_THAT(std::string(texts.Get(doc)->text), "even numbers are here");
        ended++;
      }
      EXPECT_EQ(ended, view.segment->documents() == 0 ? 0u : 10u);
    }
  }
}

TEST_P(TableIndexerTest, ABuildTakesThePlaceOfTheOneBefore) {
  rows_.Put({.url = "https://a.org/", .title = "A", .text = "alpha"});
  rows_.Build();
  const auto before = rows_.Open();
  rows_.Put({.url = "https://a.org/2", .title = "A", .text = "beta"});
  rows_.Build();
  const auto after = rows_.Open();
  EXPECT_THAT(Find(*before, "body", "beta"), IsEmpty());  // it can still be read, although its files are gone
  EXPECT_THAT(Find(*before, "body", "alpha"), ElementsAre("https://a.org/"));
  EXPECT_THAT(Find(*after, "body", "beta"), ElementsAre("https://a.org/2"));
  uint64_t sequence = 0, segments = 0;
  for (size_t i = 0; i < 1u << GetParam(); i++) {
    const IndexedTablet& tablet = rows_.tablet(i);
    sequence += Manifest::Read(tablet.index)->sequence;
    if (!std::filesystem::exists(SegmentsPath(tablet.index))) continue;
    for (const auto& folder : std::filesystem::directory_iterator(SegmentsPath(tablet.index))) {
      EXPECT_EQ(folder.path().filename(), "00000002");
      segments++;
    }
  }
  EXPECT_EQ(sequence, 2u);
  EXPECT_EQ(segments, 1u);
}

TEST_P(TableIndexerTest, ARefreshBringsWhatHasChanged) {
  rows_.Put({.url = "https://a.org/1", .title = "One", .text = "alpha"});
  rows_.Put({.url = "https://a.org/2", .title = "Two", .text = "alpha beta"});
  rows_.Put({.url = "https://b.org/3", .title = "Three", .text = "alpha gamma"});
  rows_.Build();
  rows_.Put({.url = "https://a.org/2", .title = "Two", .text = "delta", .time = 2'000'000});
  rows_.Put({.url = "https://b.org/3", .title = "", .text = "", .time = 2'000'000, .noindex = true});
  rows_.Put({.url = "https://c.org/4", .title = "Four", .text = "alpha delta"});
  const TableRefreshSummary summary = rows_.Refresh();
  EXPECT_EQ(summary.changed, 2u);
  EXPECT_EQ(summary.gone, 1u);
  EXPECT_THAT(FindCurrent(*rows_.Open(), "body", "alpha"), ElementsAre("https://a.org/1", "https://c.org/4"));
  EXPECT_THAT(FindCurrent(*rows_.Open(), "body", "delta"), ElementsAre("https://a.org/2", "https://c.org/4"));
  EXPECT_EQ(rows_.Refresh().changed, 0u);
}

TEST_P(TableIndexerTest, ARefreshKeepsVersionsIfTheIndexDoes) {
  rows_.Put({.url = "https://a.org/", .title = "", .text = "first words"});
  TableIndexOptions options;
  options.settings.versions = true;
  rows_.Build(options);
  rows_.Put({.url = "https://a.org/", .title = "", .text = "second words", .time = 9'000'000});
  rows_.Refresh();
  const auto snapshot = rows_.Open();
  EXPECT_THAT(FindCurrent(*snapshot, "body", "first"), IsEmpty());
  EXPECT_THAT(FindCurrent(*snapshot, "body", "second"), ElementsAre("https://a.org/"));
  EXPECT_THAT(FindAt(*snapshot, "body", "first", 5), ElementsAre("https://a.org/"));
  EXPECT_THAT(FindAt(*snapshot, "body", "first", 9), IsEmpty());
}

TEST_P(TableIndexerTest, NoRowsGiveAnEmptyIndex) {
  EXPECT_EQ(rows_.Build().segments.documents, 0u);
  EXPECT_EQ(rows_.Open()->documents(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Tablets, TableIndexerTest, testing::Values(0, 2));

// The division of a collection into tablets changes nothing in the input of scores.
TEST(TableIndexerTabletsTest, OneAndFourHaveTheSameStatistics) {
  std::vector<std::map<std::string, FieldStatistics, std::less<>>> fields;
  std::vector<uint64_t> inlinks;
  for (const int bits : {0, 2}) {
    Rows rows(bits);
    for (int i = 0; i < 60; i++) {
      const std::string next = "https://h" + std::to_string((i + 1) % 60) + ".org/";
      rows.Put({.url = "https://h" + std::to_string(i) + ".org/",
                .title = "Page " + std::to_string(i),
                .text = "some words of page " + std::to_string(i * i % 7),
                .links = {{.url = next, .text = "page " + std::to_string(i + 1)}}});
    }
    rows.Build();
    const auto snapshot = rows.Open();
    fields.push_back(snapshot->fields());
    EXPECT_EQ(snapshot->documents(), 60u);
    EXPECT_EQ(Find(*snapshot, "anchor", "page").size(), 60u);
  }
  EXPECT_EQ(fields[0], fields[1]);
}

}  // namespace
}  // namespace crivello::index
