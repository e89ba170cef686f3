// SPDX-License-Identifier: Apache-2.0
#include "text/terms/analyser_description.h"

#include <gtest/gtest.h>

namespace crivello::text {
namespace {

std::string Message(std::string_view text) {
  const auto parsed = AnalyserDescription::Parse(text);
  return parsed.ok() ? "ok" : parsed.status().message();
}

TEST(AnalyserDescriptionTest, ReadsStepsInAnyOrderAndWritesThemInOne) {
  const auto parsed = AnalyserDescription::Parse("  words stem:it accents\tfold parts ");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->ToString(), "words fold accents parts stem:it");
  EXPECT_EQ(AnalyserDescription::Parse(parsed->ToString()).value(), *parsed);
  for (const std::string_view text :
       {std::string_view("plain"), std::string_view("plain stop:en stem:en"), std::string_view("words"),
        kStandardAnalyser, std::string_view("words fold:tr stop:it lemma:it_IT")}) {
    EXPECT_EQ(AnalyserDescription::Parse(text).value().ToString(), text);
  }
}

TEST(AnalyserDescriptionTest, ErrorsPointToTheColumn) {
  EXPECT_EQ(Message(""), "analyser: column 1: empty: expected 'words' or 'plain'");
  EXPECT_EQ(Message("fold words"), "analyser: column 1: expected 'words' or 'plain', found 'fold'");
  EXPECT_EQ(Message("words acents"),
            "analyser: column 7: unknown step 'acents'; the steps are fold, compat, accents, parts, hyphens, "
            "stop:LANGUAGE, stem:LANGUAGE, lemma:DICTIONARY");
  EXPECT_EQ(Message("words fold fold"), "analyser: column 12: 'fold' twice");
  EXPECT_EQ(Message("words accents accents"), "analyser: column 15: 'accents' twice");
  EXPECT_EQ(Message("words fold:en"), "analyser: column 12: expected fold or fold:tr, found 'en'");
  EXPECT_EQ(Message("words fold stem:"), "analyser: column 17: 'stem' needs a language, as in stem:it");
  EXPECT_EQ(Message("words fold lemma:../x"),
            "analyser: column 18: 'lemma' needs a language, as in lemma:it");
  EXPECT_EQ(Message("words stem:it"),
            "analyser: column 14: stop:, stem: and lemma: need words in lower case: add 'fold'");
  EXPECT_EQ(Message("words fold stem:en lemma:en_US"),
            "analyser: column 31: stem: and lemma: cannot be combined");
  EXPECT_EQ(Message("plain accents"),
            "analyser: column 7: 'plain' can be combined only with stop:, stem: and lemma:, not 'accents'");
  EXPECT_EQ(Message(std::string(1000, 'x')), "analyser: column 257: longer than 256 bytes");
}

}  // namespace
}  // namespace crivello::text
