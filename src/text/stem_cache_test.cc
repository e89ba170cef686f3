// SPDX-License-Identifier: Apache-2.0
#include "text/stem_cache.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace crivello::text {
namespace {

// Whatever was asked for before, the answer is what the function says; and it is asked less often than that.
TEST(StemCacheTest, AnswersAsTheFunctionItStandsFor) {
  const uint64_t seed = 3;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  StemCache cache;
  std::string made;
  int calls = 0;
  const auto reverse = [&](std::string_view word) {
    ++calls;
    made.assign(word.rbegin(), word.rend());
    return std::string_view(made);
  };
  constexpr int kRounds = 200000;
  for (int round = 0; round < kRounds; ++round) {
    // Few short words, many long ones; lengths on both sides of what an entry holds.
    std::string word;
    const uint64_t length = random.Below(50);
    for (uint64_t i = 0; i < length; ++i)
      word += static_cast<char>('a' + random.Below(length < 4 ? 3 : 2) * 128);
    if (random.Below(2) == 0) word = word.substr(0, 3);
    char out[64];
    const size_t size = cache.Get(word, out, sizeof out, reverse);
    ASSERT_EQ(std::string_view(out, size), std::string(word.rbegin(), word.rend()));
  }
  EXPECT_LT(calls, kRounds * 3 / 4);
}

TEST(StemCacheTest, WritesNoMoreThanThereIsRoom) {
  StemCache cache;
  const std::string long_stem(200, 'x');
  char out[StemCache::kMaxStemBytes + 1];
  out[StemCache::kMaxStemBytes] = '!';
  for (const std::string& word : {std::string("short"), std::string(100, 'y')}) {
    EXPECT_EQ(cache.Get(word, out, StemCache::kMaxStemBytes,
                        [&](std::string_view) -> std::string_view { return long_stem; }),
              StemCache::kMaxStemBytes);
    EXPECT_EQ(out[StemCache::kMaxStemBytes], '!');
  }
}

}  // namespace
}  // namespace crivello::text
