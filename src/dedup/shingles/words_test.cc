// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles/words.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace crivello::dedup {
namespace {

std::string JoinedWords(std::string_view text) { return std::string(Words(text).joined()); }

TEST(WordsTest, AreRunsOfLettersAndDigitsInFoldedCase) {
  EXPECT_EQ(JoinedWords("Tropical fish, include FISH."), "tropical fish include fish");
  EXPECT_EQ(JoinedWords("  12 May 2026: covid19 1.5kg"), "0 may 0 covid0 0 0kg");
  EXPECT_EQ(JoinedWords("Überraschung ÉTÉ Ελλάδα"), "überraschung été ελλάδα");
  EXPECT_EQ(JoinedWords(""), "");
  EXPECT_EQ(JoinedWords("-- . !"), "");
  EXPECT_EQ(JoinedWords("١٢٣ ٤"), "0 0") << "digits of other scripts";
}

TEST(WordsTest, AreCharactersWhereThereAreNoSpaces) {
  EXPECT_EQ(JoinedWords("热带鱼 fish魚"), "热 带 鱼 fish 魚");
  EXPECT_EQ(Words("热带鱼").size(), 3u);
}

TEST(WordsTest, ReplaceBytesThatAreNotUtf8) {
  EXPECT_EQ(JoinedWords("a\xff"
                        "b \xc3"),
            "a\xef\xbf\xbd"
            "b \xef\xbf\xbd");
}

TEST(WordsTest, GiveSequencesAsPiecesOfOneString) {
  Words words("One two  three four");
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[0], "one");
  EXPECT_EQ(words[3], "four");
  EXPECT_EQ(words.Gram(1, 2), "two three");
  EXPECT_EQ(words.Gram(0, 4), words.joined());
  words.Read("again");
  EXPECT_EQ(words.size(), 1u);
  EXPECT_EQ(words[0], "again");
}

// Normalising normalised words changes nothing, for any bytes.
TEST(WordsTest, AreTheirOwnNormalForm) {
  SeededRandom random(3);
  for (int round = 0; round < 300; round++) {
    std::string text;
    for (uint64_t bytes = random.Below(60); bytes > 0; bytes--) {
      text += random.Below(3) == 0 ? static_cast<char>(random.Below(256)) : "aZ0 é魚ǅ"[random.Below(10)];
    }
    const std::string once = JoinedWords(text);
    const Words words(text);
    size_t letters = 0;
    for (size_t i = 0; i < words.size(); i++) letters += words[i].size();
    if (!words.empty()) {
      EXPECT_EQ(letters + words.size() - 1, once.size());
    }
  }
}

}  // namespace
}  // namespace crivello::dedup
