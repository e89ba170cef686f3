// SPDX-License-Identifier: Apache-2.0
#include "index/build/segment_builder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/test_support.h"
#include "index/build/segment_build_test_support.h"
#include "index/segments/segment.h"

namespace crivello::index {
namespace {

TEST(SegmentBuilderTest, GivesTheListsOfAMapOfVectors) {
  for (const PostingFormat* format : AllPostingFormats()) {
    for (const auto contents :
         {PostingContents::kDocuments, PostingContents::kCounts, PostingContents::kPositions}) {
      SCOPED_TRACE(std::string(format->name()) + ", contents " + std::to_string(static_cast<int>(contents)));
      SeededRandom random(7);
      const auto documents = SomeIndexDocuments(random, 400);
      const auto segment = Build(documents, {.analyser = "plain", .format = format, .contents = contents});
      ASSERT_EQ(segment->documents(), documents.size());
      const ListMap map = ListsOf(documents, "plain");
      ASSERT_EQ(segment->fields().size(), map.size());
      for (const auto& [name, lists] : map) ExpectField(segment->field(name), contents, lists);
    }
  }
}

TEST(SegmentBuilderTest, GivesTheSameBytesForAnyThreadsAndMemory) {
  SeededRandom random(8);
  const auto documents = SomeIndexDocuments(random, 3000);
  const SegmentParts expected = BuildParts(documents, {.analyser = "plain"});
  TemporaryFolder folder;
  for (const unsigned threads : {1u, 2u, 3u, 7u}) {
    for (const uint64_t memory : {uint64_t{1}, uint64_t{3} << 20, uint64_t{64} << 20}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, memory " + std::to_string(memory));
      const SegmentParts parts = BuildParts(
          documents,
          {.analyser = "plain", .memory_bytes = memory, .scratch = folder / "scratch", .threads = threads});
      ASSERT_EQ(parts.size(), expected.size());
      for (const auto& [name, bytes] : expected) EXPECT_TRUE(parts.at(name) == bytes) << name;
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder / "scratch"));
}

TEST(SegmentBuilderTest, KeepsStemsAndWordsOfEachDocumentsLanguage) {
  std::vector<IndexDocument> documents(2);
  documents[0].language = "en";
  documents[0].texts = {{"body", "Running dogs"}};
  documents[1].language = "it";
  documents[1].texts = {{"body", "correndo veloci"}};
  const auto segment = Build(documents, {});
  const FieldView* body = segment->field("body");
  ASSERT_NE(body, nullptr);
  for (const char* term : {"running", "run", "dogs", "dog", "correndo", "corr"}) {
    EXPECT_TRUE(body->terms.Find(term).has_value()) << term;
  }
  EXPECT_EQ(body->tokens, 4u);
  auto cursor = *body->Open(*body->terms.Find("run"));
  EXPECT_EQ(cursor.doc(), 0u);
  EXPECT_EQ(cursor.positions()[0], 0u);
}

TEST(SegmentBuilderTest, CountsATermOncePerPosition) {
  std::vector<IndexDocument> documents(1);
  documents[0].language = "en";
  documents[0].texts = {{"body", "cat cat's CAT e-mail email"}};
  const auto segment = Build(documents, {});
  const FieldView* body = segment->field("body");
  for (TermCursor term = body->terms.Begin(); term.valid(); term.Next()) {
    auto cursor = *body->Open(term.entry());
    EXPECT_LE(cursor.count(), 5u);
    const auto positions = cursor.positions();
    ASSERT_EQ(positions.size(), cursor.count()) << term.term();
    EXPECT_TRUE(std::set<uint32_t>(positions.begin(), positions.end()).size() == cursor.count());
    EXPECT_TRUE(cursor.ok());
  }
}

TEST(SegmentBuilderTest, TextsOfOneFieldLieAPositionApartAndPlainOnesAreOne) {
  std::vector<IndexDocument> documents(1);
  documents[0].texts = {{"anchor", "one two"}, {"anchor", ""}, {"anchor", "three"}};
  for (const auto& [analyser, position] : {std::pair{"words fold", 3u}, std::pair{"plain", 2u}}) {
    const auto segment = Build(documents, {.analyser = analyser});
    const FieldView* anchor = segment->field("anchor");
    auto cursor = *anchor->Open(*anchor->terms.Find("three"));
    EXPECT_EQ(cursor.positions()[0], position) << analyser;
    EXPECT_EQ(anchor->lists.lengths[0], position + 1) << analyser;
  }
}

TEST(SegmentBuilderTest, BuildsEmptyCollectionsAndDocuments) {
  EXPECT_EQ(Build({}, {})->documents(), 0u);
  std::vector<IndexDocument> documents(3);
  const auto without = Build(documents, {});
  EXPECT_EQ(without->documents(), 3u);
  EXPECT_TRUE(without->fields().empty());
  documents[1].texts = {{"body", ""}};
  documents[2].keywords = {{"site", "x"}};
  const auto with = Build(documents, {});
  ASSERT_EQ(with->fields().size(), 2u);
  EXPECT_EQ(with->field("body")->terms.size(), 0u);
  EXPECT_EQ(with->field("site")->Open(*with->field("site")->terms.Find("x"))->doc(), 2u);
}

TEST(SegmentBuilderTest, TakesADocumentOfTenMillionTokens) {
  constexpr uint32_t kTokens = 10'000'000;
  std::string text;
  text.reserve(2 * kTokens);
  for (uint32_t i = 0; i < kTokens; i++) text.append(i == 7'654'321 ? "z " : i % 3 == 0 ? "a " : "b ");
  std::vector<IndexDocument> documents(3);
  documents[0].texts = {{"body", "a"}};
  documents[1].texts = {{"body", std::move(text)}};
  documents[2].texts = {{"body", "z"}};
  const auto segment = Build(documents, {.analyser = "plain", .threads = 2});
  const FieldView* body = segment->field("body");
  EXPECT_EQ(body->max_length, kTokens);
  auto a = *body->Open(*body->terms.Find("a"));
  a.SeekTo(1);
  ASSERT_EQ(a.count(), (kTokens + 2) / 3);
  const auto positions = a.positions();
  ASSERT_EQ(positions.size(), a.count());
  for (uint32_t i = 0; i < positions.size(); i++) ASSERT_EQ(positions[i], 3 * i);
  auto z = *body->Open(*body->terms.Find("z"));
  EXPECT_EQ(z.positions()[0], 7'654'321u);
}

TEST(SegmentBuilderTest, KeepsValuesAndTexts) {
  std::vector<IndexDocument> documents(2);
  documents[0] = {.url = "http://a/", .id = "7", .title = "A", .description = "d", .text = "the text"};
  documents[1].url = "http://b/";
  documents[1].numbers = {{"time", 99}};
  documents[1].labels = {{"site", "b"}};
  documents[1].scores = {{"rank", 0.5f}};
  for (const bool store_text : {true, false}) {
    const auto segment = Build(documents, {.store_text = store_text});
    TextReader reader(segment->texts());
    const auto first = reader.Get(0);
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(first->url, "http://a/");
    EXPECT_EQ(first->id, "7");
    EXPECT_EQ(first->title, store_text ? "A" : "");
    EXPECT_EQ(first->text, store_text ? "the text" : "");
    const NumberColumn* key = segment->values().numbers(column::kKey);
    ASSERT_NE(key, nullptr);
    EXPECT_EQ((*key)[1], UrlKey("http://b/"));
    EXPECT_EQ((*segment->values().numbers(column::kTime))[1], 99);
  }
}

TEST(SegmentBuilderTest, RefusesFieldsOfTwoKindsAndBadNames) {
  MemorySink sink;
  auto builder = std::move(SegmentBuilder::Create({}, sink)).value();
  EXPECT_FALSE(builder->Add({.texts = {{"Body", "x"}}}).ok());
  EXPECT_TRUE(builder->Add({.texts = {{"body", "x"}}}).ok());
  EXPECT_FALSE(builder->Add({.keywords = {{"body", "x"}}}).ok());
  const auto summary = builder->Finish();
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->documents, 1u);
  EXPECT_EQ(summary->postings, 1u);
}

}  // namespace
}  // namespace crivello::index
