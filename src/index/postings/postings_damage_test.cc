// SPDX-License-Identifier: Apache-2.0
// Lists with modified bytes: reads stay within bounds, in order, and end.
#include <gtest/gtest.h>

#include <string>

#include "index/postings/posting_test_support.h"

namespace crivello::index {
namespace {

class DamageTest : public testing::TestWithParam<const PostingFormat*> {
 protected:
  void SetUp() override {
    SeededRandom random(1);
    std::vector<uint32_t> lengths(900);
    for (uint32_t& length : lengths) length = 1 + static_cast<uint32_t>(random.Below(60));
    lengths_ = lengths;
    PlainIndex index(*GetParam(), PostingContents::kPositions, lengths);
    for (const uint32_t size : {1u, 5u, 70u, 300u, 700u}) {
      PlainList list;
      for (const uint32_t doc : SomePositions(random, size, 900)) {
        const auto count = 1 + static_cast<uint32_t>(random.Below(std::min(lengths[doc], 5u)));
        list.push_back({doc, SomePositions(random, count, lengths[doc])});
      }
      starts_.push_back(index.Add(list));
    }
    lists_ = index.Finish();
    for (Bytes* stream : {&lists_.documents, &lists_.counts, &lists_.positions}) {
      streams_.emplace_back(stream->begin(), stream->end());
    }
  }

  // The lists with these streams, copied to exact-size buffers, so that a read outside is caught.
  PostingLists Lists(const std::vector<std::vector<std::byte>>& streams) const {
    PostingLists lists = lists_;
    lists.documents = streams[0];
    lists.counts = streams[1];
    lists.positions = streams[2];
    lists.lengths = lengths_;
    return lists;
  }

  // Returns whether everything was found valid.
  static bool UseAll(const PostingLists& lists, uint64_t start) {
    const auto opened = lists.Open(start);
    if (!opened.ok()) return opened.status().code() != StatusCode::kCorruption;
    PostingCursor cursor = *opened;
    uint64_t postings = 0;
    DocId before = 0;
    for (; cursor.doc() != kEndDoc; cursor.Next(), postings++) {
      EXPECT_TRUE(postings == 0 || cursor.doc() > before);
      before = cursor.doc();
      EXPECT_GE(cursor.count(), 1u);
      const auto positions = cursor.positions();
      EXPECT_TRUE(positions.empty() || positions.size() == cursor.count());
    }
    EXPECT_TRUE(!cursor.ok() || postings == cursor.frequency() || lists.format->cuts());
    PostingCursor jumping = *opened;
    for (uint64_t d = 0; d < kEndDoc && jumping.doc() != kEndDoc; d += 1 + d / 7) {
      jumping.SeekBlock(static_cast<DocId>(d));
      jumping.block_max();
      jumping.SeekTo(static_cast<DocId>(d));
      EXPECT_GE(jumping.doc(), d);
    }
    return cursor.ok() && jumping.ok();
  }

  std::vector<uint32_t> lengths_;
  std::vector<uint64_t> starts_;
  PostingLists lists_;
  std::vector<std::vector<std::byte>> streams_;
};
INSTANTIATE_TEST_SUITE_P(Formats, DamageTest, testing::ValuesIn(AllPostingFormats()), [](const auto& suite) {
  std::string name(suite.param->name());
  std::erase(name, '-');
  return name;
});

TEST_P(DamageTest, IsReadWithinBoundsAtEveryFlip) {
  for (const uint64_t start : starts_) ASSERT_TRUE(UseAll(Lists(streams_), start));
  SeededRandom random(2);
  int noticed = 0;
  for (std::vector<std::byte>& stream : streams_) {
    for (std::byte& byte : stream) {
      const std::byte whole = byte;
      byte ^= std::byte{1} << random.Below(8);
      for (const uint64_t start : starts_) noticed += !UseAll(Lists(streams_), start);
      byte = static_cast<std::byte>(random.Next());
      for (const uint64_t start : starts_) noticed += !UseAll(Lists(streams_), start);
      byte = whole;
    }
  }
  EXPECT_GT(noticed, 100);
}

TEST_P(DamageTest, IsReadWithinBoundsAtEveryCut) {
  const auto whole = streams_;
  for (size_t stream = 0; stream < streams_.size(); stream++) {
    while (!streams_[stream].empty()) {
      streams_[stream].pop_back();
      streams_[stream].shrink_to_fit();
      bool good = true;
      for (const uint64_t start : starts_) good &= UseAll(Lists(streams_), start);
      EXPECT_TRUE(!good || stream == 0 || streams_[stream].size() + 1 == whole[stream].size() ||
                  streams_[stream].size() + kStreamSlack > whole[stream].size());
    }
    streams_ = whole;
  }
}

TEST_P(DamageTest, OfAnyKindIsReadWithinBounds) {
  SeededRandom random(3);
  for (int round = 0; round < 3000; round++) {
    for (std::vector<std::byte>& stream : streams_) {
      stream.resize(random.Below(400));
      const uint64_t ones = random.Below(4);
      for (std::byte& byte : stream) {
        byte = static_cast<std::byte>(random.Next() & (ones == 0 ? random.Next() : ~uint64_t{0}));
      }
    }
    UseAll(Lists(streams_), random.Below(20));
  }
}

}  // namespace
}  // namespace crivello::index
