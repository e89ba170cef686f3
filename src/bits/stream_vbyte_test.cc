// SPDX-License-Identifier: Apache-2.0
#include "bits/stream_vbyte.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <memory>

#include "bits/block_codec_test_data.h"

namespace crivello::bits {
namespace {

std::vector<uint8_t> ObviousEncode(const Integers& values) {
  std::vector<uint8_t> bytes((values.size() + 3) / 4);
  for (size_t i = 0; i < values.size(); i++) {
    int length = 0;
    for (uint32_t rest = values[i]; length == 0 || rest != 0; rest >>= 8, length++) {
      bytes.push_back(static_cast<uint8_t>(rest & 0xff));
    }
    bytes[i / 4] = static_cast<uint8_t>(bytes[i / 4] + (length - 1) * (1 << 2 * (i % 4)));
  }
  return bytes;
}

// Decodes from a heap block of the exact size, so that a sanitizer detects a read outside.
template <typename Decoder>
Result<size_t> DecodeStreamVByte(Decoder decode, std::span<const uint8_t> bytes, std::span<uint32_t> out) {
  const auto copy = std::make_unique<uint8_t[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  return decode(std::as_bytes(std::span(copy.get(), bytes.size())), out);
}

void ExpectRoundTrips() {
  const uint64_t seed = 20181;
  for (const auto& [name, values] : TryingIntegers(seed)) {
    SCOPED_TRACE(name + ", seed " + std::to_string(seed));
    const std::vector<uint8_t> expected = ObviousEncode(values);
    EXPECT_LE(expected.size(), StreamVByteMaxBytes(values.size()));
    std::vector<uint8_t> bytes;
    StreamVByteEncode(values, &bytes);
    ASSERT_EQ(bytes, expected);
    bytes.clear();
    StreamVByteEncodeScalar(values, &bytes);
    ASSERT_EQ(bytes, expected);
    for (const auto decode : {&StreamVByteDecode, &StreamVByteDecodeScalar}) {
      Integers got(values.size(), 7);
      const auto read = DecodeStreamVByte(decode, bytes, got);
      ASSERT_TRUE(read.ok()) << read.status().ToString();
      EXPECT_EQ(*read, bytes.size());
      ASSERT_EQ(got, values);
    }
  }
}

TEST(StreamVByteTest, RoundTripsOnEveryInstructionSet) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    ExpectRoundTrips();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

TEST(StreamVByteTest, WritesTheBytesOfTheLibrary) {
  const Integers values = {0, 1024, 12, 1024 * 1024, 0xffffffff, 255, 256, 65535, 65536, 16777215, 16777216};
  std::vector<uint8_t> bytes = {0xee};
  StreamVByteEncode(values, &bytes);
  // After existing content: three control bytes, then the integers. From libstreamvbyte 0.4.1.
  EXPECT_EQ(bytes, (std::vector<uint8_t>{0xee, 0x84, 0x53, 0x3a,                          //
                                         0x00, 0x00, 0x04, 0x0c, 0x00, 0x00, 0x10,        //
                                         0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x01, 0xff,  //
                                         0xff, 0x00, 0x00, 0x01, 0xff, 0xff, 0xff, 0x00,  //
                                         0x00, 0x00, 0x01}));
}

TEST(StreamVByteTest, RefusesEveryCut) {
  const Integers values = ZipfIntegers(70, 1.0, 3);
  std::vector<uint8_t> bytes;
  StreamVByteEncode(values, &bytes);
  for (size_t size = 0; size < bytes.size(); size++) {
    for (const auto decode : {&StreamVByteDecode, &StreamVByteDecodeScalar}) {
      Integers got(values.size());
      EXPECT_EQ(DecodeStreamVByte(decode, std::span(bytes).first(size), got).status().code(),
                StatusCode::kCorruption)
          << size;
    }
  }
}

TEST(StreamVByteTest, DecodesWhateverBytesAlikeWithAndWithoutVectors) {
  const uint64_t seed = 5;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int round = 0; round < 3000; round++) {
    std::vector<uint8_t> bytes(random.Below(300));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Next());
    Integers with(random.Below(120)), without(with.size());
    const auto a = DecodeStreamVByte(&StreamVByteDecode, bytes, with);
    const auto b = DecodeStreamVByte(&StreamVByteDecodeScalar, bytes, without);
    ASSERT_EQ(a.ok(), b.ok());
    if (!a.ok()) continue;
    EXPECT_EQ(*a, *b);
    EXPECT_EQ(with, without);
  }
}

TEST(StreamVByteTest, LeavesWhatFollows) {
  std::vector<uint8_t> bytes;
  StreamVByteEncode(UniformIntegers(50, 20, 1), &bytes);
  const size_t size = bytes.size();
  bytes.resize(size + 100, 0xff);
  Integers got(50);
  const auto read = StreamVByteDecode(std::as_bytes(std::span(bytes)), got);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, size);
  EXPECT_EQ(got, UniformIntegers(50, 20, 1));
}

}  // namespace
}  // namespace crivello::bits
