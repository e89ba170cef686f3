// SPDX-License-Identifier: Apache-2.0
#include "bits/rans.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>

#include "bits/block_codec_test_data.h"

namespace crivello::bits {
namespace {

std::vector<uint8_t> EncodedRans(const Integers& values) {
  std::vector<uint8_t> bytes;
  RansEncode(values, &bytes);
  return bytes;
}

// Decodes from a heap block of the exact size, so that a sanitizer detects a read outside.
Result<size_t> DecodeRans(std::span<const uint8_t> bytes, std::span<uint32_t> out) {
  const auto copy = std::make_unique<uint8_t[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  return RansDecode(std::as_bytes(std::span(copy.get(), bytes.size())), out);
}

void ExpectRansRoundTrip(const Integers& values) {
  std::vector<uint8_t> bytes = EncodedRans(values);
  Integers got(values.size(), 7);
  const auto read = DecodeRans(bytes, got);
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(*read, bytes.size());
  ASSERT_EQ(got, values);
  bytes.push_back(0x55);
  EXPECT_EQ(*DecodeRans(bytes, got), bytes.size() - 1) << "leaves what follows";
}

double EntropyInBits(const Integers& values) {
  std::map<uint32_t, double> counts;
  for (const uint32_t value : values) counts[value]++;
  double bits = 0;
  for (const auto& [value, count] : counts)
    bits += count * std::log2(static_cast<double>(values.size()) / count);
  return bits;
}

TEST(RansTest, RoundTrips) {
  const uint64_t seed = 2013;
  for (const auto& [name, values] : TryingIntegers(seed)) {
    SCOPED_TRACE(name + ", seed " + std::to_string(seed));
    ExpectRansRoundTrip(values);
  }
}

TEST(RansTest, RoundTripsEveryMagnitude) {
  Integers values;
  for (int shift = 0; shift < 32; shift++) {
    for (const uint32_t around : {~0u, 0u, 1u}) values.push_back((1u << shift) + around);
  }
  ExpectRansRoundTrip(values);
  while (values.size() < 5000) values.insert(values.end(), {1, 2, 3, 4, 1000000});
  ExpectRansRoundTrip(values);
}

TEST(RansTest, TakesOnePercentMoreThanTheEntropyAndTheModel) {
  const size_t count = 100000;
  for (const double p : {0.99, 0.9, 0.5, 0.1, 0.01}) {
    const Integers values = GeometricIntegers(count, p, 5);
    // The entropy of the distribution; that of the sample would be biased by random deviations.
    const double entropy = -(p * std::log2(p) + (1 - p) * std::log2(1 - p)) / p * count;
    EXPECT_LT(8 * static_cast<double>(EncodedRans(values).size()), 1.01 * entropy + 8 * 300) << p;
  }
  for (const double shape : {0.3, 0.5, 0.7}) {
    const Integers values = ZipfIntegers(count, shape, 6);
    EXPECT_LT(8 * static_cast<double>(EncodedRans(values).size()), 1.01 * EntropyInBits(values) + 8 * 300)
        << shape;
  }
}

TEST(RansTest, KnowsEachSmallIntegerWhereThatPays) {
  // Multiples of 7 below 1792, for which ranges do not help; and three integers, two of them in one range.
  Integers sevens = UniformIntegers(50000, 8, 1);
  for (uint32_t& value : sevens) value *= 7;
  EXPECT_LT(8 * static_cast<double>(EncodedRans(sevens).size()), 1.01 * 8 * 50000 + 8 * 700);
  Integers three = GeometricIntegers(50000, 0.8, 2);
  for (uint32_t& value : three) value = std::array{1000u, 1001u, 3u}[value % 3];
  EXPECT_LT(8 * static_cast<double>(EncodedRans(three).size()), 1.01 * EntropyInBits(three) + 8 * 350);
}

TEST(RansTest, OneIntegerOverAndOverTakesNoSpace) {
  EXPECT_EQ(EncodedRans(Integers(1000000, 5)).size(), EncodedRans(Integers(3000, 5)).size());
  EXPECT_LT(EncodedRans(Integers(1000000, 5)).size(), 50u);
  ExpectRansRoundTrip(Integers(10000, 5));
  EXPECT_EQ(EncodedRans({}).size(), 0u);
}

TEST(RansTest, RefusesEveryCut) {
  for (const size_t count : {300u, 3000u}) {
    const Integers values = ZipfIntegers(count, 1.0, 3);
    const std::vector<uint8_t> bytes = EncodedRans(values);
    for (size_t size = 0; size < bytes.size(); size++) {
      Integers got(values.size());
      EXPECT_EQ(DecodeRans(std::span(bytes).first(size), got).status().code(), StatusCode::kCorruption)
          << size;
    }
  }
}

TEST(RansTest, RefusesAnotherNumberOfIntegers) {
  const Integers values = GeometricIntegers(300, 0.1, 3);
  const std::vector<uint8_t> bytes = EncodedRans(values);
  for (const size_t count : {1u, 299u, 301u, 2047u, 2048u, 100000u}) {
    Integers got(count);
    EXPECT_EQ(DecodeRans(bytes, got).status().code(), StatusCode::kCorruption) << count;
  }
}

TEST(RansTest, DecodesOrRefusesEveryFlipAndRefusesMost) {
  for (const size_t count : {200u, 2100u}) {
    const Integers values = ZipfIntegers(count, 1.0, 3);
    std::vector<uint8_t> bytes = EncodedRans(values);
    size_t decoded = 0, raw_bits = 0;
    for (const uint32_t value : values) raw_bits += static_cast<size_t>(std::bit_width(value));
    for (size_t at = 0; at < bytes.size(); at++) {
      for (int bit = 0; bit < 8; bit++) {
        bytes[at] = static_cast<uint8_t>(bytes[at] ^ 1 << bit);
        Integers got(values.size());
        const auto read = DecodeRans(bytes, got);
        decoded += read.ok();
        EXPECT_EQ(read.status().code(), read.ok() ? StatusCode::kOk : StatusCode::kCorruption);
        bytes[at] = static_cast<uint8_t>(bytes[at] ^ 1 << bit);
      }
    }
    EXPECT_LE(decoded, raw_bits + 16) << "bits written as they are cannot show damage; others do";
  }
}

TEST(RansTest, WritesTheBytesOfTheFormatPage) {
  // Precision 8, k = 4; two symbols of 128 slots each; no words, no raw bits; one state.
  // Starting from 2^31, pushing 1 0 0 1 backwards doubles it and adds each time: 2^35 plus slot arithmetic.
  const std::vector<uint8_t> bytes = EncodedRans({1, 0, 0, 1});
  ASSERT_EQ(bytes.size(), 1u + 6 + 2 + 8);
  EXPECT_EQ(bytes[0], 0x01);
  EXPECT_EQ(bytes[7], 0) << "words";
  EXPECT_EQ(bytes[8], 0) << "raw bytes";
  uint64_t state = uint64_t{1} << 31;
  for (const uint64_t symbol : {1u, 0u, 0u, 1u}) state = state / 128 * 256 + 128 * symbol + state % 128;
  for (size_t i = 0; i < 8; i++) EXPECT_EQ(bytes[9 + i], static_cast<uint8_t>(state >> 8 * i)) << i;
}

}  // namespace
}  // namespace crivello::bits
