// SPDX-License-Identifier: Apache-2.0
#include "search/topk/topk.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "search/search_test_support.h"

namespace crivello::search {
namespace {

constexpr std::array<Algorithm, 6> kAlgorithms = {Algorithm::kAuto,         Algorithm::kExhaustive,
                                                  Algorithm::kWindows,      Algorithm::kMaxScore,
                                                  Algorithm::kBlockMaxWand, Algorithm::kBlockMaxAnd};

class TestBonus final : public DocumentBonus {
 public:
  Quanta Of(DocId doc) const override { return static_cast<Quanta>(Mix64(doc) % 100000); }
  Quanta max() const override { return 100000; }
};

// What a block of documents has is not above a bound of its own, and what follows not above another.
class BlockBonus final : public DocumentBonus {
 public:
  static constexpr DocId kBlock = 100;
  explicit BlockBonus(DocId documents) {
    for (DocId doc = 0; doc < documents; doc++) {
      const Quanta fall = static_cast<Quanta>((documents - doc) / 2) * 50;
      bonus_.push_back(static_cast<Quanta>(Mix64(doc) % 4000) + fall);
    }
  }
  Quanta Of(DocId doc) const override { return bonus_[doc]; }
  Quanta max() const override { return MaxIn(0, static_cast<DocId>(bonus_.size())); }
  Rest From(DocId doc) const override {
    return {MaxIn(doc, static_cast<DocId>(bonus_.size())), doc / kBlock * kBlock + kBlock - 1};
  }
  Quanta MaxIn(DocId begin, DocId end) const override {
    return *std::max_element(bonus_.begin() + begin, bonus_.begin() + std::min<ptrdiff_t>(end, size()));
  }

 private:
  ptrdiff_t size() const { return static_cast<ptrdiff_t>(bonus_.size()); }
  std::vector<Quanta> bonus_;
};

std::string Show(const std::vector<Hit>& hits) {
  std::string out;
  for (const Hit& hit : hits) {
    out +=
        std::to_string(hit.segment) + "/" + std::to_string(hit.doc) + ":" + std::to_string(hit.score) + " ";
  }
  return out;
}

// Segments of random lists, some documents deleted; each query in every way gives what the obvious way does.
void TestRandomQueries(const index::PostingFormat& format, DocId documents, uint64_t seed, int queries) {
  SCOPED_TRACE(std::string(format.name()) + ", seed " + std::to_string(seed));
  SeededRandom random(seed);
  std::vector<TestLists> segments;
  std::vector<std::vector<uint64_t>> deleted;
  for (uint64_t i = 1 + random.Below(3); i-- > 0;) {
    const auto size = static_cast<DocId>(1 + random.Below(documents));
    segments.push_back(RandomLists(format, size, 12, random));
    deleted.emplace_back(random.Below(2) == 0 ? 0 : (size + 63) / 64);
    for (uint64_t& word : deleted.back()) word = random.Next() & random.Next();
  }
  const TestBonus bonus;
  for (int q = 0; q < queries; q++) {
    const TestQuery query = RandomQuery(12, 2, random);
    const size_t k = 1 + random.Below(20);
    const bool with_bonus = random.Below(4) == 0;
    TopHits expected(k);
    uint64_t count = 0;
    for (uint32_t s = 0; s < segments.size(); s++) {
      for (DocId doc = 0; doc < segments[s].documents(); doc++) {
        if (!deleted[s].empty() && (deleted[s][doc / 64] >> (doc % 64) & 1) != 0) continue;
        const auto score = ObviousScore(segments[s], query, doc);
        if (!score) continue;
        count++;
        const Quanta sum = *score + (with_bonus ? bonus.Of(doc) : 0);
        if (sum > expected.threshold()) expected.Add({sum, s, doc});
      }
    }
    for (const Algorithm algorithm : kAlgorithms) {
      TopHits hits(k);
      Stopper stopper;
      uint64_t counted = 0;
      for (uint32_t s = 0; s < segments.size(); s++) {
        const SegmentSearch search = {.segment = s,
                                      .documents = segments[s].documents(),
                                      .deleted = deleted[s],
                                      .bonus = with_bonus ? &bonus : nullptr,
                                      .algorithm = algorithm};
        FindTop(MakeSegmentQuery(segments[s], query), search, stopper, &hits);
        counted += CountDocuments(MakeSegmentQuery(segments[s], query), search, stopper);
      }
      ASSERT_EQ(Show(hits.Sorted()), Show(expected.Sorted())) << AlgorithmName(algorithm) << ", query " << q;
      ASSERT_EQ(counted, count);
    }
  }
}

TEST(TopKTest, EveryWayFindsTheSameInEveryFormat) {
  for (const index::PostingFormat* format : index::AllPostingFormats()) {
    for (uint64_t seed = 0; seed < 50; seed++) TestRandomQueries(*format, 700, seed, 40);
  }
}

TEST(TopKTest, EveryWayFindsTheSameWhereListsHaveManyBlocks) {
  for (uint64_t seed = 100; seed < 103; seed++) TestRandomQueries(index::PackedFormat(), 20000, seed, 20);
}

// AND of lists of any lengths, over several windows of bits.
TEST(TopKTest, CountsWhatAllListsHave) {
  constexpr DocId kDocuments = 110000;
  SeededRandom random(7);
  const TestLists lists = RandomLists(index::PackedFormat(), kDocuments, 12, random);
  std::vector<uint64_t> deleted((kDocuments + 63) / 64);
  for (uint64_t& word : deleted) word = random.Next() & random.Next();
  for (int i = 0; i < 20; i++) {
    TestQuery query;
    query.kind = TestQuery::Kind::kBoolean;
    for (uint64_t words = 2 + random.Below(3); words > 0; words--) {
      TestQuery term;
      term.lists = {random.Below(12)};
      term.formula.weight = 1;
      query.required.push_back(term);
    }
    uint64_t expected = 0;
    for (DocId doc = 0; doc < kDocuments; doc++) {
      const bool alive = (deleted[doc / 64] >> (doc % 64) & 1) == 0;
      expected += alive && ObviousScore(lists, query, doc) ? 1 : 0;
    }
    Stopper stopper;
    EXPECT_EQ(CountDocuments(MakeSegmentQuery(lists, query), {.documents = kDocuments, .deleted = deleted},
                             stopper),
              expected)
        << "query " << i;
  }
}

// Documents in the order of their bonus, as in an index ordered by a static score.
class FallingBonus final : public DocumentBonus {
 public:
  explicit FallingBonus(DocId documents) : documents_(documents) {}
  Quanta Of(DocId doc) const override {
    asked_++;
    return static_cast<Quanta>((documents_ - doc) / 7) << 16;
  }
  Quanta max() const override { return static_cast<Quanta>(documents_ / 7 + 1) << 16; }
  Rest From(DocId doc) const override {
    furthest_ = std::max(furthest_, doc);
    return {static_cast<Quanta>((documents_ - doc) / 7) << 16, doc + 6};
  }
  uint64_t asked() const { return asked_; }
  DocId furthest() const { return furthest_; }  // the document that a search had come to

 private:
  DocId documents_;
  mutable uint64_t asked_ = 0;
  mutable DocId furthest_ = 0;
};

TEST(TopKTest, FindsTheSameByTheBoundsOfABonus) {
  for (uint64_t seed = 0; seed < 300; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    const TestLists lists = RandomLists(index::PackedFormat(), 2000, 12, random);
    const BlockBonus bonus(lists.documents());
    const TestQuery query = RandomQuery(12, 2, random);
    TopHits expected(1 + seed % 20);
    for (DocId doc = 0; doc < lists.documents(); doc++) {
      const auto score = ObviousScore(lists, query, doc);
      if (score && *score + bonus.Of(doc) > expected.threshold()) {
        expected.Add({*score + bonus.Of(doc), 0, doc});
      }
    }
    for (const Algorithm algorithm : kAlgorithms) {
      TopHits hits(1 + seed % 20);
      Stopper stopper;
      FindTop(MakeSegmentQuery(lists, query),
              {.documents = lists.documents(), .bonus = &bonus, .algorithm = algorithm}, stopper, &hits);
      ASSERT_EQ(Show(hits.Sorted()), Show(expected.Sorted())) << AlgorithmName(algorithm);
    }
  }
}

TEST(TopKTest, EndsEarlyInTheOrderOfABonus) {
  std::map<Algorithm, uint64_t> furthest;  // over all searches
  for (uint64_t seed = 0; seed < 300; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    const TestLists lists = RandomLists(index::PackedFormat(), 3000, 12, random);
    const TestQuery query = RandomQuery(12, 2, random);
    const auto best = [&](Algorithm algorithm) {
      const FallingBonus bonus(lists.documents());
      TopHits hits(1 + seed % 20);
      Stopper stopper;
      FindTop(MakeSegmentQuery(lists, query),
              {.documents = lists.documents(), .bonus = &bonus, .algorithm = algorithm}, stopper, &hits);
      furthest[algorithm] += bonus.furthest();
      return Show(hits.Sorted());
    };
    const std::string expected = best(Algorithm::kExhaustive);
    for (const Algorithm algorithm : kAlgorithms) {
      if (algorithm == Algorithm::kExhaustive) continue;
      ASSERT_EQ(best(algorithm), expected) << AlgorithmName(algorithm);
    }
  }
  // With words too: all but the two that look at every document.
  for (const Algorithm algorithm : {Algorithm::kAuto, Algorithm::kMaxScore, Algorithm::kBlockMaxWand}) {
    EXPECT_LT(3 * furthest[algorithm], 2 * furthest[Algorithm::kExhaustive]) << AlgorithmName(algorithm);
  }
  // Without words the best are the first that the filter lets through.
  SeededRandom random(1);
  const TestLists lists = RandomLists(index::PackedFormat(), 3000, 1, random);
  const FallingBonus bonus(lists.documents());
  TestQuery query;
  query.kind = TestQuery::Kind::kBoolean;
  TestQuery filter;
  filter.kind = TestQuery::Kind::kFilter;
  filter.lists = {0};
  query.filters.push_back(filter);
  TopHits hits(2);
  Stopper stopper;
  FindTop(MakeSegmentQuery(lists, query), {.documents = lists.documents(), .bonus = &bonus}, stopper, &hits);
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_LT(bonus.asked(), 40u);
}

TEST(TopKTest, KeepsTheFirstOfEqualDocuments) {
  TopHits hits(2);
  for (DocId doc = 0; doc < 5; doc++) {
    if (5 > hits.threshold()) hits.Add({5, 0, doc});
  }
  EXPECT_EQ(hits.Sorted(), (std::vector<Hit>{{5, 0, 0}, {5, 0, 1}}));
  hits.Add({6, 1, 0});
  EXPECT_EQ(hits.Sorted(), (std::vector<Hit>{{6, 1, 0}, {5, 0, 0}}));
}

TEST(TopKTest, StopsWhenTimeIsUp) {
  SeededRandom random(1);
  const TestLists lists = RandomLists(index::PackedFormat(), 50000, 3, random);
  TestQuery query;
  query.kind = TestQuery::Kind::kBoolean;
  for (size_t i = 0; i < 3; i++) {
    TestQuery term;
    term.lists = {i};
    term.formula.weight = 1;
    query.optional.push_back(term);
  }
  ManualClock clock;
  for (const Algorithm algorithm : kAlgorithms) {
    Stopper stopper(&clock, clock.Now(), {});
    TopHits hits(10);
    FindTop(MakeSegmentQuery(lists, query), {.documents = lists.documents(), .algorithm = algorithm}, stopper,
            &hits);
    EXPECT_TRUE(stopper.stopped());
    std::stop_source source;
    source.request_stop();
    Stopper cancelled(&clock, std::nullopt, source.get_token());
    const uint64_t all =
        CountDocuments(MakeSegmentQuery(lists, query), {.documents = lists.documents()}, cancelled);
    EXPECT_TRUE(cancelled.stopped());
    EXPECT_LT(all, 50000u);
  }
}

}  // namespace
}  // namespace crivello::search
