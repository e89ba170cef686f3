// SPDX-License-Identifier: Apache-2.0
#include "text/formats/rtf.h"

#include <gtest/gtest.h>

namespace crivello::text {
namespace {

Document Converted(std::string_view rtf) {
  auto document = ConvertRtf(rtf, 1 << 20);
  EXPECT_TRUE(document.ok());
  return document.ok() ? *document : Document();
}

TEST(RtfTest, ReadsTextTitleAndAuthor) {
  const Document document = Converted(
      "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Times;}}{\\info{\\title My  title}{\\author Me}{\\operator "
      "x}}"
      "\\pard\\outlinelevel0 Chapter\\par\\pard Some {\\b bold} te\nxt\\par Second\\line line\\par}");
  EXPECT_EQ(document.title, "My title");
  EXPECT_EQ(document.author, "Me");
  EXPECT_EQ(document.MainText(), "Chapter\n\nSome bold text\n\nSecond line");
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(document.blocks[1].kind, BlockKind::kParagraph);
}

TEST(RtfTest, DecodesBytesAndUnicode) {
  EXPECT_EQ(Converted("{\\rtf1\\ansi\\ansicpg1251 \\'cf\\'f0\\'e8}").MainText(), "При");
  EXPECT_EQ(Converted("{\\rtf1\\ansicpg932 \\'93\\'fa\\'96\\'7b}").MainText(), "日本");
  EXPECT_EQ(Converted("{\\rtf1 caf\\u233?s \\u-10179?\\u-8704?}").MainText(), "cafés 😀");
  EXPECT_EQ(Converted("{\\rtf1\\uc2 \\u233xxe}").MainText(), "ée");
  EXPECT_EQ(Converted("{\\rtf1 a\\emdash b\\~c\\\\ \\{d\\}}").MainText(), "a—b c\\ {d}");
}

TEST(RtfTest, RowsOfTablesAreBlocks) {
  const Document document =
      Converted("{\\rtf1\\trowd a\\cell b\\cell\\row\\trowd c\\cell d\\cell\\row\\pard after\\par}");
  ASSERT_EQ(document.blocks.size(), 3u);
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kTable);
  EXPECT_EQ(document.blocks[0].text, "a\tb");
  EXPECT_EQ(document.blocks[1].text, "c\td");
  EXPECT_EQ(document.blocks[2].kind, BlockKind::kParagraph);
}

TEST(RtfTest, PicturesObjectsAndUnknownDestinationsAreLeftOut) {
  EXPECT_EQ(Converted("{\\rtf1 a{\\pict 0123}{\\*\\weird x}b{\\bin5 {{{{{}c}").MainText(), "abc");
}

TEST(RtfTest, WhatIsMalformedIsReadAsFarAsItGoes) {
  EXPECT_EQ(Converted("{\\rtf1 a}}}} b").MainText(), "a b");
  EXPECT_EQ(Converted("{\\rtf1 a\\'zz \\u").MainText(), "azz");
  EXPECT_EQ(Converted("{\\rtf1 " + std::string(200000, '{') + "deep").MainText(), "deep");
  EXPECT_FALSE(ConvertRtf("no rtf", 100).ok());
}

}  // namespace
}  // namespace crivello::text
