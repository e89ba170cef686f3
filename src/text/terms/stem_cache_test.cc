// SPDX-License-Identifier: Apache-2.0
#include "text/terms/stem_cache.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace crivello::text {
namespace {

// Some stems are not a prefix of their word, some are longer, some differ from the first letter.
std::string Stem(std::string_view word) {
  if (word.size() % 5 == 0) return std::string(word.rbegin(), word.rend());
  if (word.size() % 5 == 1) return std::string(word) + "e";
  return std::string(word.substr(0, word.size() / 2)) + "y";
}

// Whatever was requested before, the answer equals the function's; and the function is called less often.
TEST(StemCacheTest, AnswersAsTheFunctionItStandsFor) {
  const uint64_t seed = 3;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  StemCache cache;
  std::string made;
  int calls = 0;
  const auto stem = [&](std::string_view word) {
    ++calls;
    made = Stem(word);
    return std::string_view(made);
  };
  constexpr int kRounds = 200000;
  for (int round = 0; round < kRounds; ++round) {
    // Few short words, many long ones; lengths above and below the limit of an entry.
    std::string word;
    const uint64_t length = random.Below(50);
    for (uint64_t i = 0; i < length; ++i)
      word += static_cast<char>('a' + random.Below(length < 4 ? 3 : 2) * 128);
    if (random.Below(2) == 0) word = word.substr(0, 3);
    char out[64];
    const size_t size = cache.Get(word, out, sizeof out, stem);
    ASSERT_EQ(std::string_view(out, size), Stem(word));
  }
  EXPECT_LT(calls, kRounds * 3 / 4);
}

TEST(StemCacheTest, WritesNoMoreThanThereIsRoom) {
  StemCache cache;
  const std::string long_stem(200, 'x');
  char out[33];
  out[32] = '!';
  for (const std::string& word : {std::string("short"), std::string(100, 'y')}) {
    const auto stem = [&](std::string_view) { return std::string_view(long_stem); };
    EXPECT_EQ(cache.Get(word, out, 32, stem), 32u);
    EXPECT_EQ(out[32], '!');
  }
  const std::string word(StemCache::kMaxWordBytes, 'z');
  for (int twice = 0; twice < 2; ++twice) {
    EXPECT_EQ(cache.Get(word, out, 32, [](std::string_view) { return std::string_view("zzy"); }), 3u);
    EXPECT_EQ(std::string_view(out, 3), "zzy");
    EXPECT_EQ(out[32], '!');
  }
}

}  // namespace
}  // namespace crivello::text
