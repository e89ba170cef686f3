// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/random.h"
#include "dedup/exact/checksum.h"
#include "dedup/exact/text_digest.h"

namespace crivello::dedup {
namespace {

// The lecture notes: 54 72 6F 70 69 63 61 6C 20 66 69 73 68 add up to 508, all in base 16.
TEST(ChecksumTest, OfTropicalFishIsThatOfTheSlides) {
  EXPECT_EQ(ByteSum("Tropical fish"), 0x508u);
  EXPECT_EQ(ByteSum(""), 0u);
  EXPECT_EQ(ByteSum("\xff\xff"), 510u);
}

TEST(ChecksumTest, CrcTellsTextsWithTheSameSumApart) {
  const std::string_view other = "Tropical shif";
  EXPECT_EQ(ByteSum(other), ByteSum("Tropical fish"));
  EXPECT_NE(Crc32(other), Crc32("Tropical fish"));
  // The standards' check value for the nine digits.
  EXPECT_EQ(Crc32("123456789"), 0xcbf43926u);
}

TEST(ChecksumTest, CrcOfPiecesIsThatOfTheWhole) {
  SeededRandom random(1);
  std::string bytes;
  for (int i = 0; i < 300; i++) {
    const size_t cut = random.Below(bytes.size() + 1);
    EXPECT_EQ(Crc32(std::string_view(bytes).substr(cut), Crc32(std::string_view(bytes).substr(0, cut))),
              Crc32(bytes));
    bytes += static_cast<char>(random.Below(256));
  }
}

TEST(TextDigestTest, IsOfTheNormalFormOnly) {
  const auto digest = [](std::string_view text) { return TextDigest(Words(text)); };
  EXPECT_EQ(digest("Tropical  fish, 12 May 2026!"), digest("TROPICAL fish\n7 may 1999"));
  EXPECT_NE(digest("tropical fish"), digest("fish tropical"));
  EXPECT_NE(digest("a b"), digest("ab"));
  EXPECT_EQ(digest(" ... "), Signature128());
  EXPECT_NE(digest("a"), Signature128());
}

TEST(SampleDigestTest, LooksAtStretchesAtEqualDistances) {
  std::string text;
  for (int i = 0; i < 1000; i++) text += "w" + std::string(1 + static_cast<size_t>(i % 23), 'x') + " ";
  const Words words(text);
  const Signature128 digest = SampleDigest(words);
  // One word changed: detected exactly if it is in a stretch.
  size_t seen = 0;
  for (size_t i = 0; i < words.size(); i++) {
    std::string changed;
    for (size_t j = 0; j < words.size(); j++) changed += (i == j ? "other" : std::string(words[j])) + " ";
    seen += SampleDigest(Words(changed)) != digest ? 1 : 0;
  }
  EXPECT_EQ(seen, 64u);
  EXPECT_NE(SampleDigest(Words(text + "more")), digest) << "the number of words counts";
  // A short text is digested completely.
  EXPECT_EQ(SampleDigest(Words("a b c")), TextDigest(Words("a b c")));
}

}  // namespace
}  // namespace crivello::dedup
