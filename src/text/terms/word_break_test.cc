// SPDX-License-Identifier: Apache-2.0
#include "text/terms/word_break.h"

#include <gtest/gtest.h>
#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>

#include "base/random.h"
#include "charset/utf8.h"

namespace crivello::text {
namespace {

std::vector<std::string> WordsOf(std::string_view text) {
  static WordBreaker breaker;
  std::vector<std::string> words;
  breaker.ForEach(
      text, [&](const Word& word) { words.emplace_back(text.substr(word.begin, word.end - word.begin)); });
  return words;
}

bool SaysSomething(UChar32 c) {
  const int property = u_getIntPropertyValue(c, UCHAR_WORD_BREAK);
  if (property == U_WB_EXTEND || property == U_WB_FORMAT) return false;
  UErrorCode status = U_ZERO_ERROR;
  if (uscript_getScript(c, &status) == USCRIPT_HAN) return true;
  return property == U_WB_ALETTER || property == U_WB_HEBREW_LETTER || property == U_WB_NUMERIC ||
         property == U_WB_KATAKANA || u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC) ||
         (u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT && u_isalpha(c)) ||
         u_hasBinaryProperty(c, UCHAR_ALPHABETIC) != 0;
}

// The words that ICU finds, without the runs of underscores that it counts as letters.
std::vector<std::string> WordsByIcu(std::string text) {
  std::replace(text.begin(), text.end(), '@',
               '*');  // the only character that is a letter for ICU and not for us
  UErrorCode status = U_ZERO_ERROR;
  static const std::unique_ptr<icu::BreakIterator> iterator(
      icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  const icu::UnicodeString units = icu::UnicodeString::fromUTF8(text);
  iterator->setText(units);
  std::vector<std::string> words;
  int begin = iterator->first();
  for (int end; (end = iterator->next()) != icu::BreakIterator::DONE; begin = end) {
    const icu::UnicodeString word = units.tempSubStringBetween(begin, end);
    // Not by the rule's status, which is lost if a mark ends the word.
    bool says = false;
    for (int i = 0; i < word.length(); i = word.moveIndex32(i, 1)) says |= SaysSomething(word.char32At(i));
    std::string utf8;
    if (says) words.push_back(word.toUTF8String(utf8));
  }
  return words;
}

using Words = std::vector<std::string>;

TEST(WordBreakTest, FindsTheWordsOfManyScripts) {
  EXPECT_EQ(WordsOf("The quick (\"brown\") fox can't jump 32.3 feet, right?"),
            (Words{"The", "quick", "brown", "fox", "can't", "jump", "32.3", "feet", "right"}));
  EXPECT_EQ(WordsOf("l'albero è più alto"), (Words{"l'albero", "è", "più", "alto"}));
  EXPECT_EQ(WordsOf("Привет, мир! Γειά σου"), (Words{"Привет", "мир", "Γειά", "σου"}));
  EXPECT_EQ(WordsOf("日本語のテキスト"), (Words{"日本語", "の", "テキスト"}));
  EXPECT_EQ(WordsOf("ภาษาไทย"), (Words{"ภาษา", "ไทย"}));
  EXPECT_EQ(WordsOf("한국어 텍스트"), (Words{"한국어", "텍스트"}));
  EXPECT_EQ(WordsOf("a:b __ _x"), (Words{"a", "b", "_x"}));
}

TEST(WordBreakTest, BytesThatAreNoCharacterPartWords) {
  EXPECT_EQ(WordsOf("ab\xFF"
                    "cd\xE3\x81"),
            (Words{"ab", "cd"}));
  EXPECT_EQ(WordsOf("\xE6\x97\xA5\xE6"), (Words{"日"}));
}

TEST(WordBreakTest, ALongTextWithoutSpacesIsCutAtItsWords) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "日本語の";
  WordBreaker breaker;
  size_t covered = 0;
  breaker.ForEach(text, [&](const Word& word) {
    EXPECT_EQ(word.begin, covered);
    covered = word.end;
  });
  EXPECT_EQ(covered, text.size());
}

// Random text of characters that interact: letters, digits, characters allowed inside words, marks.
TEST(WordBreakTest, AgreesWithIcuOnRandomTextOfScriptsWithoutDictionaries) {
  const std::u32string characters =
      U"aZ09_.,;:'\"- "
      U"\n\u00AD\u00B7\u00E9\u0130\u0301\u0308\u02BC\u03B1\u03C2\u0416\u044F\u0451\u0531\u05D0\u05EA"
      U"\u05F4\u05F3\u0627\u0660\u066B\u06DD\u0915\u094D\u200B\u200C\u200D\u2018\u2019\u2024\u2027\u203F"
      U"\u2028"
      U"\u00B2\u00BD\u24D0\u2160\u1E9E\u1F00\uFB01\uFF41\uFF10\uFF0E\uFF07\uAC00\uD55C\u1100\u1161\U00010400"
      U"\U0001D7CE\U0001F600";
  const uint64_t seed = 20261115;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const uint64_t length = 1 + random.Below(16);
    for (uint64_t i = 0; i < length; ++i)
      charset::AppendUtf8(characters[random.Below(characters.size())], &text);
    ASSERT_EQ(WordsOf(text), WordsByIcu(text)) << testing::PrintToString(text);
  }
}

TEST(WordBreakTest, AgreesWithIcuOnEveryCharacterOfTheBasicPlaneBetweenOthers) {
  for (char32_t c = 1; c < 0x10000; ++c) {
    if (U_IS_SURROGATE(c)) continue;
    std::string text;
    for (const std::u32string_view pattern : {U"a?b ", U"1?2 ", U"?a ", U"_?1 "}) {
      for (const char32_t p : pattern) charset::AppendUtf8(p == U'?' ? c : p, &text);
    }
    ASSERT_EQ(WordsOf(text), WordsByIcu(text)) << std::hex << static_cast<uint32_t>(c);
  }
}

// Next to a dictionary's script, ICU sees only a stretch; its words must not change.
TEST(WordBreakTest, AgreesWithIcuOnScriptsThatAreMixed) {
  const std::vector<std::string> pieces = {
      "hello ", "world", "日本語", "の", "テキスト",        "。",     "ภาษาไทย", ", ",  "3.14",
      "l'eau ", " ",     "한국어", "\n", "https://a.b/c@d", "Straße", "（",      "中文"};
  const uint64_t seed = 6;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (uint64_t i = random.Below(20); i-- > 0;) text += pieces[random.Below(pieces.size())];
    ASSERT_EQ(WordsOf(text), WordsByIcu(text)) << text;
  }
}

}  // namespace
}  // namespace crivello::text
