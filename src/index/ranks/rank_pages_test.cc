// SPDX-License-Identifier: Apache-2.0
#include "index/ranks/rank_pages.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/random.h"
#include "index/ranks/rank_test_support.h"
#include "index/segments/document_values.h"

namespace crivello::index {
namespace {

PlainRank RandomRank(uint64_t pages, SeededRandom& random) {
  PlainRank rank;
  while (rank.size() < pages) {
    rank["https://example.org/" + std::to_string(random.Below(1 << 30))] =
        static_cast<float>(std::exp(-18 * random.Unit()));
  }
  return rank;
}

TEST(RankScaleTest, HasTheMedianOfAllValuesAndThePivotOfThoseAboveZero) {
  const RankScale scale = MakeRankScale("mine", 7, std::vector<float>{0, 0, 0, 0, 8, 2, 4, 0, 0});
  EXPECT_EQ(scale.pages, 9u);
  EXPECT_EQ(scale.median, 0);
  EXPECT_EQ(scale.pivot, 4);
  const RankScale even = MakeRankScale("mine", 7, std::vector<float>{1, 2, 3, 4});
  EXPECT_EQ(even.median, 2);
  EXPECT_EQ(even.pivot, 2);
  EXPECT_EQ(MakeRankScale("mine", 7, {}).pivot, 1);
  EXPECT_EQ(MakeRankScale("mine", 7, std::vector<float>{0, 0}).pivot, 1);
}

TEST(RankScaleTest, TakesWhatIsNoRankForZero) {
  const float infinity = std::numeric_limits<float>::infinity();
  const RankScale scale = MakeRankScale("mine", 7, std::vector<float>{-1, std::nanf(""), infinity, 3, 5, 6});
  EXPECT_EQ(scale.median, 0);
  EXPECT_EQ(scale.table[0], 0);
  EXPECT_EQ(scale.table[255], 6);
}

TEST(RankScaleTest, HasTheMedianItselfAmongManyRoundedValues) {
  SeededRandom random(5);
  const PlainRank rank = RandomRank(5001, random);
  const RankScale scale = ScaleOf("mine", 1, rank);
  EXPECT_EQ(scale.median, PlainMedian(rank));
  EXPECT_EQ(scale.table[scale.median_code()], scale.median);
  for (size_t i = 1; i < scale.table.size(); i++) ASSERT_LE(scale.table[i - 1], scale.table[i]);
}

TEST(RankScaleTest, KnowsNamesThatCanBeFiles) {
  for (const char* name : {"pagerank", "a", "harmonic-2", "x0"}) EXPECT_TRUE(IsRankName(name)) << name;
  for (const char* name : {"", "-a", "2a", "Page", "a/b", "..", "a.b", "a b"})
    EXPECT_FALSE(IsRankName(name)) << name;
  EXPECT_FALSE(IsRankName(std::string(41, 'a')));
}

TEST(RankPagesTest, FindsThePagesOfAMapAndNoOthers) {
  SeededRandom random(6);
  for (const uint64_t size : {0u, 1u, 2u, 100u, 20'000u}) {
    const PlainRank rank = RandomRank(size, random);
    const auto pages = PagesOf("mine", 3, rank);
    ASSERT_EQ(pages->pages(), size);
    ASSERT_TRUE(pages->Check().ok());
    for (const auto& [url, value] : rank) {
      const auto code = pages->Find(UrlKey(url));
      ASSERT_TRUE(code.has_value()) << url;
      ASSERT_NEAR(pages->scale().table[*code], value, 0.057f * value);
    }
    for (uint64_t i = 0; i < 1000; i++) ASSERT_FALSE(pages->Find(UrlKey("other" + std::to_string(i))));
    for (const int64_t key : {int64_t{0}, int64_t{-1}, INT64_MAX, INT64_MIN}) ASSERT_FALSE(pages->Find(key));
  }
}

TEST(RankPagesTest, FindHostsAndDomainsAndTellThemFromPages) {
  RankPagesBuilder builder(MakeRankScale("mine", 3, std::vector<float>{1, 2, 3, 4}));
  builder.AddHost("www.example.org", 4);
  builder.AddDomain("example.org", 2);
  builder.AddDomain("192.0.2.1", 3);
  builder.Add("https://example.net/", 1);
  const auto pages = std::move(builder).Finish();
  const auto value = [&](std::string_view host) {
    const auto code = pages->FindHost(host);
    return code ? pages->scale().table[*code] : 0;
  };
  EXPECT_EQ(value("www.example.org"), 4);
  EXPECT_EQ(value("other.example.org"), 2);
  EXPECT_EQ(value("example.org"), 2);
  EXPECT_EQ(value("192.0.2.1"), 3);
  EXPECT_EQ(value("example.net"), 0);
  EXPECT_FALSE(pages->Find(UrlKey("www.example.org")));
  EXPECT_TRUE(pages->Check().ok());
}

TEST(RankPagesTest, DoNotDependOnTheOrderInWhichPagesCome) {
  SeededRandom random(8);
  const PlainRank rank = RandomRank(500, random);
  RankPagesBuilder backwards(ScaleOf("mine", 3, rank));
  for (auto at = rank.rbegin(); at != rank.rend(); ++at) backwards.Add(at->first, at->second);
  const auto pages = std::move(backwards).Finish();
  EXPECT_EQ(AsText(pages->image()), AsText(PagesOf("mine", 3, rank)->image()));
}

TEST(RankPagesTest, KeepTheGreaterValueOfAPageThatComesTwice) {
  RankPagesBuilder builder(MakeRankScale("mine", 1, std::vector<float>{1, 2, 3}));
  for (const float value : {2.0f, 3.0f, 1.0f}) builder.Add("u", value);
  const auto pages = std::move(builder).Finish();
  EXPECT_EQ(pages->pages(), 1u);
  EXPECT_EQ(pages->scale().table[*pages->Find(UrlKey("u"))], 3);
}

TEST(RankColumnTest, KnowsTheGreatestCodeOfEachBlock) {
  SeededRandom random(9);
  for (const size_t size : {size_t{0}, size_t{1}, size_t{1024}, size_t{5000}}) {
    std::vector<uint8_t> codes(size);
    for (uint8_t& code : codes) code = static_cast<uint8_t>(random.Below(200));
    const auto column = RankColumn::Make(MakeRankScale("mine", 1, {}), codes);
    ASSERT_EQ(column->block_maxima().size(), (size + 1023) / 1024);
    for (DocId doc = 0; doc < size; doc++) ASSERT_LE(column->CodeOf(doc), column->block_maxima()[doc / 1024]);
    EXPECT_TRUE(column->Check().ok());
  }
}

// Flips every bit of an image, and tries every length.
template <typename Read>
void DamageImage(Bytes image, Read read) {
  std::vector<uint64_t> words(image.size() / 8);
  for (size_t size = 0; size < words.size(); size++) {
    std::memcpy(words.data(), image.data(), image.size());
    EXPECT_FALSE(read(std::as_bytes(std::span(words).first(size)))) << size;
  }
  for (size_t bit = 0; bit < 8 * image.size(); bit++) {
    std::memcpy(words.data(), image.data(), image.size());
    words[bit / 64] ^= uint64_t{1} << bit % 64;
    read(std::as_bytes(std::span(words)));
  }
}

TEST(RankColumnTest, DamageIsRefusedOrGivesOtherValues) {
  const auto column = RankColumn::Make(MakeRankScale("mine", 1, std::vector<float>{1, 2, 3}),
                                       std::vector<uint8_t>{0, 1, 2, 1, 2});
  DamageImage(column->image(), [](Bytes image) {
    const auto read = RankColumn::FromImage(image);
    if (!read.ok()) return false;
    for (DocId doc = 0; doc < read->documents(); doc++) EXPECT_GE((*read)[doc], 0);
    return true;
  });
}

TEST(RankPagesTest, DamageIsRefusedOrGivesOtherValues) {
  const PlainRank rank = {{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}, {"e", 5}};
  DamageImage(PagesOf("mine", 3, rank)->image(), [&rank](Bytes image) {
    const auto read = RankPages::FromImage(image);
    if (!read.ok()) return false;
    for (const auto& [url, value] : rank) read->Find(UrlKey(url));
    read->Check().IgnoreError();
    return true;
  });
}

}  // namespace
}  // namespace crivello::index
