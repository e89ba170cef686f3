// SPDX-License-Identifier: Apache-2.0
#include "search/topk/windows.h"

#include <gmock/gmock.h>

#include "search/search_test_support.h"

namespace crivello::search {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Positions = std::vector<uint32_t>;

Positions Phrase(const std::vector<Positions>& words, const std::vector<uint32_t>& offsets) {
  Positions out;
  BeginPhrase(words[0], offsets[0], &out);
  for (size_t i = 1; i < words.size(); i++) ContinuePhrase(words[i], offsets[i], &out);
  return out;
}

// "Romeo e Giulietta" of the notes: q = p + 1, r = q + 1; the lists are renumbered by 0, 1, 2.
TEST(WindowsTest, FindsThePhraseOfTheNotes) {
  EXPECT_THAT(Phrase({{3, 10, 40}, {1, 4, 7, 11, 41}, {5, 13, 42}}, {0, 1, 2}), ElementsAre(3, 40));
  EXPECT_THAT(Phrase({{3, 10}, {5, 11}, {6, 12}}, {0, 1, 2}), ElementsAre(10));
  EXPECT_THAT(Phrase({{0}, {2}}, {0, 1}), IsEmpty());
  EXPECT_THAT(Phrase({{0, 7}, {2, 9}}, {0, 2}), ElementsAre(0, 7));  // a word between them is no term
  EXPECT_THAT(Phrase({{0, 1, 2}, {0, 1, 2}}, {0, 1}), ElementsAre(0, 1));
  EXPECT_THAT(Phrase({{}, {1}}, {0, 1}), IsEmpty());
}

TEST(WindowsTest, FindsMinimalIntervals) {
  Positions out;
  // a . b a . . b: in order [0,2] and [3,6]; in any order also [2,3].
  const std::vector<Positions> words = {{0, 3}, {2, 6}};
  const std::vector<PositionList> lists(words.begin(), words.end());
  FindOrderedWindows(lists, 4, &out);
  EXPECT_THAT(out, ElementsAre(0, 3));
  out.clear();
  FindOrderedWindows(lists, 3, &out);
  EXPECT_THAT(out, ElementsAre(0));
  out.clear();
  FindUnorderedWindows(lists, 4, &out);
  EXPECT_THAT(out, ElementsAre(0, 2, 3));
}

TEST(WindowsTest, FindsWhatTheObviousWayFinds) {
  for (uint64_t seed = 0; seed < 2000; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    std::vector<Positions> words;
    for (uint64_t i = 1 + random.Below(4); i-- > 0;) {
      words.push_back(index::SomePositions(random, static_cast<uint32_t>(random.Below(6)), 16));
    }
    const std::vector<PositionList> lists(words.begin(), words.end());
    for (const bool ordered : {false, true}) {
      for (uint32_t slop = 0; slop < 8; slop++) {
        const auto width = static_cast<uint32_t>(words.size()) + slop;
        std::vector<uint32_t> offsets;
        for (uint32_t i = 0; i < words.size(); i++) offsets.push_back(i);
        Positions out;
        if (!ordered) {
          FindUnorderedWindows(lists, width, &out);
        } else if (slop == 0) {
          out = Phrase(words, offsets);
        } else {
          FindOrderedWindows(lists, width, &out);
        }
        EXPECT_EQ(out.size(), ObviousWindows(words, {.ordered = ordered, .slop = slop})) << ordered << slop;
        EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
      }
    }
  }
}

}  // namespace
}  // namespace crivello::search
