// SPDX-License-Identifier: Apache-2.0
#include "search/query/passages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/random.h"

namespace crivello::search {
namespace {

TEST(PassagesTest, CountsEachWordOnceWithinTheWidth) {
  const std::vector<uint32_t> a = {0, 3, 100};
  const std::vector<uint32_t> b = {40, 95};
  const std::vector<PlacedWord> words = {{a, 0, 2.0f}, {b, 1, 3.0f}};
  EXPECT_EQ(BestPassage(words, 5), 3);  // b alone; 95 and 100 are five apart
  EXPECT_EQ(BestPassage(words, 6), 5);  // 95 to 100
  EXPECT_EQ(BestPassage({}, 10), 0);
  // Two lists of one word are worth it once.
  EXPECT_EQ(BestPassage(std::vector<PlacedWord>{{a, 0, 2.0f}, {b, 0, 2.0f}}, 1000), 2);
}

TEST(PassagesTest, FindsWhatTheObviousWayFinds) {
  SeededRandom random(5);
  for (int round = 0; round < 300; round++) {
    std::vector<std::vector<uint32_t>> lists(1 + random.Below(6));
    std::vector<PlacedWord> words;
    for (std::vector<uint32_t>& list : lists) {
      std::set<uint32_t> places;
      for (uint64_t n = random.Below(20); n-- > 0;) places.insert(static_cast<uint32_t>(random.Below(200)));
      list.assign(places.begin(), places.end());
      const size_t word = random.Below(4);
      words.push_back({list, word, static_cast<float>(1 << word)});
    }
    const auto width = static_cast<uint32_t>(1 + random.Below(60));
    float expected = 0;
    for (uint32_t begin = 0; begin < 200; begin++) {
      std::set<size_t> here;
      for (const PlacedWord& word : words) {
        const bool is_here = std::any_of(word.positions.begin(), word.positions.end(), [&](uint32_t place) {
          return place >= begin && place < begin + width;
        });
        if (is_here) here.insert(word.word);
      }
      float sum = 0;
      for (const size_t word : here) sum += static_cast<float>(1 << word);
      expected = std::max(expected, sum);
    }
    EXPECT_EQ(BestPassage(words, width), expected);
  }
}

}  // namespace
}  // namespace crivello::search
