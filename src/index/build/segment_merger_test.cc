// SPDX-License-Identifier: Apache-2.0
#include "index/build/segment_merger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "index/build/document_order.h"
#include "index/build/segment_build_test_support.h"

namespace crivello::index {
namespace {

SegmentParts MergeParts(const SegmentMergerOptions& options, std::span<const MergeSource> sources) {
  MemorySink sink;
  const auto info = MergeSegments(options, sources, sink);
  EXPECT_TRUE(info.ok()) << info.status().ToString();
  return std::move(sink).Release();
}

// Documents divided into segments of some sizes, one of them empty.
struct Cut {
  std::vector<std::shared_ptr<const Segment>> segments;
  std::vector<const Segment*> pointers;
};
Cut CutInto(const std::vector<IndexDocument>& documents, const std::vector<size_t>& sizes,
            const SegmentBuilderOptions& options) {
  Cut cut;
  size_t at = 0;
  for (const size_t size : sizes) {
    const auto from = documents.begin() + static_cast<std::ptrdiff_t>(at);
    cut.segments.push_back(Build({from, from + static_cast<std::ptrdiff_t>(size)}, options));
    cut.pointers.push_back(cut.segments.back().get());
    at += size;
  }
  return cut;
}

void ExpectSame(const SegmentParts& parts, const SegmentParts& expected) {
  ASSERT_EQ(parts.size(), expected.size());
  for (const auto& [name, bytes] : expected) EXPECT_TRUE(parts.at(name) == bytes) << name;
}

// With few distinct values, scores stay exact.
std::vector<IndexDocument> Documents(uint64_t seed, size_t count) {
  SeededRandom random(seed);
  std::vector<IndexDocument> documents = SomeIndexDocuments(random, count);
  for (IndexDocument& document : documents) {
    for (auto& score : document.scores) score.value = static_cast<float>(random.Below(100));
  }
  return documents;
}

TEST(SegmentMergerTest, OfSegmentsMakesTheOneBuiltOfAllDocuments) {
  const auto documents = Documents(1, 700);
  for (const PostingFormat* format : AllPostingFormats()) {
    for (const auto contents :
         {PostingContents::kDocuments, PostingContents::kCounts, PostingContents::kPositions}) {
      SCOPED_TRACE(std::string(format->name()) + ", contents " + std::to_string(static_cast<int>(contents)));
      const SegmentBuilderOptions options = {.analyser = "plain", .format = format, .contents = contents};
      const Cut cut = CutInto(documents, {100, 0, 1, 399, 200}, options);
      const SegmentParts expected = BuildParts(documents, options);
      for (const unsigned threads : {1u, 3u}) {
        ExpectSame(MergeParts({.threads = threads}, ConcatenateSegments(cut.pointers)), expected);
      }
    }
  }
}

TEST(SegmentMergerTest, DropsAndReordersAsIfBuiltSo) {
  const auto documents = Documents(2, 700);
  const SegmentBuilderOptions options = {.analyser = "plain"};
  const Cut cut = CutInto(documents, {300, 400}, options);
  for (const uint64_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    std::vector<DocId> numbers;
    auto sources = ConcatenateSegments(cut.pointers, [&](size_t, DocId) { return random.Below(3) > 0; });
    std::vector<IndexDocument> kept;
    for (size_t i = 0, at = 0; i < sources.size(); i++) {
      for (const DocId doc : sources[i].map) {
        if (doc != kEndDoc) kept.push_back(documents[at]);
        at++;
      }
    }
    for (DocId i = 0; i < kept.size(); i++) numbers.push_back(i);
    for (size_t i = numbers.size(); seed > 1 && i > 1; i--)
      std::swap(numbers[i - 1], numbers[random.Below(i)]);
    std::vector<IndexDocument> ordered(kept.size());
    for (size_t i = 0; i < kept.size(); i++) ordered[numbers[i]] = kept[i];
    for (MergeSource& source : sources) {
      for (DocId& doc : source.map) {
        if (doc != kEndDoc) doc = numbers[doc];
      }
    }
    ExpectSame(MergeParts({.threads = 2}, sources), BuildParts(ordered, options));
  }
}

TEST(SegmentMergerTest, ChangesTheFormat) {
  const auto documents = Documents(3, 300);
  const auto segment = Build(documents, {.analyser = "plain"});
  const Segment* pointer = segment.get();
  ExpectSame(MergeParts({.format = &InterpolativeFormat()}, ConcatenateSegments({&pointer, 1})),
             BuildParts(documents, {.analyser = "plain", .format = &InterpolativeFormat()}));
}

TEST(SegmentMergerTest, DropsAll) {
  const auto segment = Build(Documents(4, 50), {.analyser = "plain"});
  const Segment* pointer = segment.get();
  auto merged = Segment::FromParts(
      MergeParts({}, ConcatenateSegments({&pointer, 1}, [](size_t, DocId) { return false; })));
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ((*merged)->documents(), 0u);
  EXPECT_EQ((*merged)->field("body")->terms.size(), 0u);
}

TEST(SegmentMergerTest, RefusesWhatDoesNotFit) {
  const auto plain = Build(Documents(5, 20), {.analyser = "plain"});
  const auto other = Build(Documents(5, 20), {});
  const std::vector<const Segment*> both = {plain.get(), other.get()};
  MemorySink sink;
  EXPECT_FALSE(MergeSegments({}, ConcatenateSegments(both), sink).ok());
  auto twice = ConcatenateSegments(std::span(both).first(1));
  twice[0].map[3] = 4;
  EXPECT_FALSE(MergeSegments({}, twice, sink).ok());
  twice[0].map.pop_back();
  EXPECT_FALSE(MergeSegments({}, twice, sink).ok());
  EXPECT_FALSE(MergeSegments({}, {}, sink).ok());
}

TEST(DocumentOrderTest, PutsUrlsOfASiteTogether) {
  std::vector<IndexDocument> documents(4);
  const char* urls[] = {"http://b.example/2", "http://a.other/", "http://b.example/1", "http://a.example/9"};
  for (size_t i = 0; i < 4; i++) documents[i].url = urls[i];
  const auto segment = Build(documents, {});
  const Segment* pointer = segment.get();
  auto sources = ConcatenateSegments({&pointer, 1});
  ASSERT_TRUE(OrderByUrl(sources).ok());
  EXPECT_EQ(sources[0].map, (std::vector<DocId>{2, 3, 1, 0}));
}

TEST(DocumentOrderTest, PutsTheBestFirstAndKeepsDroppedOnesOut) {
  std::vector<IndexDocument> documents(5);
  const float scores[] = {1, 5, 3, 5, 9};
  for (size_t i = 0; i < 5; i++) documents[i].scores = {{"rank", scores[i]}};
  const auto segment = Build(documents, {});
  const Segment* pointer = segment.get();
  auto sources = ConcatenateSegments({&pointer, 1}, [](size_t, DocId doc) { return doc != 2; });
  ASSERT_TRUE(OrderByScore("rank", sources).ok());
  EXPECT_EQ(sources[0].map, (std::vector<DocId>{3, 1, kEndDoc, 2, 0}));
  EXPECT_FALSE(OrderByScore("none", sources).ok());
}

// Brings alternating topics together, the same for any number of threads; lists get smaller.
TEST(DocumentOrderTest, BisectionBringsTogetherWhatIsAlike) {
  SeededRandom random(6);
  std::vector<IndexDocument> documents(2000);
  for (size_t i = 0; i < documents.size(); i++) {
    std::string text;
    for (int w = 0; w < 30; w++)
      text += "t" + std::to_string(i % 10) + "w" + std::to_string(random.Below(40)) + " ";
    documents[i].texts = {{"body", text}};
  }
  const SegmentBuilderOptions options = {.analyser = "plain", .format = &InterpolativeFormat()};
  const Cut cut = CutInto(documents, {900, 1100}, options);
  const auto before = ConcatenateSegments(cut.pointers);
  auto sources = before;
  ASSERT_TRUE(OrderByBisection({}, sources).ok());
  for (const unsigned threads : {2u, 5u}) {
    auto again = before;
    ASSERT_TRUE(OrderByBisection({.threads = threads}, again).ok());
    for (size_t i = 0; i < sources.size(); i++) EXPECT_EQ(again[i].map, sources[i].map);
  }
  const size_t was = MergeParts({}, before).at("body.documents").size();
  const size_t is = MergeParts({.order = "bisection"}, sources).at("body.documents").size();
  EXPECT_LT(is, was * 3 / 4);
}

}  // namespace
}  // namespace crivello::index
