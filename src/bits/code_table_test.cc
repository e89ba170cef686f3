// SPDX-License-Identifier: Apache-2.0
#include "bits/code_table.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace crivello::bits {
namespace {

template <typename Visit>
void ForEachTable(const Visit& visit) {
  visit("unary", UnaryCode());
  visit("gamma", GammaCode());
  visit("delta", DeltaCode());
  for (unsigned k : {1u, 2u, 3u, 7u, 64u}) visit("zeta" + std::to_string(k), ZetaCode(k));
  for (uint64_t b : {uint64_t{1}, uint64_t{3}, uint64_t{8}, uint64_t{300}, uint64_t{1} << 63}) {
    visit("golomb" + std::to_string(b), GolombCode(b));
  }
  for (uint64_t max : {uint64_t{0}, uint64_t{1}, uint64_t{6}, uint64_t{300}, ~uint64_t{0}}) {
    visit("minimal-binary to " + std::to_string(max), MinimalBinaryCode(max));
  }
  visit("nibble", NibbleCode());
  visit("vbyte", ByteCode());
  visit("vbyte-prefix", PrefixByteCode());
}

std::vector<std::byte> RandomBytes(Random& random, size_t size, bool sparse) {
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(sparse ? random.Next() & random.Next() & random.Next() : random.Next());
  }
  return bytes;
}

// Numbers, status and position are the same as one by one, wherever the stream or the block ends.
TEST(CodeTableTest, DecodesAsTheCodeDoes) {
  SeededRandom random(1);
  ForEachTable([&random](const std::string& name, const auto& code) {
    SCOPED_TRACE(name);
    const CodeTable table(code);
    for (int round = 0; round < 60; round++) {
      const std::vector<std::byte> bytes = RandomBytes(random, random.Below(200), round % 3 == 0);
      const uint64_t bits = 8 * bytes.size() - (bytes.empty() ? 0 : random.Below(8));
      BitReader slow(bytes, bits);
      slow.SkipBits(random.Below(bits + 1));
      BitReader fast = slow;
      std::vector<uint64_t> expected(random.Below(400));
      for (uint64_t& x : expected) x = code.Read(slow);
      std::vector<uint64_t> decoded(expected.size(), 77);
      EXPECT_EQ(table.Decode(fast, decoded).ok(), slow.ok());
      ASSERT_EQ(decoded, expected);
      ASSERT_EQ(fast.position(), slow.position());
      ASSERT_EQ(fast.error(), slow.error());
    }
  });
}

TEST(CodeTableTest, ReadsBackLongAndShortWords) {
  SeededRandom random(2);
  const CodeTable table{GammaCode()};
  std::vector<uint64_t> numbers(5000);
  for (uint64_t& x : numbers) x = random.Below(20) == 0 ? random.Next() >> random.Below(64) : random.Below(6);
  BitWriter writer;
  for (uint64_t x : numbers) GammaCode::Write(writer, x);
  BitReader reader(writer.Finish());
  std::vector<uint64_t> decoded(numbers.size());
  ASSERT_TRUE(table.Decode(reader, decoded).ok());
  EXPECT_EQ(decoded, numbers);
}

}  // namespace
}  // namespace crivello::bits
