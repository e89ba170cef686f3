// SPDX-License-Identifier: Apache-2.0
#include "bits/pfor.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <memory>
#include <numeric>

#include "bits/block_codec_test_data.h"

namespace crivello::bits {
namespace {

std::vector<uint8_t> EncodedPfor(const Integers& values, PForRule rule = PForRule::kCost) {
  std::vector<uint8_t> bytes;
  PForEncode(values, &bytes, rule);
  return bytes;
}

// Decodes from a heap block of the exact size, so that a sanitizer detects a read outside.
Result<size_t> DecodePfor(std::span<const uint8_t> bytes, std::span<uint32_t> out) {
  const auto copy = std::make_unique<uint8_t[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  return PForDecode(std::as_bytes(std::span(copy.get(), bytes.size())), out);
}

// A decoder written from the format page, bit by bit; it trusts its input.
Integers ObviousDecode(const std::vector<uint8_t>& bytes, size_t count) {
  Integers values(count);
  size_t at = 0;
  const auto field = [&](size_t start, size_t bit, size_t bits) {
    uint64_t value = 0;
    for (size_t t = 0; t < bits; t++) {
      value |= uint64_t{bytes[start + (bit + t) / 8] >> (bit + t) % 8 & 1u} << t;
    }
    return value;
  };
  for (size_t done = 0; done < count; done += 128) {
    const size_t block = std::min<size_t>(128, count - done);
    const size_t bits = bytes[at] & 0x7f;
    const bool patched = bytes[at] >> 7;
    const size_t exceptions = patched ? bytes[at + 1] : 0;
    const size_t high_bits = patched ? bytes[at + 2] : 0;
    at += patched ? 3 : 1;
    for (size_t i = 0; i < block; i++) {
      for (size_t t = 0; t < bits; t++) {
        const size_t in_lane = i / 4 * bits + t;
        const size_t bit = block < 128 ? i * bits + t : in_lane / 32 * 128 + i % 4 * 32 + in_lane % 32;
        values[done + i] |= static_cast<uint32_t>(field(at, bit, 1) << t);
      }
    }
    at += (block * bits + 7) / 8;
    for (size_t i = 0; i < exceptions; i++) {
      const uint64_t entry = field(at, i * (7 + high_bits), 7 + high_bits);
      values[done + entry % 128] |= static_cast<uint32_t>(entry / 128 << bits);
    }
    at += (exceptions * (7 + high_bits) + 7) / 8;
  }
  EXPECT_EQ(at, bytes.size());
  return values;
}

TEST(PForTest, RoundTripsOnEveryInstructionSet) {
  const uint64_t seed = 2006;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    for (const auto& [name, values] : TryingIntegers(seed)) {
      SCOPED_TRACE(name + ", seed " + std::to_string(seed));
      for (const PForRule rule : {PForRule::kCost, PForRule::kNinetyPercent}) {
        const std::vector<uint8_t> bytes = EncodedPfor(values, rule);
        ASSERT_EQ(ObviousDecode(bytes, values.size()), values);
        Integers got(values.size(), 7);
        const auto read = DecodePfor(bytes, got);
        ASSERT_TRUE(read.ok()) << read.status().ToString();
        EXPECT_EQ(*read, bytes.size());
        ASSERT_EQ(got, values);

        Integers sums(values.size());
        std::partial_sum(values.begin(), values.end(), sums.begin());
        for (uint32_t& sum : sums) sum += 1000;
        const auto read_sums = PForDecodeDeltas(std::as_bytes(std::span(bytes)), 1000, got);
        ASSERT_TRUE(read_sums.ok());
        EXPECT_EQ(*read_sums, bytes.size());
        ASSERT_EQ(got, sums);
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

TEST(PForTest, TheCheapestBlockIsNeverLargerThanThatOfNinetyPercent) {
  for (const auto& [name, values] : TryingIntegers(90)) {
    EXPECT_LE(EncodedPfor(values).size(), EncodedPfor(values, PForRule::kNinetyPercent).size()) << name;
  }
}

TEST(PForTest, WritesAtMostAByteABlockMoreThanTheIntegers) {
  for (const auto& [name, values] : TryingIntegers(4)) {
    EXPECT_LE(EncodedPfor(values).size(), 4 * values.size() + (values.size() + 127) / 128) << name;
  }
}

TEST(PForTest, WritesTheBytesOfTheFormatPage) {
  // Three bits suffice for four of the five; 1000 is 125 * 2^3 + 0, so the exception is 125, with 7 bits, at
  // position 2.
  EXPECT_EQ(EncodedPfor({1, 2, 1000, 4, 5}), (std::vector<uint8_t>{0x80 | 3, 1, 7, 0x11, 0x58, 0x82, 0x3e}));
  // A full block is packed in lanes: 0, 4, 8, ... form the first word, 1, 5, 9, ... the second.
  Integers values(128);
  std::iota(values.begin(), values.end(), 0u);
  std::vector<uint8_t> bytes = EncodedPfor(values);
  EXPECT_EQ(bytes.size(), 1u + 7 * 16);
  bytes.resize(9);
  EXPECT_EQ(bytes, (std::vector<uint8_t>{7, 0x00, 0x02, 0x82, 0x01, 0x81, 0x42, 0xa2, 0x11}));
}

TEST(PForTest, BlocksStandAlone) {
  const Integers a = ZipfIntegers(256, 1.0, 1), b = GeometricIntegers(77, 0.01, 2);
  std::vector<uint8_t> bytes = EncodedPfor(a);
  const size_t size_of_a = bytes.size();
  PForEncode(b, &bytes);
  Integers both = a;
  both.insert(both.end(), b.begin(), b.end());
  EXPECT_EQ(bytes, EncodedPfor(both));
  Integers got(b.size());
  ASSERT_TRUE(DecodePfor(std::span(bytes).subspan(size_of_a), got).ok());
  EXPECT_EQ(got, b);
}

TEST(PForTest, RefusesEveryCut) {
  const Integers values = ZipfIntegers(300, 1.0, 3);
  const std::vector<uint8_t> bytes = EncodedPfor(values);
  for (size_t size = 0; size < bytes.size(); size++) {
    Integers got(values.size());
    EXPECT_EQ(DecodePfor(std::span(bytes).first(size), got).status().code(), StatusCode::kCorruption) << size;
  }
}

TEST(PForTest, DecodesOrRefusesEveryFlip) {
  const Integers values = ZipfIntegers(200, 1.0, 3);
  std::vector<uint8_t> bytes = EncodedPfor(values);
  int unnoticed = 0;
  for (size_t at = 0; at < bytes.size(); at++) {
    for (int bit = 0; bit < 8; bit++) {
      bytes[at] = static_cast<uint8_t>(bytes[at] ^ 1 << bit);
      Integers got(values.size());
      const auto read = DecodePfor(bytes, got);
      if (read.ok()) {
        EXPECT_LE(*read, bytes.size());
        unnoticed += got == values;
      } else {
        EXPECT_EQ(read.status().code(), StatusCode::kCorruption);
      }
      bytes[at] = static_cast<uint8_t>(bytes[at] ^ 1 << bit);
    }
  }
  EXPECT_LE(unnoticed, 3 * 7) << "only padding says nothing, and there is some in three places at most";
}

TEST(PForTest, TellsAWidthThatNoIntegerExceeds) {
  for (int bits = 0; bits <= 32; bits++) {
    Integers values = UniformIntegers(128, bits, 7);
    if (bits < 32) values[77] |= 1u << bits;
    std::vector<uint8_t> bytes;
    PForEncode(values, &bytes);
    bytes.resize(bytes.size() + 2);
    EXPECT_EQ(PForMaxBits(std::as_bytes(std::span(bytes))),
              static_cast<size_t>(std::bit_width(*std::ranges::max_element(values))));
  }
}

TEST(PForTest, RefusesImpossibleHeaders) {
  const auto code_of = [](std::vector<uint8_t> bytes, size_t count) {
    bytes.resize(1000);
    Integers got(count);
    return DecodePfor(bytes, got).status().code();
  };
  EXPECT_EQ(code_of({33}, 128), StatusCode::kCorruption) << "more than 32 bits";
  EXPECT_EQ(code_of({0x7f}, 128), StatusCode::kCorruption) << "far more";
  EXPECT_EQ(code_of({0x80 | 30, 1, 3}, 128), StatusCode::kCorruption) << "more than 32 bits in all";
  EXPECT_EQ(code_of({0x80 | 3, 0, 3}, 128), StatusCode::kCorruption) << "no exceptions";
  EXPECT_EQ(code_of({0x80 | 3, 1, 0}, 128), StatusCode::kCorruption) << "corrupt: exceptions of zero bits";
  EXPECT_EQ(code_of({0x80 | 3, 129, 1}, 128), StatusCode::kCorruption) << "more exceptions than integers";
  EXPECT_EQ(code_of({0x80, 1, 1, 0x85}, 5), StatusCode::kCorruption) << "an exception outside";
  EXPECT_EQ(code_of({0x80, 1, 1, 0x84}, 5), StatusCode::kOk);
  EXPECT_EQ(code_of({0x80, 1, 32, 0xff, 0xff, 0xff, 0xff, 0x7f}, 128), StatusCode::kOk);
}

}  // namespace
}  // namespace crivello::bits
