// SPDX-License-Identifier: Apache-2.0
#include "bits/word_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/random.h"

namespace crivello::bits {
namespace {

using testing::ElementsAre;

WordSet Set(std::vector<std::string> words) {
  auto set = WordSet::Of(std::move(words));
  EXPECT_TRUE(set.ok()) << set.status().ToString();
  return *std::move(set);
}

bool Comparable(std::string_view a, std::string_view b) { return a.starts_with(b) || b.starts_with(a); }

// All words of at most `length` bits.
std::vector<std::string> AllWords(size_t length) {
  std::vector<std::string> words = {""};
  for (size_t i = 0; i < words.size(); i++) {
    if (words[i].size() == length) continue;
    words.push_back(words[i] + "0");
    words.push_back(words[i] + "1");
  }
  return words;
}

TEST(WordSetTest, JudgesTheCodesOfTheNotes) {
  const WordSet good = Set({"0", "1"});
  EXPECT_TRUE(good.instantaneous());
  EXPECT_TRUE(good.complete());
  EXPECT_EQ(good.sum().ToString(), "1");
  EXPECT_FALSE(good.FindAmbiguity().has_value());

  // 001 is 0 and 01, or 0, 0 and 1; yet by the definition of the notes the code is complete.
  const WordSet bad = Set({"0", "01", "1"});
  EXPECT_FALSE(bad.instantaneous());
  EXPECT_EQ(bad.prefix()->prefix, "0");
  EXPECT_EQ(bad.prefix()->word, "01");
  EXPECT_TRUE(bad.complete());
  EXPECT_EQ(bad.sum().ToString(), "5/4");
  const auto ambiguity = bad.FindAmbiguity();
  ASSERT_TRUE(ambiguity.has_value());
  EXPECT_EQ(ambiguity->text, "01");
  EXPECT_THAT(ambiguity->one, ElementsAre("0", "1"));
  EXPECT_THAT(ambiguity->other, ElementsAre("01"));
}

TEST(WordSetTest, NamesTheShortestWordThatCouldBeAdded) {
  EXPECT_EQ(Set({"0", "10"}).missing(), "11");
  EXPECT_EQ(Set({"1", "01", "001"}).missing(), "000");
  EXPECT_EQ(Set({"11"}).missing(), "0");
  EXPECT_FALSE(Set({""}).missing().has_value());
}

TEST(WordSetTest, ReadsACodeThatIsUniquelyDecodableThoughNotInstantaneous) {
  const WordSet backwards = Set({"0", "01", "11"});  // a prefix code if read from the end
  EXPECT_FALSE(backwards.instantaneous());
  EXPECT_FALSE(backwards.FindAmbiguity().has_value());
}

TEST(WordSetTest, AgreesWithTheDefinitionsOnRandomCodes) {
  SeededRandom random(27);
  const std::vector<std::string> all = AllWords(6);
  int instantaneous = 0, complete = 0, ambiguous = 0;
  for (int round = 0; round < 300; round++) {
    std::set<std::string> chosen;
    const uint64_t size = 1 + random.Below(6);
    while (chosen.size() < size) chosen.insert(all[1 + random.Below(random.Below(2) == 0 ? 14 : 62)]);
    const std::vector<std::string> words(chosen.begin(), chosen.end());
    SCOPED_TRACE(testing::PrintToString(words));
    const WordSet set = Set(words);
    bool prefix_free = true;
    for (const auto& a : words) {
      for (const auto& b : words) prefix_free &= a == b || !Comparable(a, b);
    }
    EXPECT_EQ(set.instantaneous(), prefix_free);
    // Six bits are enough, because no word of the code is longer.
    const bool covers = std::all_of(all.begin(), all.end(), [&](const std::string& word) {
      return std::any_of(words.begin(), words.end(),
                         [&](const std::string& one) { return Comparable(word, one); });
    });
    EXPECT_EQ(set.complete(), covers);
    if (prefix_free) {
      EXPECT_EQ(set.complete(), set.sum().IsOne());
    }
    // All strings of up to 9 bits, with the number of ways to read each.
    std::map<std::string, uint64_t> ways = {{"", 1}};
    bool twice = false;
    std::vector<std::string> texts = AllWords(9);
    for (const std::string& text : texts) {
      if (text.empty()) continue;
      uint64_t count = 0;
      for (const std::string& word : words) {
        if (text.ends_with(word)) count += ways[text.substr(0, text.size() - word.size())];
      }
      ways[text] = count;
      twice |= count > 1;
    }
    const auto found = set.FindAmbiguity();
    if (twice) {
      EXPECT_TRUE(found.has_value());
    }
    if (found) {
      ambiguous++;
      std::string one, other;
      for (const std::string& word : found->one) one += word;
      for (const std::string& word : found->other) other += word;
      EXPECT_EQ(one, found->text);
      EXPECT_EQ(other, found->text);
      EXPECT_NE(found->one, found->other);
      for (const auto* reading : {&found->one, &found->other}) {
        for (const std::string& word : *reading) EXPECT_TRUE(chosen.contains(word)) << word;
      }
    }
    instantaneous += prefix_free;
    complete += covers;
  }
  EXPECT_GT(instantaneous, 20);
  EXPECT_GT(complete, 3);
  EXPECT_GT(ambiguous, 20);
}

TEST(WordSetTest, RefusesWhatIsNoSetOfBinaryWords) {
  EXPECT_THAT(WordSet::Of({"0", "2"}).status().message(), testing::HasSubstr("'2'"));
  EXPECT_THAT(WordSet::Of({"0", "1", "0"}).status().message(), testing::HasSubstr("'0' is given twice"));
  EXPECT_FALSE(WordSet::Of({}).ok());
  EXPECT_FALSE(WordSet::Of({std::string(65, '0')}).ok());
  EXPECT_TRUE(WordSet::Of({std::string(64, '0')}).ok());
}

}  // namespace
}  // namespace crivello::bits
