// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/little_bit_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "bits/codes.h"
#include "graph/array_graph.h"
#include "graph/bv/bv_code_writer.h"
#include "graph/bv/bv_graph.h"
#include "graph/bv/bv_source.h"
#include "graph/bv/bv_test_support.h"

namespace crivello::graph {
namespace {

using Kind = BvCode::Kind;

// Writes bits in either order, one by one, and the codes by their definitions.
class PlainWriter {
 public:
  explicit PlainWriter(bool little) : little_(little) {}

  void Bit(uint64_t bit) {
    if (size_ % 8 == 0) bytes_.push_back(std::byte{0});
    const uint64_t place = little_ ? size_ % 8 : 7 - size_ % 8;
    bytes_.back() |= static_cast<std::byte>((bit & 1) << place);
    size_++;
  }
  void Bits(uint64_t x, unsigned n) {
    for (unsigned i = 0; i < n; i++) Bit(little_ ? x >> i : x >> (n - 1 - i));
  }
  void Unary(uint64_t x) {
    while (x-- > 0) Bit(0);
    Bit(1);
  }
  void Code(BvCode code, uint64_t x) {
    const auto log = static_cast<unsigned>(std::bit_width(x + 1)) - 1;
    switch (code.kind) {
      case Kind::kUnary:
        return Unary(x);
      case Kind::kGamma:
        Unary(log);
        return Bits(x + 1 - (uint64_t{1} << log), log);
      case Kind::kDelta:
        Code({Kind::kGamma}, log);
        return Bits(x + 1 - (uint64_t{1} << log), log);
      case Kind::kZeta: {
        const unsigned h = log / code.parameter;
        Unary(h);
        const uint64_t left = uint64_t{1} << (h * code.parameter);
        return MinimalBinary(x + 1 - left, (left << code.parameter) - left);
      }
      case Kind::kGolomb:
        Unary(x / code.parameter);
        return MinimalBinary(x % code.parameter, code.parameter);
      case Kind::kNibble: {
        unsigned nibbles = 1;
        while (x >> (3 * nibbles) != 0) nibbles++;
        while (nibbles-- > 0) {
          Bit(nibbles == 0);
          Bits(x >> (3 * nibbles) & 7, 3);
        }
        return;
      }
      case Kind::kOmega:
        Omega(x + 1);
        return Bit(0);
      case Kind::kPi:
        Unary(log >> code.parameter);
        Bits(log & ((1u << code.parameter) - 1), code.parameter);
        return Bits(x + 1 - (uint64_t{1} << log), log);
    }
  }
  std::vector<std::byte> Take() { return std::move(bytes_); }

 private:
  // First the lengths of the blocks; a block is its highest bit, and then the others.
  void Omega(uint64_t x) {
    if (x <= 1) return;
    const auto log = static_cast<unsigned>(std::bit_width(x)) - 1;
    Omega(log);
    Bit(1);
    Bits(x - (uint64_t{1} << log), log);
  }
  void MinimalBinary(uint64_t x, uint64_t count) {
    const auto log = static_cast<unsigned>(std::bit_width(count)) - 1;
    const uint64_t shorts = (uint64_t{2} << log) - count;
    if (x < shorts) return Bits(x, log);
    // The bit that distinguishes long codewords comes last, in either order.
    Bits((x + shorts) >> 1, log);
    Bit(x + shorts);
  }

  const bool little_;
  uint64_t size_ = 0;
  std::vector<std::byte> bytes_;
};

template <typename Reader>
void ExpectCodesRead(bool little) {
  SeededRandom random(41);
  std::vector<BvCode> codes = {
      {Kind::kUnary}, {Kind::kGamma}, {Kind::kDelta}, {Kind::kNibble}, {Kind::kOmega}};
  for (const uint32_t k : {1u, 2u, 3u, 4u, 7u}) codes.push_back({Kind::kZeta, k});
  for (const uint32_t k : {1u, 2u, 3u, 4u}) codes.push_back({Kind::kPi, k});
  for (const uint32_t modulus : {1u, 3u, 8u, 1000u}) codes.push_back({Kind::kGolomb, modulus});
  for (const BvCode code : codes) {
    std::vector<uint64_t> numbers;
    for (uint64_t x = 0; x < 70; x++) numbers.push_back(x);
    const bool grows = code.kind == Kind::kUnary || code.kind == Kind::kGolomb;
    for (int i = 0; i < 50; i++) numbers.push_back(random.Next() >> (grows ? 54 : 2 + random.Below(60)));
    PlainWriter writer(little);
    for (const uint64_t x : numbers) writer.Code(code, x);
    const std::vector<std::byte> bytes = writer.Take();
    Reader reader{Bytes(bytes)};
    for (const uint64_t x : numbers) ASSERT_EQ(ReadBvCode(code, reader), x) << code.Name() << code.parameter;
    EXPECT_TRUE(reader.ok());
    EXPECT_EQ((reader.position() + 7) / 8, bytes.size());
    // Our writer's output is the same.
    if (little || code.kind == Kind::kOmega || code.kind == Kind::kPi) continue;
    bits::BitWriter ours;
    const BvCodeWriter code_writer(code);
    uint64_t length = 0;
    for (const uint64_t x : numbers) length += code_writer.Write(x, ours);
    EXPECT_EQ(length, ours.position());
    EXPECT_TRUE(std::ranges::equal(ours.Finish(), bytes)) << code.Name() << code.parameter;
  }
}

TEST(BvCodesTest, AreReadFromBigEndianStreams) { ExpectCodesRead<BigBitReader>(false); }
TEST(BvCodesTest, AreReadFromLittleEndianStreams) { ExpectCodesRead<LittleBitReader>(true); }

TEST(BvCodesTest, FailOnAnyDamageWithoutReadingOutside) {
  SeededRandom random(42);
  for (int round = 0; round < 2000; round++) {
    std::vector<std::byte> bytes(random.Below(24));
    const int shift = static_cast<int>(random.Below(8));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.Below(256) >> shift);
    for (const Kind kind : {Kind::kUnary, Kind::kGamma, Kind::kDelta, Kind::kZeta, Kind::kGolomb,
                            Kind::kNibble, Kind::kOmega, Kind::kPi}) {
      const BvCode code = {kind, static_cast<uint32_t>(1 + random.Below(4))};
      LittleBitReader little{Bytes(bytes)};
      while (little.ok()) ReadBvCode(code, little);
      EXPECT_EQ(ReadBvCode(code, little), 0u);
      BigBitReader big{Bytes(bytes)};
      while (big.ok()) ReadBvCode(code, big);
      EXPECT_EQ(ReadBvCode(code, big), 0u);
    }
  }
}

// A graph as WebGraph in Rust can write it: little-endian, version 1, other codes.
TEST(BvCodesTest, ALittleEndianGraphIsRead) {
  const ArrayGraph expected = ArrayGraph::FromArcs(4, {{0, 1}, {0, 3}, {1, 1}, {1, 3}, {3, 0}});
  const BvProperties properties = {
      .nodes = 4,
      .arcs = 5,
      .parameters = {.codes = {.outdegrees = {Kind::kOmega}, .residuals = {Kind::kPi, 2}},
                     .little_endian = true}};
  const BvCodes& codes = properties.parameters.codes;
  PlainWriter writer(true);
  writer.Code(codes.outdegrees, 2);  // 0: 1 and 3
  writer.Code(codes.references, 0);
  writer.Code(codes.intervals, 0);
  writer.Code(codes.residuals, 2);
  writer.Code(codes.residuals, 1);
  writer.Code(codes.outdegrees, 2);  // 1: as node 0
  writer.Code(codes.references, 1);
  writer.Code(codes.block_counts, 0);
  writer.Code(codes.outdegrees, 0);  // 2
  writer.Code(codes.outdegrees, 1);  // 3: 0
  writer.Code(codes.references, 0);
  writer.Code(codes.intervals, 0);
  writer.Code(codes.residuals, 5);
  const std::vector<std::byte> bytes = writer.Take();
  const auto graph =
      BvGraph::FromBytes(properties, bytes, std::nullopt, "little", {.offsets = BvOffsetsFrom::kFileOrScan});
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  EXPECT_TRUE(ArrayGraph::Copy(**graph).value() == expected);
  EXPECT_TRUE(UseAnyGraph(**graph));
}

}  // namespace
}  // namespace crivello::graph
