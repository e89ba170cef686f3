// SPDX-License-Identifier: Apache-2.0
#include "bits/strict_elias_fano.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/random.h"
#include "bits/reference_codes.h"

namespace crivello::bits {
namespace {

using Increasing = std::vector<uint64_t>;

std::vector<std::byte> Coded(const Increasing& numbers, uint64_t u, unsigned offset) {
  BitWriter writer;
  writer.WriteZeros(offset);
  const StrictEliasFano code(numbers.size(), u);
  code.Write(writer, std::span<const uint64_t>(numbers));
  EXPECT_EQ(writer.position() - offset, code.bits());
  const Bytes bytes = writer.Finish();
  return {bytes.begin(), bytes.end()};
}

void ExpectRoundTrip(const Increasing& numbers, uint64_t u) {
  const StrictEliasFano code(numbers.size(), u);
  for (const unsigned offset : {0u, 3u}) {
    std::vector<std::byte> bytes = Coded(numbers, u, offset);
    for (const size_t slack : {0u, 16u}) {
      bytes.resize(bytes.size() + slack, std::byte{0xff});
      for (const size_t first : {size_t{0}, numbers.size() / 3, numbers.size() / 2}) {
        Increasing read(numbers.size() - first);
        const StrictEliasFano::Range range = {
            .first = first, .count = numbers.size() - first, .previous = first > 0 ? numbers[first - 1] : 0};
        ASSERT_TRUE(code.Read(bytes, offset, range, read.data()));
        ASSERT_EQ(read, Increasing(numbers.begin() + static_cast<ptrdiff_t>(first), numbers.end()));
      }
    }
  }
}

Increasing RandomSet(Random& random, size_t n, uint64_t u) {
  std::set<uint64_t> set;
  while (set.size() < n) set.insert(random.Below(u));
  return {set.begin(), set.end()};
}

TEST(StrictEliasFanoTest, ReadsWhatWasWrittenFromAnyNumberOn) {
  for (uint64_t seed = 0; seed < 300; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    const uint64_t u = 1 + (random.Next() >> (8 + random.Below(56)));
    const size_t n = random.Below(std::min<uint64_t>(u / 2 + 1, 300));
    ExpectRoundTrip(RandomSet(random, n, u), u);
  }
  ExpectRoundTrip({}, 0);
  ExpectRoundTrip({}, 10);
  ExpectRoundTrip({(uint64_t{1} << 56) - 1}, uint64_t{1} << 56);
}

TEST(StrictEliasFanoTest, NeedsNoBitsForAFullIntervalAndItsBitmapForADenseOne) {
  EXPECT_EQ(StrictEliasFano(1000, 1000).bits(), 0u);
  EXPECT_EQ(StrictEliasFano(500, 1000).bits(), 1000u);
  EXPECT_EQ(StrictEliasFano(1, 1000).bits(), 10u);
  // A dense set is its bitmap: a one for each number in it, a zero for each other.
  const auto bytes = Coded({0, 1, 3, 4, 5, 8}, 10, 0);
  EXPECT_EQ(reference::Unpacked(bytes, 10), "1101110010");
}

// 5, 8, 9, 15, 32 below 37 give 5, 7, 7, 12, 28, at most 32; l = 2 reduces that to 8, below 2 n.
TEST(StrictEliasFanoTest, WritesTheExampleOfTheFormatPage) {
  EXPECT_EQ(reference::Unpacked(Coded({5, 8, 9, 15, 32}, 37, 0), 23),
            "0111110000"
            "0111001000010");
}

TEST(StrictEliasFanoTest, IsNeverLongerThanAnyChoiceOfLowerBits) {
  for (uint64_t n = 1; n < 40; n++) {
    for (uint64_t u = n; u < 2000; u += 1 + u / 7) {
      const uint64_t m = u - n;
      uint64_t least = n * static_cast<unsigned>(std::bit_width(m));
      for (unsigned l = 0; l < 12; l++) least = std::min(least, n * l + n + (m >> l));
      EXPECT_EQ(StrictEliasFano(n, u).bits(), least) << n << " below " << u;
    }
  }
}

TEST(StrictEliasFanoTest, GivesOnlyIncreasingNumbersBelowTheBoundOrSaysFalse) {
  SeededRandom random(1);
  int good = 0;
  for (int round = 0; round < 20000; round++) {
    std::vector<std::byte> bytes(random.Below(12));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.Next());
    const uint64_t u = 1 + random.Below(100);
    const uint64_t n = random.Below(std::min<uint64_t>(u, 8) + 1);
    Increasing read(n);
    if (!StrictEliasFano(n, u).Read(bytes, random.Below(8), {.count = n}, read.data())) continue;
    good++;
    ASSERT_TRUE(std::adjacent_find(read.begin(), read.end(), std::greater_equal<>()) == read.end());
    ASSERT_TRUE(read.empty() || read.back() < u);
  }
  EXPECT_GT(good, 1000);
}

}  // namespace
}  // namespace crivello::bits
