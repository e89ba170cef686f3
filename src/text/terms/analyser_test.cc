// SPDX-License-Identifier: Apache-2.0
#include "text/terms/analyser.h"

#include <gtest/gtest.h>

#include <map>

#include "base/ascii.h"
#include "base/random.h"
#include "charset/utf8.h"
#include "text/terms/stemmer.h"
#include "text/terms/stemmer_test_support.h"
#include "text/terms/word_break.h"

namespace crivello::text {
namespace {

struct Owned {
  std::string text;
  uint32_t position;
  uint32_t begin;
  uint32_t end;
  TermKind kind;
};

std::vector<Owned> TermsOf(std::string_view description, std::string_view text,
                           std::string_view language = "") {
  auto analyser = Analyser::Create(description);
  EXPECT_TRUE(analyser.ok()) << analyser.status().ToString();
  std::vector<Owned> terms;
  uint32_t last = 0;
  analyser->ForEachTerm(text, {.language = language}, [&](const Term& term) {
    EXPECT_LE(last, term.position);
    EXPECT_LT(term.begin, term.end);
    EXPECT_LE(term.end, text.size());
    EXPECT_LE(term.text.size(), kMaxTermBytes);
    last = term.position;
    terms.push_back({std::string(term.text), term.position, term.begin, term.end, term.kind});
  });
  return terms;
}

// "0:the 1:fox/stem": position, text, and the kind unless it is a word.
std::string Shown(const std::vector<Owned>& terms) {
  std::string shown;
  for (const Owned& term : terms) {
    if (!shown.empty()) shown += ' ';
    shown += std::to_string(term.position) + ":" + term.text;
    if (term.kind != TermKind::kWord) shown += "/" + std::string(TermKindName(term.kind));
  }
  return shown;
}

std::string ShownTerms(std::string_view description, std::string_view text, std::string_view language = "") {
  return Shown(TermsOf(description, text, language));
}

TEST(AnalyserTest, WordsHavePositionsAndOffsets) {
  const auto terms = TermsOf("words fold", "The quick, brown FOX");
  EXPECT_EQ(Shown(terms), "0:the 1:quick 2:brown 3:fox");
  EXPECT_EQ(terms[3].begin, 17u);
  EXPECT_EQ(terms[3].end, 20u);
}

TEST(AnalyserTest, PositionsGoOnFromWhereTheCallerSays) {
  auto analyser = Analyser::Create("words fold");
  ASSERT_TRUE(analyser.ok());
  std::vector<uint32_t> positions;
  const uint32_t next = analyser->ForEachTerm("a b", {.position = 100},
                                              [&](const Term& term) { positions.push_back(term.position); });
  EXPECT_EQ(positions, (std::vector<uint32_t>{100, 101}));
  EXPECT_EQ(next, 102u);
}

TEST(AnalyserTest, FoldsCaseAsUnicodeDoes) {
  EXPECT_EQ(ShownTerms("words fold", "STRASSE Straße ΣΊΣΥΦΟΣ Σίσυφος"),
            "0:strasse 1:strasse 2:σίσυφοσ 3:σίσυφοσ");
  EXPECT_EQ(ShownTerms("words", "Straße FOX"), "0:Straße 1:FOX");
  EXPECT_EQ(ShownTerms("words fold:tr", "ISPARTA İZMİR"), "0:ısparta 1:izmir");
  EXPECT_EQ(ShownTerms("words fold accents", "İZMİR"), "0:izmir");
}

TEST(AnalyserTest, TakesAccentsOffSomeScriptsOnly) {
  EXPECT_EQ(ShownTerms("words fold accents", "Perché naïve Łódź Ærø ἄνθρωπος"),
            "0:perche 1:naive 2:lodz 3:aero 4:ανθρωποσ");
  EXPECT_EQ(ShownTerms("words fold accents", "ёлка чай ї за\u0301мок"), "0:елка 1:чай 2:ї 3:замок");
  EXPECT_EQ(ShownTerms("words fold accents", "مُحَمَّد أحمد שָׁלוֹם"), "0:محمد 1:احمد 2:שלום");
  EXPECT_EQ(ShownTerms("words fold accents", "ガラス हिन्दी"), "0:ガラス 1:हिन्दी");
  EXPECT_EQ(ShownTerms("words fold", "perché"), "0:perché");
}

TEST(AnalyserTest, TheSameTextIsTheSameTermComposedOrNot) {
  EXPECT_EQ(ShownTerms("words fold", "caf\u00E9 cafe\u0301"), "0:café 1:café");
  EXPECT_EQ(ShownTerms("words fold", "co\u00ADoperate"), "0:cooperate");
}

TEST(AnalyserTest, CompatibilityFormsAreOneTerm) {
  EXPECT_EQ(ShownTerms("words compat fold", "ﬁle ＡＢＣ１２３ ｶﾞﾗｽ"), "0:file 1:abc123 2:ガラス");
  EXPECT_EQ(ShownTerms("words compat fold", "٣١٤"), "0:314/number");
  EXPECT_EQ(ShownTerms("words fold", "ﬁle"), "0:file") << "full case folding takes the ligature apart too";
}

TEST(AnalyserTest, NumbersAreWhole) {
  EXPECT_EQ(ShownTerms("words fold", "3.14 1,000.5 1,000,000 1,2 192.168.1.1 42"),
            "0:3.14/number 1:1000.5/number 2:1000000/number 3:1,2/number 4:192.168.1.1/number 5:42/number");
}

TEST(AnalyserTest, ApostrophesPartElisionsAndKeepContractions) {
  EXPECT_EQ(ShownTerms("words fold parts", "l'albero don’t John's dell'arte"),
            "0:l'albero 0:albero/part 1:don't 2:john's 2:john/part 3:dell'arte 3:dell/part 3:arte/part");
}

TEST(AnalyserTest, IdentifiersAreWholeAndInParts) {
  EXPECT_EQ(
      ShownTerms("words fold parts", "snake_case camelCase HTMLParser"),
      "0:snake_case 0:snake/part 0:case/part 1:camelcase 1:camel/part 1:case/part 2:htmlparser 2:html/part "
      "2:parser/part");
  EXPECT_EQ(
      ShownTerms("words fold parts", "C++ and C# on .NET, C++17 a+b"),
      "0:c++/compound 0:c 1:and 2:c#/compound 2:c 3:on 4:.net/compound 4:net 5:c++/compound 5:c 6:17/number "
      "7:a 8:b");
}

TEST(AnalyserTest, AddressesAreKeptAndSplit) {
  EXPECT_EQ(
      ShownTerms("words fold parts", "mail john.doe@example.org."),
      "0:mail 1:john.doe@example.org/compound 1:john.doe 1:john/part 1:doe/part 2:example.org 2:example/part "
      "2:org/part");
  EXPECT_EQ(ShownTerms("words fold parts", "(see https://Example.org/a_b?x=1)."),
            "0:see 1:https://example.org/a_b?x=1/compound 1:https 2:example.org 2:example/part 2:org/part "
            "3:a_b 4:x "
            "5:1/number");
  EXPECT_EQ(ShownTerms("words fold parts", "www.a.it/x, ok"),
            "0:www.a.it/x/compound 0:www.a.it 0:www/part 0:it/part 1:x 2:ok");
}

TEST(AnalyserTest, HyphensPartWordsAndTheJoinedFormIsATermToo) {
  EXPECT_EQ(
      ShownTerms("words fold hyphens", "E-mail co-op 2020-01-02 a--b"),
      "0:email/compound 0:e 1:mail 2:coop/compound 2:co 3:op 4:2020/number 5:01/number 6:02/number 7:a 8:b");
  EXPECT_EQ(ShownTerms("words fold", "E-mail"), "0:e 1:mail");
}

TEST(AnalyserTest, StemsComeBesideTheWords) {
  EXPECT_EQ(ShownTerms("words fold accents stem:it", "Gli alberi perché"),
            "0:gli 0:gli/stem 1:alberi 1:alber/stem 2:perche 2:perc/stem");
  EXPECT_EQ(ShownTerms("words fold parts stem:it", "dell'albero"),
            "0:dell'albero 0:dell'alber/stem 0:dell/part 0:dell/stem 0:albero/part 0:alber/stem");
  EXPECT_EQ(ShownTerms("words fold stem:auto", "running", "en-GB"), "0:running 0:run/stem");
  EXPECT_EQ(ShownTerms("words fold stem:auto", "running", "xx"), "0:running");
  EXPECT_EQ(ShownTerms("words fold stem:auto", "running"), "0:running");
}

TEST(AnalyserTest, StopWordsLeaveTheirPositions) {
  EXPECT_EQ(ShownTerms("words fold stop:en", "The house of cards"), "1:house 3:cards");
}

TEST(AnalyserTest, LemmasComeFromADictionaryThatIsInstalled) {
  const auto analyser = Analyser::Create("words fold lemma:en_US");
  ASSERT_TRUE(analyser.ok()) << analyser.status().ToString();  // the tests' packages include hunspell-en-us
  EXPECT_EQ(ShownTerms("words fold lemma:en_US", "houses walked xyzzy"),
            "0:houses 0:house/stem 1:walked 1:walk/stem 2:xyzzy 2:xyzzy/stem");
}

TEST(AnalyserTest, SaysWhichLanguagesThereAre) {
  EXPECT_EQ(Analyser::Create("words fold stem:xx").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Analyser::Create("words fold stop:fi").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Analyser::Create("words fold lemma:xx_XX").status().code(), StatusCode::kNotFound);
}

TEST(AnalyserTest, ALongWordIsCutAtACharacter) {
  const std::string ascii(10000, 'x');
  for (const char* description : {"plain", "words fold", "words fold parts hyphens"}) {
    const auto terms = TermsOf(description, ascii + " y");
    ASSERT_EQ(terms.size(), 2u) << description;
    EXPECT_EQ(terms[0].text, ascii.substr(0, kMaxTermBytes));
    EXPECT_EQ(terms[0].end, ascii.size());
    EXPECT_EQ(terms[1].position, 1u);
  }
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "д";
  const auto terms = TermsOf("words fold", wide);
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_EQ(terms[0].text, wide.substr(0, 254));
}

// The obvious implementation of "plain".
TEST(AnalyserTest, PlainIsRunsOfAsciiLettersAndDigits) {
  EXPECT_EQ(ShownTerms("plain", "L'Été: snake_case 3.14"), "0:l 1:t 2:snake 3:case 4:3 5:14");
  const uint64_t seed = 1;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int round = 0; round < 50; ++round) {
    std::string text;
    for (uint64_t i = random.Below(12000); i-- > 0;) text += "abcXYZ019_ .\xC3\xA9-"[random.Below(15)];
    std::vector<std::string> expected;
    bool inside = false;
    for (const char c : text) {
      if (IsAsciiAlnum(c)) {
        if (!inside) expected.emplace_back();
        expected.back() += AsciiLower(c);
      }
      inside = IsAsciiAlnum(c);
    }
    const auto terms = TermsOf("plain", text);
    ASSERT_EQ(terms.size(), expected.size());
    for (size_t i = 0; i < terms.size(); ++i) {
      ASSERT_EQ(terms[i].text, expected[i]);
      ASSERT_EQ(ToAsciiLower(text.substr(terms[i].begin, terms[i].end - terms[i].begin)), expected[i]);
    }
  }
}

// The fast path through ASCII windows must agree with word-by-word breaking: same spans, same numbers.
TEST(AnalyserTest, WordsAreThoseOfTheWordBreakerWhereverAWindowEnds) {
  const std::vector<std::string> pieces = {"the ", "Fox",  "don't ", "e.g. ",  "3.14 ", "über",
                                           "_x_",  " ",    "\n",     "a.b.c ", "日本",  "Привет",
                                           "--",   "C++ ", "x@y.it", "HTMLe",  "’s ",   ", "};
  const uint64_t seed = 7;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  WordBreaker breaker;
  for (const char* description :
       {"words fold", "words", "words fold accents parts hyphens", "words fold:tr"}) {
    for (int round = 0; round < 40; ++round) {
      std::string text;
      while (text.size() < 9000) {
        const std::string& piece = pieces[random.Below(pieces.size())];
        for (uint64_t n = random.Below(50) == 0 ? 1 + random.Below(900) : 1; n-- > 0;) text += piece;
      }
      std::vector<Word> expected;
      breaker.ForEach(text, [&](const Word& word) { expected.push_back(word); });
      std::vector<Word> found;
      for (const Owned& term : TermsOf(description, text)) {
        if (term.kind != TermKind::kWord && term.kind != TermKind::kNumber) continue;
        found.push_back({term.begin, term.end, term.kind == TermKind::kNumber});
      }
      ASSERT_EQ(found.size(), expected.size()) << description;
      ASSERT_TRUE(found == expected) << description;
    }
  }
}

TEST(AnalyserTest, OneLineOfTwentyMegabytesTakesNoLongerPerByte) {
  for (const std::string_view piece : {"x", "a-", "x@", "é", "'", "日", "a.", "www."}) {
    std::string text;
    while (text.size() < (size_t{1} << 20)) text += piece;
    auto analyser = Analyser::Create(kStandardAnalyser);
    ASSERT_TRUE(analyser.ok());
    uint64_t terms = 0;
    analyser->ForEachTerm(text, {.language = "en"}, [&](const Term&) { ++terms; });
    EXPECT_LE(terms, 4 * text.size());
  }
}

// On random words: stemmers that promise to keep beginnings do keep them.
TEST(AnalyserTest, StemsBeginAsTheirWords) {
  SeededRandom random(1);
  int languages = 0;
  for (const std::string_view code : StemmedLanguages()) {
    auto stemmer = MakeStemmer(code).value();
    if (!stemmer->keeps_beginnings()) continue;
    languages++;
    for (int i = 0; i < 20'000; i++) {
      std::string word;
      for (uint64_t n = 1 + random.Below(9); n-- > 0;) {
        word += "eeeaaaiiioouunnrrssttllddggmmppkhbcfvwyzjxq"[random.Below(43)];
      }
      const std::string_view stem = stemmer->Reduce(word);
      ASSERT_TRUE(BeginsAs(stem, word)) << code << " " << word << " " << stem;
    }
  }
  EXPECT_GT(languages, 5);
}

}  // namespace
}  // namespace crivello::text
