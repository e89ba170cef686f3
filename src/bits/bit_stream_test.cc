// SPDX-License-Identifier: Apache-2.0
#include "bits/bit_stream.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file_format.h"
#include "base/random.h"
#include "base/test_support.h"
#include "bits/reference_codes.h"

namespace crivello::bits {
namespace {

using reference::Binary;
using reference::Packed;
using reference::Unpacked;

uint64_t ToNumber(const std::string& bits) {
  uint64_t number = 0;
  for (char bit : bits) number = number << 1 | (bit == '1' ? 1 : 0);
  return number;
}

std::string RandomBits(Random& random, size_t count) {
  std::string bits(count, '0');
  for (char& bit : bits) bit = (random.Next() & 1) != 0 ? '1' : '0';
  return bits;
}

TEST(BitWriterTest, WritesTheHighestBitFirst) {
  BitWriter writer;
  writer.WriteBits(0b101, 3);
  writer.WriteBits(0, 0);
  writer.WriteBits(0b0110011, 7);
  EXPECT_EQ(writer.position(), 10u);
  const Bytes bytes = writer.Finish();
  ASSERT_EQ(bytes.size(), 2u);
  EXPECT_EQ(std::to_integer<int>(bytes[0]), 0b10101100);
  EXPECT_EQ(std::to_integer<int>(bytes[1]), 0b11000000);
}

TEST(BitWriterTest, MakesNoBytesOfNoBits) {
  BitWriter writer;
  EXPECT_TRUE(writer.Finish().empty());
  EXPECT_EQ(writer.position(), 0u);
}

TEST(BitWriterTest, WritesWhatTheStringOfBitsHas) {
  SeededRandom random(1);
  for (int round = 0; round < 200; round++) {
    BitWriter writer;
    std::string expected;
    for (uint64_t writes = random.Below(60); writes > 0; writes--) {
      const unsigned n = static_cast<unsigned>(random.Below(65));
      const uint64_t value = n == 0 ? 0 : random.Next() >> (64 - n);
      writer.WriteBits(value, n);
      expected += Binary(value, n);
      if (random.Below(10) == 0) {
        const uint64_t zeros = random.Below(300);
        writer.WriteZeros(zeros);
        expected.append(zeros, '0');
      }
      if (random.Below(10) == 0) {
        writer.PadToByte();
        expected.append((8 - expected.size() % 8) % 8, '0');
      }
      ASSERT_EQ(writer.position(), expected.size());
    }
    const Bytes bytes = writer.Finish();
    ASSERT_EQ(bytes.size(), (expected.size() + 7) / 8);
    ASSERT_EQ(Unpacked(bytes, expected.size()), expected);
  }
}

TEST(BitWriterTest, DrainsToAFileInPieces) {
  SeededRandom random(2);
  TemporaryFolder folder;
  constexpr FileKind kKind = {.name = "bits"};
  auto file = FormatFileWriter::Create(folder / "stream", kKind);
  ASSERT_TRUE(file.ok());
  BitWriter writer;
  std::string expected;
  for (int i = 0; i < 3000; i++) {
    const unsigned n = static_cast<unsigned>(random.Below(64)) + 1;
    const uint64_t value = random.Next() >> (64 - n);
    writer.WriteBits(value, n);
    expected += Binary(value, n);
    if (writer.buffered_bytes() >= 512) {
      ASSERT_TRUE(writer.DrainTo(*file).ok());
    }
    ASSERT_LE(writer.buffered_bytes(), 512u);
    ASSERT_EQ(writer.position(), expected.size());
  }
  ASSERT_TRUE(writer.FinishTo(*file).ok());
  ASSERT_TRUE(file->Finish().ok());
  auto read = FormatFile::Open(folder / "stream", kKind);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(Unpacked(read->payload(), expected.size()), expected);
}

struct FailingSink {
  Status Append(Bytes) { return Status::IoError("full"); }
};

TEST(BitWriterTest, TellsThatItsSinkFailed) {
  BitWriter writer;
  writer.WriteZeros(100);
  FailingSink sink;
  EXPECT_EQ(writer.DrainTo(sink).code(), StatusCode::kIoError);
  EXPECT_EQ(writer.FinishTo(sink).code(), StatusCode::kIoError);
}

TEST(BitReaderTest, ReadsPeeksSkipsAndSeeksAsTheStringOfBits) {
  SeededRandom random(3);
  for (int round = 0; round < 400; round++) {
    const std::string bits = RandomBits(random, random.Below(500));
    const std::vector<std::byte> bytes = Packed(bits);
    BitReader reader(bytes, bits.size());
    size_t at = 0;
    for (int step = 0; step < 60; step++) {
      const uint64_t left = bits.size() - at;
      const unsigned n = static_cast<unsigned>(random.Below(std::min<uint64_t>(left, 64) + 1));
      const unsigned beyond = static_cast<unsigned>(random.Below(65));
      ASSERT_EQ(reader.PeekBits(beyond),
                ToNumber((bits.substr(at) + std::string(64, '0')).substr(0, beyond)));
      switch (random.Below(4)) {
        case 0:
          at = random.Below(bits.size() + 1);
          reader.SeekTo(at);
          break;
        case 1: {
          const uint64_t skip = random.Below(left + 1);
          reader.SkipBits(skip);
          at += skip;
          break;
        }
        default:
          ASSERT_EQ(reader.ReadBits(n), ToNumber(bits.substr(at, n)));
          at += n;
      }
      ASSERT_EQ(reader.position(), at);
      ASSERT_TRUE(reader.ok());
    }
  }
}

TEST(BitReaderTest, FailsForGoodAtTheEnd) {
  for (size_t size = 0; size <= 140; size++) {
    const std::string bits(size, '1');
    const std::vector<std::byte> bytes = Packed(bits);  // exact size, so that asan detects an access beyond
    for (size_t from = size < 70 ? 0 : size - 70; from <= size; from++) {
      for (size_t n = size - from + 1; n <= 64; n++) {
        BitReader reader(bytes, size);
        reader.SkipBits(from);
        ASSERT_EQ(reader.position(), from);
        ASSERT_EQ(reader.ReadBits(static_cast<unsigned>(n)), 0u);
        ASSERT_FALSE(reader.ok());
        ASSERT_EQ(reader.Check().code(), StatusCode::kCorruption);
        ASSERT_EQ(reader.position(), size);
        reader.SeekTo(0);
        ASSERT_EQ(reader.ReadBits(1), 0u);
        ASSERT_EQ(reader.PeekBits(64), 0u);
      }
    }
    for (uint64_t beyond : {uint64_t{1}, uint64_t{64}, ~uint64_t{0} - size}) {
      BitReader skips(bytes, size);
      skips.SkipBits(size + beyond);
      EXPECT_EQ(skips.error(), BitReader::Error::kOverrun);
      BitReader seeks(bytes, size);
      seeks.SeekTo(size + beyond);
      EXPECT_EQ(seeks.error(), BitReader::Error::kOverrun);
    }
  }
}

TEST(BitReaderTest, HasNoMoreBitsThanItsBytes) {
  const std::vector<std::byte> bytes(3);
  EXPECT_EQ(BitReader(bytes, 25).size(), 24u);
  EXPECT_EQ(BitReader(bytes, ~uint64_t{0}).size(), 24u);
  BitReader empty;
  EXPECT_EQ(empty.size(), 0u);
  EXPECT_EQ(empty.ReadBits(0), 0u);
  EXPECT_TRUE(empty.ok());
  EXPECT_EQ(empty.ReadBits(1), 0u);
  EXPECT_FALSE(empty.ok());
}

}  // namespace
}  // namespace crivello::bits
