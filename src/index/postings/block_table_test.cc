// SPDX-License-Identifier: Apache-2.0
#include "index/postings/block_table.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/random.h"

namespace crivello::index {
namespace {

std::vector<BlockShape> RandomBlocks(Random& random, size_t count, bool sizes) {
  std::vector<BlockShape> blocks(count);
  BlockShape next;
  for (size_t i = 0; i < count; i++) {
    next.size = sizes ? 1 + static_cast<uint32_t>(random.Below(kBlockPostings)) : kBlockPostings;
    next.first = i * kBlockPostings;
    next.last = (i == 0 ? 0 : next.last) + next.size + static_cast<DocId>(random.Below(1000));
    blocks[i] = next;
    next.before = next.last;
    next.documents_place += random.Below(300);
    next.counts_place += random.Below(3);
    next.positions_place += random.Below(1u << 20);
  }
  return blocks;
}

// Blocks of arbitrary size, or blocks with steps.
class BlockTableTest : public testing::TestWithParam<std::pair<bool, bool>> {
 protected:
  void Make(size_t count) {
    SeededRandom random(count);
    options_ = {PostingContents::kPositions, GetParam().first, GetParam().second};
    blocks_ = RandomBlocks(random, count, options_.sizes);
    steps_.resize(options_.steps ? count * kBlockSteps : 0);
    for (uint64_t& step : steps_) step = random.Below(5000);
    impacts_.resize(count + 1);
    for (ImpactBlock& block : impacts_) block.fill({static_cast<uint32_t>(random.Below(32)), 16});
    bytes_.clear();
    AppendBlockTable(options_, {blocks_, steps_, impacts_}, &bytes_);
    size_ = bytes_.size();
    bytes_.resize(size_ + 8);
  }
  Result<BlockTable> Open(size_t bytes, size_t* end) const {
    return BlockTable::Open(options_, blocks_.size() * kBlockPostings,
                            std::as_bytes(std::span(bytes_)).first(bytes), end);
  }

  BlockTableOptions options_;
  std::vector<BlockShape> blocks_;
  std::vector<uint64_t> steps_;
  std::vector<ImpactBlock> impacts_;
  std::vector<uint8_t> bytes_;
  size_t size_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Shapes, BlockTableTest,
                         testing::Values(std::pair(false, false), std::pair(true, false),
                                         std::pair(false, true)));

TEST_P(BlockTableTest, HasEveryRow) {
  for (const size_t count : {1u, 2u, 3u, 60u, 500u}) {
    Make(count);
    size_t end = 0;
    const auto table = Open(bytes_.size(), &end);
    ASSERT_TRUE(table.ok());
    EXPECT_EQ(end, size_);
    ASSERT_EQ(table->blocks(), count);
    for (size_t i = 0; i < count; i++) {
      const BlockShape row = table->Shape(i);
      EXPECT_EQ(row.size, blocks_[i].size);
      EXPECT_EQ(row.before, blocks_[i].before);
      EXPECT_EQ(row.last, blocks_[i].last);
      EXPECT_EQ(row.documents_place, blocks_[i].documents_place);
      EXPECT_EQ(row.counts_place, blocks_[i].counts_place);
      EXPECT_EQ(row.positions_place, blocks_[i].positions_place);
      EXPECT_EQ(table->Impacts(i), impacts_[i]);
      ASSERT_EQ(table->has_steps(), options_.steps);
      for (uint32_t step = 1; options_.steps && step <= kBlockSteps; step++) {
        EXPECT_EQ(table->Step(i, step), steps_[i * kBlockSteps + step - 1]);
      }
    }
    EXPECT_EQ(table->ListImpacts(), impacts_[count]);
  }
}

TEST_P(BlockTableTest, FindsTheFirstBlockThatReachesADocument) {
  for (const size_t count : {1u, 2u, 7u, 64u, 100u}) {
    Make(count);
    size_t end = 0;
    const auto table = Open(bytes_.size(), &end);
    ASSERT_TRUE(table.ok());
    for (size_t from = 0; from <= count; from += 1 + from / 3) {
      for (size_t target = 0; target < count; target++) {
        for (const DocId d : {blocks_[target].last - 1, blocks_[target].last, blocks_[target].last + 1}) {
          size_t expected = from;
          while (expected < count && blocks_[expected].last < d) expected++;
          ASSERT_EQ(table->Find(d, from), expected) << d << " from " << from;
        }
      }
    }
  }
}

TEST_P(BlockTableTest, IsRefusedWhenCut) {
  Make(20);
  size_t end = 0;
  for (size_t bytes = 0; bytes < bytes_.size(); bytes++) {
    EXPECT_EQ(Open(bytes, &end).status().code(), StatusCode::kCorruption) << bytes;
  }
}

}  // namespace
}  // namespace crivello::index
