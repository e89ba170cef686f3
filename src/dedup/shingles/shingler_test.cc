// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles/shingler.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "dedup/shingles/selection.h"

namespace crivello::dedup {
namespace {

constexpr std::string_view kFishText =
    "Tropical fish include fish found in tropical environments around the world, including both freshwater "
    "and salt water species.";

std::vector<std::string> ShinglesOf(std::string_view text, ShingleOptions options) {
  const Words words(text);
  Shingler shingler = Shingler::Create(options).value();
  std::vector<std::string> pieces;
  for (const Shingle& shingle : shingler.Cut(words)) {
    pieces.emplace_back(words.joined().substr(shingle.begin, shingle.end - shingle.begin));
  }
  return pieces;
}

// The worked example of the lecture notes, which have "round the world" as the ninth.
TEST(ShinglerTest, CutsTheTextOfTheSlidesIntoSixteenTrigrams) {
  const auto grams = ShinglesOf(kFishText, {.n = 3});
  EXPECT_EQ(grams, (std::vector<std::string>{
                       "tropical fish include", "fish include fish", "include fish found", "fish found in",
                       "found in tropical", "in tropical environments", "tropical environments around",
                       "environments around the", "around the world", "the world including",
                       "world including both", "including both freshwater", "both freshwater and",
                       "freshwater and salt", "and salt water", "salt water species"}));
  // The hash values given in the slides, and those that are 0 mod 4.
  const std::vector<uint64_t> values = {938, 664, 463, 822, 492, 798, 78,  969,
                                        143, 236, 913, 908, 694, 553, 870, 779};
  ASSERT_EQ(values.size(), grams.size());
  std::vector<uint64_t> selected;
  std::vector<std::string> representing;
  for (const size_t i : SelectedPositions(values, {.kind = Selection::Kind::kMod, .parameter = 4})) {
    selected.push_back(values[i]);
    representing.push_back(grams[i]);
  }
  EXPECT_EQ(selected, (std::vector<uint64_t>{664, 492, 236, 908}));
  EXPECT_EQ(representing, (std::vector<std::string>{"fish include fish", "found in tropical",
                                                    "the world including", "including both freshwater"}));
}

TEST(ShinglerTest, CutsWithoutOverlap) {
  EXPECT_EQ(ShinglesOf("a b c d e", {.n = 2, .overlapping = false}),
            (std::vector<std::string>{"a b", "c d", "e"}));
  EXPECT_EQ(ShinglesOf("a b c d", {.n = 2, .overlapping = false}), (std::vector<std::string>{"a b", "c d"}));
}

TEST(ShinglerTest, CutsCharactersOfAnyScript) {
  EXPECT_EQ(ShinglesOf("a béà", {.unit = ShingleOptions::Unit::kCharacters, .n = 3}),
            (std::vector<std::string>{"a b", " bé", "béà"}));
  EXPECT_EQ(ShinglesOf("热带鱼鱼", {.n = 3}), (std::vector<std::string>{"热 带 鱼", "带 鱼 鱼"}));
}

TEST(ShinglerTest, MakesOneShingleOfAShortText) {
  EXPECT_EQ(ShinglesOf("two words", {}), (std::vector<std::string>{"two words"}));
  EXPECT_TRUE(ShinglesOf("", {}).empty());
  EXPECT_FALSE(Shingler::Create({.n = 0}).ok());
  EXPECT_FALSE(Shingler::Create({.n = 1001}).ok());
}

TEST(ShinglerTest, GivesEqualShinglesEqualFingerprintsAndNoOthers) {
  SeededRandom random(1);
  std::string text;
  for (int i = 0; i < 2000; i++) text += std::string(1, static_cast<char>('a' + random.Below(4))) + " ";
  const Words words(text);
  for (const bool overlapping : {true, false}) {
    Shingler shingler = Shingler::Create({.n = 4, .overlapping = overlapping}).value();
    const auto shingles = shingler.Cut(words);
    std::set<std::string_view> pieces;
    for (const Shingle& one : shingles) {
      pieces.insert(words.joined().substr(one.begin, one.end - one.begin));
    }
    EXPECT_EQ(FingerprintSet(shingles).size(), pieces.size());
  }
}

}  // namespace
}  // namespace crivello::dedup
