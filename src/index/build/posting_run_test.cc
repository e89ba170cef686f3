// SPDX-License-Identifier: Apache-2.0
#include "index/build/posting_run.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/random.h"
#include "base/test_support.h"
#include "index/build/inverter.h"
#include "index/build/run_merger.h"
#include "index/build/run_store.h"

namespace crivello::index {
namespace {

// Inverted documents with terms that share positions, repeat and jump, and the expected postings by term.
struct Inverted {
  std::vector<uint32_t> lengths;
  std::map<std::string, std::map<DocId, std::set<uint32_t>>> lists;
  std::vector<uint8_t> run;
};

Inverted Invert(uint64_t seed, PostingContents contents, DocId documents) {
  SeededRandom random(seed);
  Inverter inverter(contents);
  Inverted inverted;
  for (DocId doc = 0; doc < documents; doc++) {
    uint32_t position = 0;
    std::vector<std::string> texts;
    std::vector<text::Term> terms;
    const uint64_t words = random.Below(30);
    texts.reserve(words);
    for (uint64_t i = 0; i < words; i++) {
      position += static_cast<uint32_t>(random.Below(4) == 0 ? random.Below(100'000) : random.Below(2));
      texts.push_back("t" + std::to_string(random.Below(1 + random.Below(60))));
      terms.push_back({.text = texts.back(), .position = position});
      inverted.lists[texts.back()][doc].insert(position);
    }
    inverter.Add(terms);
    inverted.lengths.push_back(position + 1);
    inverter.EndDocument(position + 1);
  }
  inverter.WriteRun(&inverted.run);
  return inverted;
}

Bytes BytesOf(const std::vector<uint8_t>& bytes) { return std::as_bytes(std::span(bytes)); }

TEST(PostingRunTest, HasWhatWasInverted) {
  for (const auto contents :
       {PostingContents::kDocuments, PostingContents::kCounts, PostingContents::kPositions}) {
    const Inverted inverted = Invert(1, contents, 300);
    RunReader reader(contents, {.memory = BytesOf(inverted.run)});
    std::vector<uint32_t> lengths;
    ASSERT_EQ(*reader.ReadLengths(&lengths), 300u);
    if (contents != PostingContents::kDocuments) {
      EXPECT_EQ(lengths, inverted.lengths);
    }
    std::vector<uint32_t> positions;
    for (const auto& [term, postings] : inverted.lists) {
      ASSERT_TRUE(*reader.Next());
      ASSERT_EQ(reader.term(), term);
      const PostingOptions options = {&PackedFormat(), contents, inverted.lengths};
      PostingEncoder decoded(options), expected(options);
      ASSERT_TRUE(DecodePostings(contents, reader.postings(), 0, 300, &positions, &decoded).ok());
      for (const auto& [doc, places] : postings) {
        const std::vector<uint32_t> sorted(places.begin(), places.end());
        expected.Add(doc, static_cast<uint32_t>(sorted.size()), sorted);
      }
      EncodedLists a, b;
      ASSERT_TRUE(decoded.FinishList(&a).ok());
      ASSERT_TRUE(expected.FinishList(&b).ok());
      EXPECT_EQ(a.documents, b.documents);
      EXPECT_EQ(a.positions, b.positions);
    }
    EXPECT_FALSE(*reader.Next());
  }
}

TEST(PostingRunTest, IsTheSameFromAFile) {
  const Inverted inverted = Invert(2, PostingContents::kPositions, 20'000);
  ASSERT_GT(inverted.run.size(), size_t{512} << 10);  // larger than the buffer
  TemporaryFolder folder;
  RunStore store({.scratch = folder.path(), .memory_bytes = 0});
  ASSERT_TRUE(store.Add(20'000, {inverted.run}).ok());
  const auto places = store.Open(0, PostingContents::kPositions);
  ASSERT_TRUE(places.ok());
  ASSERT_NE(places->front().file, nullptr);
  RunReader from_file(PostingContents::kPositions, places->front());
  RunReader from_memory(PostingContents::kPositions, {.memory = BytesOf(inverted.run)});
  std::vector<uint32_t> a, b;
  ASSERT_TRUE(from_file.ReadLengths(&a).ok());
  ASSERT_TRUE(from_memory.ReadLengths(&b).ok());
  EXPECT_EQ(a, b);
  while (*from_memory.Next()) {
    ASSERT_TRUE(*from_file.Next());
    ASSERT_EQ(from_file.term(), from_memory.term());
    ASSERT_EQ(AsText(from_file.postings()), AsText(from_memory.postings()));
  }
  EXPECT_FALSE(*from_file.Next());
}

// Reads to the end, or to the error.
Status ReadAll(PostingContents contents, const RunPlace& place) {
  CRV_ASSIGN(RunMerger merger, RunMerger::Open({.contents = contents}, std::span(&place, 1)));
  return merger.Merge([](const MergedLists&) { return Status::Ok(); });
}

TEST(PostingRunTest, NoticesEveryFlippedBitAndCut) {
  for (const auto contents :
       {PostingContents::kDocuments, PostingContents::kCounts, PostingContents::kPositions}) {
    const Inverted inverted = Invert(3, contents, 12);
    ASSERT_TRUE(ReadAll(contents, {.memory = BytesOf(inverted.run)}).ok());
    for (size_t i = 0; i < inverted.run.size(); i++) {
      EXPECT_FALSE(ReadAll(contents, {.memory = BytesOf(inverted.run).first(i)}).ok()) << i;
      for (int bit = 0; bit < 8; bit++) {
        std::vector<uint8_t> damaged = inverted.run;
        damaged[i] ^= static_cast<uint8_t>(1 << bit);
        EXPECT_FALSE(ReadAll(contents, {.memory = BytesOf(damaged)}).ok()) << i;
      }
    }
  }
}

TEST(PostingRunTest, OfAFieldThatCameLateBeginsWithEmptyDocuments) {
  const Inverted inverted = Invert(4, PostingContents::kPositions, 5);
  RunStore store({});
  ASSERT_TRUE(store.Add(3, {}).ok());
  ASSERT_TRUE(store.Add(5, {inverted.run}).ok());
  const auto merger = RunMerger::Open({}, *store.Open(0, PostingContents::kPositions));
  ASSERT_TRUE(merger.ok());
  EXPECT_EQ(merger->documents(), 8u);
  EXPECT_EQ(merger->lengths()[2], 0u);
  EXPECT_EQ(merger->lengths()[3], inverted.lengths[0]);
}

}  // namespace
}  // namespace crivello::index
