// SPDX-License-Identifier: Apache-2.0
#include "bits/interpolative.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "bits/reference_codes.h"

namespace crivello::bits {
namespace {

constexpr uint64_t kLargestList = ~uint64_t{0};

// The definition, with copies and recursion.
std::string Judge(const std::vector<uint64_t>& values, uint64_t lo, uint64_t hi) {
  if (values.empty()) return "";
  const size_t middle = values.size() / 2;
  const std::vector<uint64_t> before(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle));
  const std::vector<uint64_t> after(values.begin() + static_cast<std::ptrdiff_t>(middle) + 1, values.end());
  const uint64_t lowest = lo + before.size();
  const uint64_t highest = hi - after.size();
  return reference::MinimalBinary(values[middle] - lowest, static_cast<Uint128>(highest - lowest) + 1) +
         Judge(before, lo, values[middle] - 1) + Judge(after, values[middle] + 1, hi);
}

void ExpectInterpolated(const std::vector<uint64_t>& values, uint64_t lo, uint64_t hi) {
  BitWriter writer;
  ASSERT_TRUE(WriteInterpolative(writer, values, lo, hi).ok());
  const uint64_t size = writer.position();
  const Bytes bytes = writer.Finish();
  ASSERT_EQ(reference::Unpacked(bytes, size), Judge(values, lo, hi));
  ASSERT_EQ(InterpolativeLength(values, lo, hi), size);
  std::vector<uint64_t> read(values.size());
  BitReader reader(bytes, size);
  ASSERT_TRUE(ReadInterpolative(reader, lo, hi, read).ok());
  ASSERT_EQ(read, values);
  ASSERT_EQ(reader.position(), size);
}

TEST(InterpolativeTest, ReadsBackWhatWasWritten) {
  SeededRandom random(1);
  for (int round = 0; round < 300; round++) {
    const uint64_t width = random.Next() >> random.Below(64);
    const uint64_t lo = width == kLargestList ? 0 : random.Below(kLargestList - width + 1);
    std::set<uint64_t> values;
    for (uint64_t draws = random.Below(200); draws > 0; draws--) {
      values.insert(lo + (width == kLargestList ? random.Next() : random.Below(width + 1)));
    }
    ExpectInterpolated({values.begin(), values.end()}, lo, lo + width);
  }
}

TEST(InterpolativeTest, HasTheSameBitsForNumbersOf32Bits) {
  const std::vector<uint64_t> wide = {3, 8, 9, 11, 12, 13, 17, 4294967295};
  const std::vector<uint32_t> narrow(wide.begin(), wide.end());
  BitWriter wide_writer;
  BitWriter narrow_writer;
  ASSERT_TRUE(WriteInterpolative(wide_writer, std::span(wide), 1, 4294967295).ok());
  ASSERT_TRUE(WriteInterpolative(narrow_writer, std::span(narrow), 1, 4294967295).ok());
  const Bytes bytes = narrow_writer.Finish();
  EXPECT_TRUE(std::ranges::equal(bytes, wide_writer.Finish()));
  BitReader reader(bytes);
  std::vector<uint32_t> read(narrow.size());
  ASSERT_TRUE(ReadInterpolative(reader, 1, 4294967295, std::span(read)).ok());
  EXPECT_EQ(read, narrow);
}

TEST(InterpolativeTest, TakesTheEndsOfTheNumbers) {
  ExpectInterpolated({}, 0, kLargestList);
  ExpectInterpolated({}, 5, 3);
  ExpectInterpolated({0}, 0, 0);
  ExpectInterpolated({0}, 0, kLargestList);
  ExpectInterpolated({kLargestList}, 0, kLargestList);
  ExpectInterpolated({kLargestList}, kLargestList, kLargestList);
  ExpectInterpolated({0, kLargestList}, 0, kLargestList);
  ExpectInterpolated({0, 1, kLargestList - 1, kLargestList}, 0, kLargestList);
}

TEST(InterpolativeTest, SpendsNoBitsOnAFullInterval) {
  std::vector<uint64_t> values;
  for (uint64_t x = 100; x <= 1100; x++) values.push_back(x);
  EXPECT_EQ(InterpolativeLength(values, 100, 1100), 0u);
  ExpectInterpolated(values, 100, 1100);
  BitReader empty;
  std::vector<uint64_t> read(values.size());
  EXPECT_TRUE(ReadInterpolative(empty, 100, 1100, read).ok());
  EXPECT_EQ(read, values);
}

// Computed by hand.
TEST(InterpolativeTest, StartsFromTheMiddle) {
  // s = 3, the middle n_1 = 7 in [2, 19]: 5 of 18; then 3 in [1, 6]: 2 of 6; then 9 in [8, 20]: 1 of
  // 13.
  EXPECT_EQ(Judge({3, 7, 9}, 1, 20),
            "0101"
            "100"
            "001");
  ExpectInterpolated({3, 7, 9}, 1, 20);
}

TEST(InterpolativeTest, RefusesWhatDoesNotIncreaseInTheInterval) {
  for (const std::vector<uint64_t>& values :
       {std::vector<uint64_t>{3, 3}, {4, 3}, {1}, {11}, {2, 5, 11}, {5, 2}}) {
    BitWriter writer;
    EXPECT_EQ(WriteInterpolative(writer, values, 2, 10).code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(writer.position(), 0u);
  }
  BitReader reader;
  std::vector<uint64_t> ten(10);
  EXPECT_EQ(ReadInterpolative(reader, 2, 10, ten).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadInterpolative(reader, 10, 2, ten).code(), StatusCode::kInvalidArgument);
}

TEST(InterpolativeTest, ReadsAnyBitsAsAnIncreasingSequence) {
  SeededRandom random(2);
  for (int round = 0; round < 200; round++) {
    std::vector<std::byte> bytes(random.Below(300));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.Next());
    const uint64_t hi = random.Next() >> random.Below(60);
    std::vector<uint64_t> read(random.Below(std::min<uint64_t>(hi, 200) + 1));
    BitReader reader(bytes);
    const Status status = ReadInterpolative(reader, 0, hi, read);
    EXPECT_TRUE(status.ok() || status.code() == StatusCode::kCorruption);
    for (size_t i = 0; i < read.size(); i++) {
      ASSERT_LE(read[i], hi);
      if (i > 0) {
        ASSERT_LT(read[i - 1], read[i]);
      }
    }
  }
}

TEST(InterpolativeTest, FailsAtEveryCut) {
  const std::vector<uint64_t> values = {2, 9, 12, 14, 19, 21, 400, 401, 500};
  BitWriter writer;
  ASSERT_TRUE(WriteInterpolative(writer, values, 0, 1000).ok());
  const uint64_t size = writer.position();
  const Bytes all = writer.Finish();
  for (uint64_t cut = 0; cut < size; cut++) {
    const std::vector<std::byte> bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>((cut + 7) / 8));
    BitReader reader(bytes, cut);
    std::vector<uint64_t> read(values.size());
    EXPECT_EQ(ReadInterpolative(reader, 0, 1000, read).code(), StatusCode::kCorruption);
  }
}

}  // namespace
}  // namespace crivello::bits
