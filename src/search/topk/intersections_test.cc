// SPDX-License-Identifier: Apache-2.0
#include "search/topk/intersections.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"

namespace crivello::search {
namespace {

// A list in memory that counts how often it moves.
class CountedList {
 public:
  CountedList(std::vector<index::DocId> docs, uint64_t* moves) : docs_(std::move(docs)), moves_(moves) {}
  index::DocId doc() const { return at_ < docs_.size() ? docs_[at_] : index::kEndDoc; }
  void Next() {
    ++*moves_;
    at_++;
  }
  void SeekTo(index::DocId doc) {
    if (this->doc() >= doc) return;
    ++*moves_;
    at_ = static_cast<size_t>(std::lower_bound(docs_.begin(), docs_.end(), doc) - docs_.begin());
  }

 private:
  std::vector<index::DocId> docs_;
  uint64_t* moves_;
  size_t at_ = 0;
};

constexpr int kIntersections = 4;

std::vector<index::DocId> IntersectIn(int way, const std::vector<std::vector<index::DocId>>& sets,
                                      uint64_t* moves) {
  std::vector<CountedList> lists;
  for (const auto& set : sets) lists.emplace_back(set, moves);
  std::vector<index::DocId> all;
  const auto found = [&](index::DocId doc) { all.push_back(doc); };
  const std::span<CountedList> span(lists);
  switch (way) {
    case 0:
      IntersectByHeap(span, found);
      break;
    case 1:
      IntersectByAlignment(span, AlignmentOrder::kFixed, found);
      break;
    case 2:
      IntersectByAlignment(span, AlignmentOrder::kAdaptive, found);
      break;
    default:
      IntersectByElimination(span, found);
  }
  return all;
}

TEST(IntersectionsTest, AllFindWhatSetsHaveInCommon) {
  SeededRandom random(2000);
  for (int round = 0; round < 300; round++) {
    SCOPED_TRACE(round);
    std::vector<std::vector<index::DocId>> sets(1 + random.Below(5));
    for (auto& set : sets) {
      const uint64_t density = 1 + random.Below(8);
      for (index::DocId doc = 0; doc < 500; doc++) {
        if (random.Below(density) == 0) set.push_back(doc);
      }
    }
    std::vector<index::DocId> expected = sets[0];
    for (const auto& set : sets) {
      std::vector<index::DocId> both;
      std::set_intersection(expected.begin(), expected.end(), set.begin(), set.end(),
                            std::back_inserter(both));
      expected = both;
    }
    for (int way = 0; way < kIntersections; way++) {
      uint64_t moves = 0;
      EXPECT_EQ(IntersectIn(way, sets, &moves), expected) << way;
    }
  }
}

TEST(IntersectionsTest, AListThatBreaksMostAlignmentsIsAskedFirst) {
  // Two lists of the even numbers, and a longer one that shares next to nothing with them.
  std::vector<std::vector<index::DocId>> sets(3);
  for (index::DocId i = 0; i < 10'000; i++) {
    sets[0].push_back(2 * i);
    sets[1].push_back(2 * i);
    sets[2].push_back(2 * i + (i % 1000 == 0 ? 0 : 1));
  }
  uint64_t fixed = 0, adaptive = 0, elimination = 0;
  const auto expected = IntersectIn(1, sets, &fixed);
  EXPECT_EQ(expected.size(), 10u);
  EXPECT_EQ(IntersectIn(2, sets, &adaptive), expected);
  EXPECT_EQ(IntersectIn(3, sets, &elimination), expected);
  EXPECT_LT(adaptive, fixed) << "the third list comes forward";
}

TEST(IntersectionsTest, AShortProofTakesFewMoves) {
  // Two lists in two blocks: one move shows that they have nothing in common.
  std::vector<std::vector<index::DocId>> sets(2);
  for (index::DocId i = 0; i < 10'000; i++) {
    sets[0].push_back(i);
    sets[1].push_back(20'000 + i);
  }
  for (int way = 0; way < kIntersections; way++) {
    uint64_t moves = 0;
    EXPECT_TRUE(IntersectIn(way, sets, &moves).empty());
    EXPECT_LE(moves, 3u) << way;
  }
}

}  // namespace
}  // namespace crivello::search
