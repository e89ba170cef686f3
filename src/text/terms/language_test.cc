// SPDX-License-Identifier: Apache-2.0
#include "text/terms/language.h"

#include <gtest/gtest.h>

namespace crivello::text {
namespace {

constexpr std::string_view kItalian =
    "Nel mezzo del cammin di nostra vita mi ritrovai per una selva oscura, ché la diritta via era smarrita. "
    "Ahi "
    "quanto a dir qual era è cosa dura esta selva selvaggia e aspra e forte.";
constexpr std::string_view kEnglish =
    "It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in "
    "want "
    "of a wife. However little known the feelings or views of such a man may be on his first entering a "
    "neighbourhood, this truth is so well fixed in the minds of the surrounding families, that he is "
    "considered as "
    "the rightful property of some one or other of their daughters.";

TEST(LanguageTest, TellsLanguagesByTheirText) {
  EXPECT_EQ(DetectLanguage(kItalian).code, "it");
  EXPECT_EQ(DetectLanguage(kEnglish).code, "en");
  EXPECT_EQ(DetectLanguage("これは日本語の文章です。東京は日本の首都である。").code, "ja");
  EXPECT_EQ(DetectLanguage("Η Αθήνα είναι η πρωτεύουσα της Ελλάδας").code, "el");
  EXPECT_EQ(DetectLanguage("ירושלים היא בירת ישראל והעיר הגדולה ביותר בה").code, "he");
  EXPECT_EQ(DetectLanguage("這是一個繁體中文的網頁，內容關於臺灣的歷史與文化。").code, "zh-Hant");
  EXPECT_GT(DetectLanguage(kItalian).confidence, 0.9);
  EXPECT_EQ(DetectLanguage(kItalian).source, LanguageSource::kText);
}

TEST(LanguageTest, ShortTextsAreUnknownUnlessSomeoneDeclares) {
  for (const std::string_view text :
       {std::string_view(""), std::string_view("ok"), std::string_view("123 456"), std::string_view("pizza"),
        std::string_view("\xFF\xFE")}) {
    const LanguageGuess guess = DetectLanguage(text);
    EXPECT_EQ(guess.code, "") << text;
    EXPECT_EQ(guess.source, LanguageSource::kNone);
    EXPECT_EQ(guess.confidence, 0);
  }
  const LanguageGuess guess = DetectLanguage("ok", {.declared = "it-IT"});
  EXPECT_EQ(guess.code, "it");
  EXPECT_EQ(guess.source, LanguageSource::kDeclared);
  EXPECT_EQ(DetectLanguage("ok", {.content_language = "zh-TW, en"}).code, "zh-Hant");
  EXPECT_EQ(DetectLanguage("ok", {.declared = "<script>"}).code, "");
  EXPECT_EQ(DetectLanguage("ok", {.declared = "und"}).code, "");
}

TEST(LanguageTest, AWrongDeclarationDoesNotOutweighTheText) {
  EXPECT_EQ(DetectLanguage(kItalian, {.declared = "en", .top_level_domain = "com"}).code, "it");
}

TEST(LanguageTest, TheOtherPagesOfTheSiteDoNotOutweighTheText) {
  std::string italian, english;
  for (int i = 0; i < 10; ++i) {
    italian += kItalian;
    english += kEnglish;
  }
  for (const std::string_view site : {"it", "en", ""}) {
    EXPECT_EQ(DetectLanguage(italian, {.site = site}).code, "it") << site;
    EXPECT_EQ(DetectLanguage(english, {.site = site}).code, "en") << site;
    if (site.empty()) continue;
    EXPECT_EQ(DetectLanguage(std::string(1000, '7') + italian, {.site = site}).code, "it") << site;
  }
  // The other pages were inconclusive, and so is this one.
  const std::string numbers(600, '7');
  EXPECT_EQ(DetectLanguage(numbers, {.declared = "fr", .site = ""}).code, "fr");
}

TEST(LanguageTest, BlocksHaveTheirOwn) {
  Document document;
  document.language = "en";
  document.blocks.resize(3);
  document.blocks[0].text = kEnglish;
  document.blocks[1].text = kItalian;
  document.blocks[2].text = "ok";
  const DocumentLanguages found = DetectLanguages(document);
  EXPECT_EQ(found.document.code, "en");
  ASSERT_EQ(found.blocks.size(), 3u);
  EXPECT_EQ(found.blocks[0].code, "en");
  EXPECT_EQ(found.blocks[1].code, "it");
  EXPECT_EQ(found.blocks[2].code, "");
}

}  // namespace
}  // namespace crivello::text
