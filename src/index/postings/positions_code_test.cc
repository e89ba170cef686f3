// SPDX-License-Identifier: Apache-2.0
#include "index/postings/positions_code.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/random.h"
#include "bits/codes.h"
#include "index/postings/classic_format.h"
#include "index/postings/posting_test_support.h"

namespace crivello::index {
namespace {

const PositionsCode* const kCodes[] = {&kEliasFanoPositions, &kGolombPositions, &kInterpolativePositions,
                                       &kDeltaPositions};

TEST(PositionsCodeTest, ReadsAnyDocumentAfterPassingOverTheOthers) {
  for (const PositionsCode* code : kCodes) {
    SCOPED_TRACE(code->name);
    SeededRandom random(1);
    std::vector<std::vector<uint32_t>> documents;
    std::vector<uint32_t> counts;
    std::vector<uint32_t> lengths;
    bits::BitWriter writer;
    for (int i = 0; i < 200; i++) {
      lengths.push_back(1 + static_cast<uint32_t>(random.Below(1 + random.Below(600))));
      const auto most = i % 10 == 0 ? lengths.back() : std::min(lengths.back(), 4u);
      counts.push_back(1 + static_cast<uint32_t>(random.Below(most)));
      documents.push_back(SomePositions(random, counts.back(), lengths.back()));
      code->write(writer, documents.back(), lengths.back());
    }
    const uint64_t end = writer.position();
    const Bytes bytes = writer.Finish();
    for (size_t i = 0; i < documents.size(); i++) {
      const uint64_t bit = code->skip(bytes, 0, std::span(counts).first(i), lengths.data());
      std::vector<uint32_t> read(counts[i]);
      const uint64_t next = code->read(bytes, bit, lengths[i], read);
      ASSERT_EQ(read, documents[i]);
      ASSERT_EQ(next, code->skip(bytes, bit, std::span(counts).subspan(i, 1), lengths.data() + i));
    }
    EXPECT_EQ(code->skip(bytes, 0, counts, lengths.data()), end);
  }
}

TEST(PositionsCodeTest, SpendsNoBitsWhereEveryWordIsTheTerm) {
  std::vector<uint32_t> all(500);
  std::iota(all.begin(), all.end(), 0u);
  for (const PositionsCode* code : kCodes) {
    if (code == &kDeltaPositions) continue;  // it knows no length
    bits::BitWriter writer;
    code->write(writer, all, 500);
    EXPECT_EQ(writer.position(), 0u) << code->name;
    std::vector<uint32_t> read(500);
    EXPECT_EQ(code->read({}, 0, 500, read), 0u);
    EXPECT_EQ(read, all);
  }
}

TEST(PositionsCodeTest, NoticesWhatIsCutOrTooMany) {
  for (const PositionsCode* code : kCodes) {
    SCOPED_TRACE(code->name);
    std::vector<uint32_t> read(20);
    EXPECT_EQ(code->read({}, 0, 1000, read), kDamaged);
    const std::vector<uint32_t> counts = {30};
    const std::vector<uint32_t> lengths = {20};
    const std::vector<std::byte> bytes(100);
    EXPECT_EQ(code->skip(bytes, 0, counts, lengths.data()), kDamaged) << "more positions than words";
  }
}

// The reference is the formula of the lecture notes, in floating point.
TEST(PositionsCodeTest, TakesTheModulusOfABernoulliProcess) {
  SeededRandom random(2);
  for (int i = 0; i < 20000; i++) {
    const uint64_t n = 1 + (random.Next() >> (31 + random.Below(32)));
    const uint64_t f = 1 + random.Below(n);
    const uint64_t optimal = bits::GolombCode::OptimalModulus(f, n);
    const uint64_t ours = BernoulliModulus(f, n);
    EXPECT_LE(ours, optimal + 1) << f << " in " << n;
    EXPECT_GE(ours + 1, optimal) << f << " in " << n;
  }
}

}  // namespace
}  // namespace crivello::index
