// SPDX-License-Identifier: Apache-2.0
#include "succinct/compact_array.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace crivello::succinct {
namespace {

TEST(CompactArrayTest, GivesBackEveryValueOfEveryWidth) {
  for (unsigned width = 1; width <= 64; width++) {
    for (const uint64_t size : {0u, 1u, 2u, 63u, 64u, 65u, 300u}) {
      SCOPED_TRACE(testing::Message() << "width " << width << " size " << size);
      SeededRandom random(width * 1000 + size);
      std::vector<uint64_t> expected(size);
      CompactArrayBuilder builder(width);
      for (uint64_t& value : expected) {
        value = random.Below(4) == 0 ? PackedMask(width) : random.Next() & PackedMask(width);
        builder.Add(value);
      }
      ASSERT_EQ(builder.words().size(), PackedWords(size, width));
      ImageWriter image;
      builder.AppendTo(image);
      ImageReader reader(image.bytes(), "test");
      const auto array = CompactArray::ReadFrom(reader);
      ASSERT_TRUE(array.ok());
      ASSERT_TRUE(reader.Finish().ok());
      ASSERT_EQ(array->size(), size);
      ASSERT_EQ(array->width(), width);
      for (uint64_t i = 0; i < size; i++) ASSERT_EQ((*array)[i], expected[i]) << i;
      for (uint64_t i = 2; i < size; i++) {
        ASSERT_EQ(array->XorOf(std::array{i, i - 1, i / 2}), expected[i] ^ expected[i - 1] ^ expected[i / 2]);
      }
    }
  }
}

TEST(CompactArrayTest, DropsBitsBeyondTheWidth) {
  CompactArrayBuilder builder(4);
  builder.Add(0xff);
  builder.Add(0);
  EXPECT_EQ(builder.words()[0], 0xfu);
}

TEST(CompactArrayTest, RefusesWidthsAndSizesThatCannotBe) {
  const auto status = [](uint64_t width, uint64_t size) {
    ImageWriter image;
    for (const uint64_t word : {width, size, uint64_t{0}, uint64_t{0}}) image.Word(word);
    ImageReader reader(image.bytes(), "test");
    return CompactArray::ReadFrom(reader).status().code();
  };
  EXPECT_EQ(status(8, 8), StatusCode::kOk);
  EXPECT_EQ(status(0, 8), StatusCode::kCorruption);
  EXPECT_EQ(status(65, 1), StatusCode::kCorruption);
  EXPECT_EQ(status(8, 9), StatusCode::kCorruption);
  EXPECT_EQ(status(64, uint64_t{1} << 58), StatusCode::kCorruption);
  EXPECT_EQ(status(64, ~uint64_t{0}), StatusCode::kCorruption);
}

}  // namespace
}  // namespace crivello::succinct
