// SPDX-License-Identifier: Apache-2.0
// Word and grapheme boundaries tested on Unicode's own cases, stems on Snowball's vocabularies.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/ascii.h"
#include "base/conformance_suite.h"
#include "charset/utf8.h"
#include "text/terms/stemmer.h"
#include "text/terms/stemmer_test_support.h"
#include "text/terms/word_break.h"

namespace crivello::text {
namespace {

// A line of the form "÷ 0061 × 0308 ÷ # what it is".
struct BreakCase {
  std::string line;
  std::string text;
  std::vector<size_t> boundaries;
};

std::vector<BreakCase> ReadBreakCases(const std::string& path) {
  std::vector<BreakCase> cases;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    BreakCase one;
    one.line = line.substr(0, line.find('#'));
    std::istringstream words(one.line);
    for (std::string word; words >> word;) {
      if (word == "÷") {
        one.boundaries.push_back(one.text.size());
      } else if (word != "×") {
        charset::AppendUtf8(static_cast<char32_t>(std::stoul(word, nullptr, 16)), &one.text);
      }
    }
    if (!one.text.empty()) cases.push_back(std::move(one));
  }
  return cases;
}

using TermsConformanceTest = ConformanceSuite;
CRV_CONFORMANCE_SUITE(TermsConformanceTest);

TEST_P(TermsConformanceTest, WordBoundariesOfUnicode) {
  const std::string path = SuitePath("unicode/WordBreakTest.txt");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("word-break"));
  for (const BreakCase& one : ReadBreakCases(path))
    score.Case(WordBoundaries(one.text) == one.boundaries, one.line);
  ExpectScore(score, {.cases = 1823, .percent = 99.1});
}

// Each of our words must lie between two consecutive boundaries of the suite.
TEST_P(TermsConformanceTest, WordsStandBetweenBoundariesOfUnicode) {
  const std::string path = SuitePath("unicode/WordBreakTest.txt");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("words"));
  WordBreaker breaker;
  for (const BreakCase& one : ReadBreakCases(path)) {
    bool right = true;
    breaker.ForEach(one.text, [&](const Word& word) {
      const auto begin = std::find(one.boundaries.begin(), one.boundaries.end(), word.begin);
      right &= begin != one.boundaries.end() && begin + 1 != one.boundaries.end() && *(begin + 1) == word.end;
    });
    score.Case(right, one.line);
  }
  ExpectScore(score, {.percent = 99.1});
}

TEST_P(TermsConformanceTest, GraphemeBoundariesOfUnicode) {
  const std::string path = SuitePath("unicode/GraphemeBreakTest.txt");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("grapheme-break"));
  for (const BreakCase& one : ReadBreakCases(path)) {
    score.Case(GraphemeBoundaries(one.text) == one.boundaries, one.line);
  }
  ExpectScore(score, {.cases = 602, .percent = 100});
}

std::vector<std::string> ReadLines(const std::string& path) {
  std::string bytes;
  gzFile in = gzopen(path.c_str(), "rb");
  char buffer[4096];
  for (int n = 0; (n = gzread(in, buffer, sizeof buffer)) > 0;) bytes.append(buffer, static_cast<size_t>(n));
  gzclose(in);
  std::vector<std::string> lines;
  std::istringstream stream(bytes);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void ExpectBeginningsKept(std::string_view code, const std::vector<std::string>& words) {
  auto stemmer = MakeStemmer(code);
  ASSERT_TRUE(stemmer.ok());
  if (!(*stemmer)->keeps_beginnings()) return;
  for (const std::string& word : words) {
    const std::string_view stem = (*stemmer)->Reduce(word);
    const bool ascii = std::all_of(word.begin(), word.end(), IsAsciiAlpha);
    ASSERT_TRUE(!ascii || BeginsAs(stem, word)) << code << " " << word << " " << stem;
  }
}

// Debian's libstemmer has older rules than the vocabularies; the counts are its results.
TEST_P(TermsConformanceTest, StemsOfSnowball) {
  struct Language {
    const char* name;
    const char* code;
    double bar;
  };
  for (const Language& language :
       {Language{"english", "en", 99.86}, Language{"french", "fr", 96.12}, Language{"german", "de", 96.44},
        Language{"italian", "it", 99.99}, Language{"spanish", "es", 99.96}}) {
    const std::string folder = SuitePath(std::string("stemming/") + language.name);
    if (folder.empty()) GTEST_SKIP() << kNoSuite;
    const auto words = ReadLines(folder + "/voc.txt.gz");
    const auto stems = ReadLines(folder + "/output.txt.gz");
    ASSERT_EQ(words.size(), stems.size());
    auto stemmer = MakeStemmer(language.code);
    ASSERT_TRUE(stemmer.ok());
    Score score(ScoreName(std::string("stemming-") + language.name));
    for (size_t i = 0; i < words.size(); ++i) score.Case((*stemmer)->Reduce(words[i]) == stems[i], words[i]);
    ExpectScore(score, {.percent = language.bar});
    // Any stemmer may meet words of any language.
    for (const std::string_view code : StemmedLanguages()) ExpectBeginningsKept(code, words);
  }
}

}  // namespace
}  // namespace crivello::text
