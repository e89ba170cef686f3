// SPDX-License-Identifier: Apache-2.0
// Every format against plain vectors.
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "base/hash.h"
#include "index/postings/classic_format.h"
#include "index/postings/posting_test_support.h"

namespace crivello::index {
namespace {

constexpr PostingContents kAllContents[] = {PostingContents::kDocuments, PostingContents::kCounts,
                                            PostingContents::kPositions};

class PostingsTest : public testing::TestWithParam<const PostingFormat*> {
 protected:
  const PostingFormat& format() const { return *GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Formats, PostingsTest, testing::ValuesIn(AllPostingFormats()),
                         [](const auto& suite) {
                           std::string name(suite.param->name());
                           std::erase(name, '-');
                           return name;
                         });

void ExpectSamePosting(PostingCursor& cursor, const PlainPosting& expected, PostingContents contents) {
  ASSERT_EQ(cursor.doc(), expected.doc);
  if (contents == PostingContents::kDocuments) return;
  ASSERT_EQ(cursor.count(), expected.count());
  if (contents != PostingContents::kPositions) return;
  const auto positions = cursor.positions();
  ASSERT_EQ(std::vector(positions.begin(), positions.end()), expected.positions);
}

void ExpectSameInOrder(const PostingLists& lists, uint64_t start, const PlainList& list) {
  auto cursor = lists.Open(start);
  ASSERT_TRUE(cursor.ok()) << cursor.status().ToString();
  ASSERT_EQ(cursor->frequency(), list.size());
  uint64_t occurrences = 0;
  for (const PlainPosting& posting : list) {
    ASSERT_NO_FATAL_FAILURE(ExpectSamePosting(*cursor, posting, lists.contents));
    occurrences += posting.count();
    cursor->Next();
  }
  ASSERT_EQ(cursor->doc(), kEndDoc);
  ASSERT_TRUE(cursor->ok());
  if (lists.contents != PostingContents::kDocuments) {
    ASSERT_EQ(cursor->occurrences(), occurrences);
  }
}

// Random steps and jumps; reads counts, positions and maxima of some postings.
void ExpectSameAtRandom(const PostingLists& lists, uint64_t start, const PlainList& list, uint64_t seed) {
  SeededRandom random(seed);
  auto cursor = lists.Open(start);
  ASSERT_TRUE(cursor.ok());
  const auto doc_less = [](const PlainPosting& posting, DocId d) { return posting.doc < d; };
  size_t at = 0;
  const uint64_t mean_gap = list.empty() ? 1 : list.back().doc / list.size() + 1;
  while (at < list.size()) {
    ASSERT_EQ(cursor->doc(), list[at].doc);
    if (random.Below(3) == 0) {
      ASSERT_NO_FATAL_FAILURE(ExpectSamePosting(*cursor, list[at], lists.contents));
    }
    if (random.Below(3) == 0) {
      cursor->Next();
      at++;
      continue;
    }
    const uint64_t gap = random.Below((mean_gap << random.Below(13)) + 2);
    const auto d = static_cast<DocId>(std::min<uint64_t>(cursor->doc() + gap, kEndDoc - 1));
    const auto found = std::lower_bound(list.begin() + static_cast<ptrdiff_t>(at), list.end(), d, doc_less);
    if (lists.contents != PostingContents::kDocuments && random.Below(2) == 0) {
      cursor->SeekBlock(d);
      if (found != list.end()) {
        const Impact impact = {found->count(), lists.lengths[found->doc]};
        ASSERT_GE(cursor->block_last(), found->doc);
        const ImpactBlock most = cursor->block_max();
        ASSERT_TRUE(std::ranges::any_of(most, [&](const Impact& bound) {
          return bound.count >= impact.count && bound.length <= impact.length;
        }));
      } else {
        ASSERT_EQ(cursor->block_last(), kEndDoc);
      }
    }
    cursor->SeekTo(d);
    at = static_cast<size_t>(found - list.begin());
  }
  ASSERT_EQ(cursor->doc(), kEndDoc);
  cursor->SeekTo(kEndDoc);
  ASSERT_EQ(cursor->doc(), kEndDoc);
  ASSERT_TRUE(cursor->ok());
}

std::vector<uint32_t> RandomLengths(Random& random, size_t documents) {
  std::vector<uint32_t> lengths(documents);
  for (uint32_t& length : lengths) length = 1 + static_cast<uint32_t>(random.Below(1 + random.Below(400)));
  return lengths;
}

PlainPosting RandomPosting(Random& random, DocId doc, const std::vector<uint32_t>& lengths) {
  const uint32_t most = random.Below(30) == 0 ? lengths[doc] : std::min(lengths[doc], 6u);
  return {doc, SomePositions(random, 1 + static_cast<uint32_t>(random.Below(most)), lengths[doc])};
}

// Documents with probability p, or in clusters.
PlainList RandomList(Random& random, double p, bool clustered, const std::vector<uint32_t>& lengths) {
  PlainList list;
  bool inside = false;
  for (DocId doc = 0; doc < lengths.size(); doc++) {
    if (clustered && random.Below(60) == 0) inside = !inside;
    const double here = !clustered ? p : inside ? std::min(1.0, 8 * p) : p / 8;
    if (random.Unit() < here) list.push_back(RandomPosting(random, doc, lengths));
  }
  return list;
}

TEST_P(PostingsTest, GivesRandomListsBack) {
  for (const PostingContents contents : kAllContents) {
    for (uint64_t seed = 0; seed < 6; seed++) {
      SCOPED_TRACE(seed);
      SeededRandom random(seed);
      const std::vector<uint32_t> lengths = RandomLengths(random, 2000 + random.Below(2000));
      PlainIndex index(format(), contents, lengths);
      std::vector<std::pair<uint64_t, PlainList>> lists;
      for (const double p : {1.0, 0.7, 0.3, 0.06, 0.01, 0.001}) {
        for (const bool clustered : {false, true}) {
          PlainList list = RandomList(random, p, clustered, lengths);
          const uint64_t start = index.Add(list);
          lists.emplace_back(start, std::move(list));
        }
      }
      const PostingLists& written = index.Finish();
      for (const auto& entry : lists) {
        ASSERT_NO_FATAL_FAILURE(ExpectSameInOrder(written, entry.first, entry.second));
        for (uint64_t walk = 0; walk < 8; walk++) {
          ASSERT_NO_FATAL_FAILURE(ExpectSameAtRandom(written, entry.first, entry.second, 100 * seed + walk));
        }
      }
    }
  }
}

TEST_P(PostingsTest, GivesAListBlockByBlock) {
  SeededRandom random(4);
  const std::vector<uint32_t> lengths = RandomLengths(random, 3000);
  const PlainList list = RandomList(random, 0.3, true, lengths);
  PlainIndex index(format(), PostingContents::kDocuments, lengths);
  const uint64_t start = index.Add(list);
  auto cursor = index.Finish().Open(start);
  ASSERT_TRUE(cursor.ok());
  cursor->Next();
  size_t at = 1;
  for (; cursor->doc() != kEndDoc; cursor->NextBlock()) {
    for (const DocId doc : cursor->block_rest()) ASSERT_EQ(doc, list[at++].doc);
  }
  EXPECT_EQ(at, list.size());
  EXPECT_TRUE(cursor->block_rest().empty());
}

TEST_P(PostingsTest, GivesListsOfEveryShortLengthBack) {
  SeededRandom random(3);
  const std::vector<uint32_t> lengths = RandomLengths(random, 900);
  PlainIndex index(format(), PostingContents::kPositions, lengths);
  std::vector<std::pair<uint64_t, PlainList>> lists;
  for (uint32_t size = 0; size < 400; size += size < 260 ? 1 : 7) {
    PlainList list;
    for (const uint32_t doc : SomePositions(random, size, 900)) {
      list.push_back(RandomPosting(random, doc, lengths));
    }
    lists.emplace_back(index.Add(list), list);
  }
  const PostingLists& written = index.Finish();
  for (const auto& entry : lists) {
    ASSERT_NO_FATAL_FAILURE(ExpectSameInOrder(written, entry.first, entry.second)) << entry.second.size();
    ASSERT_NO_FATAL_FAILURE(ExpectSameAtRandom(written, entry.first, entry.second, entry.second.size()));
  }
}

// Only documents, which needs no array of lengths: up to the largest number, gaps of all sizes.
TEST_P(PostingsTest, TakesDocumentsUpToTheLargest) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    PlainList list;
    const uint64_t size = 1 + random.Below(700);
    uint64_t doc = random.Below(2) == 0 ? 0 : random.Next() >> (32 + random.Below(32));
    for (uint64_t i = 0; i < size && doc < kEndDoc; i++) {
      list.push_back({static_cast<DocId>(doc), {}});
      doc += 1 + (random.Below(2) == 0 ? 0 : random.Next() >> (40 + random.Below(24)));
    }
    if (list.back().doc != kEndDoc - 1) list.push_back({kEndDoc - 1, {}});
    PlainIndex index(format(), PostingContents::kDocuments, {});
    const uint64_t start = index.Add(list);
    const PostingLists& written = index.Finish();
    ASSERT_NO_FATAL_FAILURE(ExpectSameInOrder(written, start, list));
    ASSERT_NO_FATAL_FAILURE(ExpectSameAtRandom(written, start, list, seed));
  }
}

TEST_P(PostingsTest, CostsAHapaxFewBytes) {
  const std::vector<uint32_t> lengths(200000, 500);
  PlainIndex index(format(), PostingContents::kPositions, lengths);
  const uint64_t first = index.Add({{150000, {77}}});
  const uint64_t second = index.Add({});
  const uint64_t end = index.Add({});
  EXPECT_LE(second - first, 6u) << "the head in 3 bytes or 4, the position in 2";
  EXPECT_EQ(end - second, 1u);
  const PostingLists& lists = index.Finish();
  auto cursor = lists.Open(first);
  ASSERT_TRUE(cursor.ok());
  EXPECT_NO_FATAL_FAILURE(ExpectSamePosting(*cursor, {150000, {77}}, PostingContents::kPositions));
  EXPECT_EQ(cursor->list_max()[0], (Impact{1, 496})) << "500, rounded down";
  cursor = lists.Open(second);
  ASSERT_TRUE(cursor.ok());
  EXPECT_EQ(cursor->doc(), kEndDoc);
  EXPECT_EQ(cursor->frequency(), 0u);
  EXPECT_EQ(cursor->block_last(), kEndDoc);
}

TEST_P(PostingsTest, TakesADocumentWithMillionsOfOccurrences) {
  constexpr uint32_t kMany = 3000000;
  const std::vector<uint32_t> lengths = {10, 2 * kMany, kMany, 10};
  std::vector<uint32_t> every(kMany);
  std::iota(every.begin(), every.end(), 0u);
  std::vector<uint32_t> second(kMany);
  for (uint32_t i = 0; i < kMany; i++) second[i] = 2 * i + (i % 3 == 0 ? 1 : 0);
  const PlainList list = {{0, {9}}, {1, second}, {2, every}, {3, {0, 3}}};
  PlainIndex index(format(), PostingContents::kPositions, lengths);
  const uint64_t start = index.Add(list);
  const uint64_t hapax = index.Add({{3, {5}}});
  const PostingLists& lists = index.Finish();
  ASSERT_NO_FATAL_FAILURE(ExpectSameInOrder(lists, start, list));
  ASSERT_NO_FATAL_FAILURE(ExpectSameInOrder(lists, hapax, {{3, {5}}}));
  EXPECT_LT(hapax, 100u) << "long positions do not lie among the documents";
}

TEST_P(PostingsTest, RefusesPostingsThatAreNotAsTheyMustBe) {
  const std::vector<uint32_t> lengths = {10, 10};
  PlainIndex index(format(), PostingContents::kPositions, lengths);
  const std::vector<PlainList> bad = {{{1, {0}}, {1, {0}}}, {{1, {0}}, {0, {0}}}, {{0, {}}},
                                      {{0, {3, 3}}},        {{0, {10}}},          {{2, {0}}},
                                      {{kEndDoc, {0}}}};
  for (const PlainList& list : bad) EXPECT_EQ(index.Add(list), ~uint64_t{0});
  const PlainList good = {{0, {0, 9}}, {1, {1}}};
  EXPECT_EQ(index.Add(good), 0u) << "nothing was written before";
  EXPECT_NO_FATAL_FAILURE(ExpectSameInOrder(index.Finish(), 0, good));
}

TEST_P(PostingsTest, BoundsAListByTheMaximaOfAllItsBlocks) {
  SeededRandom random(11);
  const std::vector<uint32_t> lengths = RandomLengths(random, 3000);
  const PlainList list = RandomList(random, 0.5, true, lengths);
  PlainIndex index(format(), PostingContents::kCounts, lengths);
  const uint64_t start = index.Add(list);
  auto cursor = index.Finish().Open(start);
  ASSERT_TRUE(cursor.ok());
  const ImpactBlock most = cursor->list_max();
  for (const PlainPosting& posting : list) {
    ASSERT_TRUE(std::ranges::any_of(most, [&](const Impact& bound) {
      return bound.count >= posting.count() && bound.length <= lengths[posting.doc];
    }));
  }
  // Moves from block to block, by the last document of each.
  size_t blocks = 0;
  DocId d = 0;
  for (; cursor->SeekBlock(d), cursor->block_last() != kEndDoc; d = cursor->block_last() + 1) blocks++;
  EXPECT_GE(blocks, (list.size() + 127) / 128);
  EXPECT_EQ(d, list.back().doc + 1);
  EXPECT_EQ(cursor->doc(), list[0].doc) << "the cursor itself has not moved";
}

// Files are forever: a format whose bytes change needs another name.
TEST(PostingFormatTest, KeepsItsBytes) {
  const std::vector<std::pair<std::string_view, uint64_t>> expected = {
      {"packed", 11343998955550341429u},    {"quasi-succinct", 1510743878061991540u},
      {"partitioned", 546124234773155469u}, {"interpolative", 8906438150991075650u},
      {"classic", 2401779690678099233u},    {"classic-delta-32", 14763088688044981849u}};
  SeededRandom random(8);
  const std::vector<uint32_t> lengths = RandomLengths(random, 2000);
  std::vector<PlainList> lists = {{}};
  for (const double p : {0.9, 0.4, 0.05, 0.001}) lists.push_back(RandomList(random, p, true, lengths));
  for (const auto& [name, hash] : expected) {
    PlainIndex index(**FindPostingFormat(name), PostingContents::kPositions, lengths);
    for (const PlainList& list : lists) index.Add(list);
    const PostingLists& written = index.Finish();
    uint64_t found = 0;
    for (const Bytes stream : {written.documents, written.counts, written.positions}) {
      found = Mix64(found ^ Hash64(AsText(stream)));
    }
    EXPECT_EQ(found, hash) << name;
  }
}

TEST(PostingFormatTest, IsFoundByName) {
  for (const PostingFormat* format : AllPostingFormats()) {
    const auto found = FindPostingFormat(format->name());
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(*found, format);
    EXPECT_FALSE(format->summary().empty());
  }
  for (uint32_t quantum = 1; quantum <= kBlockPostings; ++quantum) {
    const std::string name = "classic-delta-" + std::to_string(quantum);
    ASSERT_EQ(*FindPostingFormat(name), &ClassicDeltaFormat(quantum));
    EXPECT_EQ(ClassicDeltaFormat(quantum).name(), name);
  }
  for (const char* unknown :
       {"cuneiform", "classic-delta", "classic-delta-", "classic-delta-0", "classic-delta-129",
        "classic-delta-08", "classic-delta--8", "classic-delta-8x"}) {
    EXPECT_EQ(FindPostingFormat(unknown).status().code(), StatusCode::kNotFound) << unknown;
  }
}

// The quantum of the lecture notes: postings and skips are the same with each, only the size differs.
TEST(PostingFormatTest, AQuantumCutsTheSkipTableAndChangesNoPosting) {
  SeededRandom random(9);
  const std::vector<uint32_t> lengths = RandomLengths(random, 3000);
  const PlainList list = RandomList(random, 0.4, true, lengths);
  ASSERT_GT(list.size(), 1000u);
  std::vector<size_t> sizes;
  for (const uint32_t quantum : {1u, 8u, 33u, 127u, 128u}) {
    SCOPED_TRACE(quantum);
    PlainIndex index(ClassicDeltaFormat(quantum), PostingContents::kPositions, lengths);
    const uint64_t start = index.Add(list);
    const PostingLists& lists = index.Finish();
    sizes.push_back(lists.documents.size() + lists.counts.size() + lists.positions.size());
    auto blocks = lists.Open(start);
    ASSERT_TRUE(blocks.ok());
    uint64_t count = 0;
    for (DocId d = 0; blocks->SeekBlock(d), blocks->block_last() != kEndDoc; d = blocks->block_last() + 1)
      count++;
    EXPECT_EQ(count, (list.size() + quantum - 1) / quantum);
    for (const size_t step : {1u, 3u, 50u, 500u}) {
      auto cursor = lists.Open(start);
      ASSERT_TRUE(cursor.ok());
      for (size_t i = 0; i < list.size(); i += step) {
        cursor->SeekTo(list[i].doc);
        ExpectSamePosting(*cursor, list[i], PostingContents::kPositions);
      }
    }
  }
  for (size_t i = 1; i < 4; ++i) EXPECT_GT(sizes[i - 1], sizes[i]) << "each skip costs its row";
}

}  // namespace
}  // namespace crivello::index
