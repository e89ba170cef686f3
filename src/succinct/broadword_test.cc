// SPDX-License-Identifier: Apache-2.0
#include "succinct/broadword.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace crivello::succinct {
namespace {

// Checks both selections for every one of a word, and beyond the last.
void CheckSelect(uint64_t word) {
  unsigned rank = 0;
  for (unsigned i = 0; i < 64; i++) {
    if ((word >> i & 1) == 0) continue;
    ASSERT_EQ(SelectInWordPortable(word, rank), i) << std::hex << word;
    ASSERT_EQ(SelectInWord(word, rank), i) << std::hex << word;
    rank++;
  }
  for (; rank < 64; rank++) {
    ASSERT_GE(SelectInWordPortable(word, rank), 64u) << std::hex << word;
    ASSERT_GE(SelectInWord(word, rank), 64u) << std::hex << word;
  }
}

TEST(BroadwordTest, SelectsEveryOneOfAWord) {
  for (unsigned i = 0; i < 64; i++) {
    CheckSelect(uint64_t{1} << i);
    CheckSelect(LowBits(i));
    CheckSelect(~LowBits(i));
  }
  CheckSelect(~uint64_t{0});
  for (uint64_t byte = 0; byte < 256; byte++) CheckSelect(byte << 16 | byte << 56);
  const uint64_t seed = 1;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int i = 0; i < 2000; i++) {
    const uint64_t word = random.Next();
    CheckSelect(word);
    CheckSelect(word & random.Next() & random.Next());
    CheckSelect(word | random.Next() | random.Next());
  }
}

TEST(BroadwordTest, MasksLowBits) {
  EXPECT_EQ(LowBits(0), 0u);
  EXPECT_EQ(LowBits(1), 1u);
  EXPECT_EQ(LowBits(63), ~uint64_t{0} >> 1);
  EXPECT_EQ(LowBits(64), ~uint64_t{0});
}

}  // namespace
}  // namespace crivello::succinct
