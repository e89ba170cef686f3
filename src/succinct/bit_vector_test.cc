// SPDX-License-Identifier: Apache-2.0
#include "succinct/bit_vector.h"

#include <gtest/gtest.h>

#include "base/test_support.h"
#include "succinct/bit_vector_test_support.h"

namespace crivello::succinct {
namespace {

TEST(BitVectorTest, GivesBackBitsPushedAndSet) {
  const uint64_t seed = 3;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (const uint64_t size : {0u, 1u, 63u, 64u, 65u, 128u, 1000u}) {
    BitVectorBuilder pushed, set(size);
    std::vector<bool> expected;
    for (uint64_t i = 0; i < size; i++) {
      expected.push_back(random.Next() % 3 == 0);
      pushed.Push(expected.back());
      if (expected.back()) set.Set(i);
    }
    ImageWriter image, image_of_set;
    pushed.AppendBits(image);
    set.AppendBits(image_of_set);
    EXPECT_EQ(AsText(image.bytes()), AsText(image_of_set.bytes()));
    const auto bits = BitVector::FromImage(image.bytes());
    ASSERT_TRUE(bits.ok());
    ASSERT_EQ(bits->size(), size);
    for (uint64_t i = 0; i < size; i++) EXPECT_EQ(bits->Get(i), expected[i]);
  }
}

// The format defines which bit is which.
TEST(BitVectorTest, NumbersBitsFromTheLeastSignificant) {
  BitVectorBuilder builder(130);
  for (const uint64_t i : {0u, 3u, 64u, 129u}) builder.Set(i);
  ImageWriter image;
  builder.AppendBits(image);
  EXPECT_EQ(std::move(image).Release(), (std::vector<uint64_t>{130, 9, 1, 2}));
}

TEST(BitVectorTest, RefusesLengthsThatDoNotFit) {
  for (const uint64_t size : {uint64_t{64}, uint64_t{1} << 40, ~uint64_t{0}}) {
    ImageWriter image;
    image.Word(size);
    image.Word(0);
    EXPECT_EQ(BitVector::FromImage(image.bytes()).status().code(), StatusCode::kCorruption);
  }
}

TEST(BitVectorTest, IsReadFromAMappedFile) {
  TemporaryFolder folder;
  BitVectorBuilder builder(100);
  builder.Set(42);
  ImageWriter image;
  builder.AppendBits(image);
  ASSERT_TRUE(WriteImage(folder / "bits", BitVector::kFileKind, image.bytes()).ok());
  const auto mapped = Mapped<BitVector>::Open(folder / "bits");
  ASSERT_TRUE(mapped.ok()) << mapped.status().ToString();
  EXPECT_TRUE((*mapped)->Get(42));
  EXPECT_FALSE((*mapped)->Get(41));
}

}  // namespace
}  // namespace crivello::succinct
