// SPDX-License-Identifier: Apache-2.0
#include "search/query/query.h"

#include <gmock/gmock.h>

#include "base/random.h"
#include "base/test_waiting.h"

namespace crivello::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Canonical(std::string_view text) { return ParseQuery(text).query.ToString(); }

TEST(QueryTest, HasOneFormForEachMeaning) {
  EXPECT_EQ(Canonical("romeo giulietta"), "romeo giulietta");
  EXPECT_EQ(Canonical("romeo OR giulietta"), "romeo giulietta");
  EXPECT_EQ(Canonical("a AND b"), "+a +b");
  EXPECT_EQ(Canonical("a AND b OR c"), "(+a +b) c");
  EXPECT_EQ(Canonical("a b AND c d"), "a (+b +c) d");
  EXPECT_EQ(Canonical("a AND (b OR c)"), "+a +(b c)");
  EXPECT_EQ(Canonical("a AND NOT b"), "+a -b");
  EXPECT_EQ(Canonical("a NOT b"), "a -b");
  EXPECT_EQ(Canonical("a OR NOT b"), "a (-b)");
  EXPECT_EQ(Canonical("NOT b OR a"), "(-b) a");
  EXPECT_EQ(Canonical("NOT a"), "-a");
  EXPECT_EQ(Canonical("((a))"), "a");
  EXPECT_EQ(Canonical("(a b) c"), "a b c");
  EXPECT_EQ(Canonical("+(+a +b) c"), "+a +b c");
  EXPECT_EQ(Canonical("+a"), "a");
  EXPECT_EQ(Canonical("(a b)^2 c"), "(a b)^2 c");
  EXPECT_EQ(Canonical("(a^2)^2"), "a^4");
  EXPECT_EQ(Canonical("title:(a b) inurl:c"), "title:a title:b url:c");
  EXPECT_EQ(Canonical("Title:\"a b\"~3^0.5"), "title:\"a b\"~3^0.5");
  EXPECT_EQ(Canonical("\"a b\"~>7"), "\"a b\"~>7");
  EXPECT_EQ(Canonical("ab* a?b word~ word~2 *"), "ab* a?b word~ word~2 *");
  EXPECT_EQ(Canonical("site:Example.ORG -lang:it type:PDF"), "+site:example.org -lang:it +type:pdf");
  EXPECT_EQ(Canonical("site:a.it romeo giulietta"), "+site:a.it romeo giulietta");
  EXPECT_EQ(Canonical("(site:a.it OR site:b.it) romeo"), "+(site:a.it OR site:b.it) romeo");
  EXPECT_EQ(Canonical("romeo OR site:a.it"), "romeo OR site:a.it");
  EXPECT_EQ(Canonical("date:2020..2021-05"), "date:2020..2021-05");
}

TEST(QueryTest, TakesWhatPeopleTypeForWords) {
  EXPECT_EQ(Canonical("what is bm25?"), "what is bm25?");
  EXPECT_EQ(Canonical("c++ e-mail l'albero AT&T"), "c++ e-mail l'albero AT&T");
  EXPECT_EQ(Canonical("http://example.org/a?b=c"), "http://example.org/a?b=c");
  EXPECT_EQ(Canonical("time: 12:30"), "time: 12:30");
  EXPECT_EQ(Canonical("“due parole” «altre»"), "\"due parole\" \"altre\"");
  EXPECT_EQ(Canonical("\"never closed"), "\"never closed\"");
  EXPECT_EQ(Canonical("a) b (c"), "a b c");
  EXPECT_EQ(Canonical("a AND"), "a");
  EXPECT_EQ(Canonical("AND OR a OR OR b"), "a b");
  EXPECT_EQ(Canonical("a - b + c"), "a b c");
  EXPECT_EQ(Canonical("a ( ) b"), "a b");
  EXPECT_EQ(Canonical("title: a"), "title: a");
  EXPECT_EQ(Canonical("date:never"), "never");
  EXPECT_EQ(Canonical("OR"), "\"OR\"");
  EXPECT_EQ(Canonical("   "), "");
  EXPECT_EQ(Canonical("***"), "*");
  EXPECT_EQ(Canonical("a^x a^0 a^1000"), "a^x a^0 a^100");
}

TEST(QueryTest, EscapesWhatWouldBeSyntax) {
  EXPECT_EQ(Canonical("\\AND \\-a a\\*b title\\:x a\\^2 \\(b\\)"),
            "\\AND \\-a a\\*b title\\:x a\\^2 \\(b\\)");
  EXPECT_EQ(ParseQuery("\\AND").query.text, "AND");
  EXPECT_EQ(ParseQuery("a\\ b").query.text, "a b");
  EXPECT_EQ(ParseQuery("\"a \\\" b\"").query.text, "a \" b");
}

TEST(QueryTest, StrictlyReportsTheColumn) {
  const auto complaint = [](std::string_view text) { return ParseQueryStrictly(text).status().message(); };
  EXPECT_THAT(complaint("a (b"), HasSubstr("column 3: '(' without ')'"));
  EXPECT_THAT(complaint("a b)"), HasSubstr("column 4: ')' without '('"));
  EXPECT_THAT(complaint("abc \"d"), HasSubstr("column 5: missing closing quotation mark"));
  EXPECT_THAT(complaint("a AND"), HasSubstr("column 6: AND without a right operand"));
  EXPECT_THAT(complaint("OR a"), HasSubstr("column 1: operator without a left operand"));
  EXPECT_THAT(complaint("a nofield:b"), HasSubstr("column 3: unknown field 'nofield'"));
  EXPECT_THAT(complaint("date:never"), HasSubstr("column 1: invalid value 'never' for date"));
  EXPECT_THAT(complaint("a - b"), HasSubstr("column 4: sign without a word"));
  EXPECT_THAT(complaint("\xff"), HasSubstr("invalid UTF-8"));
  EXPECT_EQ(ParseQueryStrictly("a AND (b OR title:\"c d\"~2)").value().ToString(), "+a +(b title:\"c d\"~2)");
}

TEST(QueryTest, IsBoundedWhateverComes) {
  std::string words;
  for (int i = 0; i < 10000; i++) words += "w" + std::to_string(i) + " ";
  ParsedQuery parsed = ParseQuery(words);
  EXPECT_TRUE(parsed.truncated);
  EXPECT_EQ(parsed.query.children.size(), kMaxQueryLeaves);

  parsed = ParseQuery(std::string(1000, '(') + "a b" + std::string(1000, ')') + " c");
  EXPECT_TRUE(parsed.truncated);
  EXPECT_EQ(parsed.query.ToString(), "a b c");
  EXPECT_FALSE(ParseQueryStrictly(std::string(1000, '(') + "a" + std::string(1000, ')')).ok());

  std::string nested = "x";
  for (int i = 0; i < 1000; i++) nested = "-(+a " + nested + ")";
  EXPECT_TRUE(ParseQuery(nested).truncated);

  EXPECT_EQ(ParseQuery("caff\xc3").query.text, "caff\xef\xbf\xbd");
  EXPECT_TRUE(ParseQuery(std::string(1 << 20, 'a')).truncated);
}

// Each piece of the language, repeated: no query may cost more than its size.
TEST(QueryTest, ParsingIsLinearInEveryOperator) {
  for (const std::string_view piece :
       {"-",       "+",          "-+",      "a",          "a ",        "NOT ",     "NOT",      "AND ",
        "OR ",     "a OR ",      "a AND ",  "a AND NOT ", "(",         ")",        "()",       "(a",
        "(a) ",    "\"",         "\"a\" ",  "\"a b\"~3 ", "\"a\"~>9 ", "\"a\"^2 ", "(a)^2 ",   "^",
        "~",       "a* ",        "*",       "?",          "a~2 ",      "title:",   "title:a ", "title:\"",
        "title:(", "title:(a) ", "site:a ", "date:2024 ", "lang:",     "\\",       "\\a",      ":",
        "-\"a\" ", "-(",         "«",       "\xff",       "\u3000",    "\u0301"}) {
    for (const std::string_view end : {"", "a"}) {
      const double growth = GrowthOfCost(kMaxQueryBytes / 8, kLinearGrowth, [&](size_t bytes) {
        std::string query;
        while (query.size() < bytes) query += piece;
        query += end;
        // Several times, so that what is measured is not the clock.
        for (int i = 0; i < 4; i++) ParseQuery(query);
      });
      EXPECT_LT(growth, kLinearGrowth) << piece << " … " << end;
    }
  }
}

TEST(QueryTest, ReadsWhatItPrints) {
  for (uint64_t seed = 0; seed < 6000; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    static const std::vector<std::string> kPieces = {
        "a",      "bc", "AND",     "OR",       "NOT",  "(",        ")",      "\"",   "+",   "-",   "~",
        "~2",     "^2", "*",       "?",        "\\",   "title:",   " ",      " ",    " ",   "~>3", "date:",
        "é",      "“",  "»",       ":",        "2020", "site:",    "\u3000", "\xff", "^.5", ".",   "..",
        "inurl:", "'",  "http://", " site:a ", " OR ", " -site:b", "(",      ")"};
    std::string text;
    for (uint64_t i = random.Below(12); i-- > 0;) text += kPieces[random.Below(kPieces.size())];
    const Query query = ParseQuery(text).query;
    const std::string printed = query.ToString();
    EXPECT_TRUE(ParseQuery(printed).query == query) << text << " | " << printed;
  }
}

TEST(DateFilterTest, KnowsPeriodsAndIntervals) {
  const auto interval = [](std::string_view text) {
    const Query query = ParseQuery("date:" + std::string(text)).query;
    EXPECT_EQ(query.kind, Query::Kind::kDate) << text;
    return std::pair(query.from, query.until);
  };
  EXPECT_EQ(interval("1970"), std::pair(int64_t{0}, int64_t{365 * 86400}));
  EXPECT_EQ(interval("1970-02"), std::pair(int64_t{31 * 86400}, int64_t{59 * 86400}));
  EXPECT_EQ(interval("1970-01-02"), std::pair(int64_t{86400}, int64_t{2 * 86400}));
  EXPECT_EQ(interval("1970-01-02..1970-01-03"), std::pair(int64_t{86400}, int64_t{3 * 86400}));
  EXPECT_EQ(interval(">1970-01-02").first, 2 * 86400);
  EXPECT_EQ(interval(">=1970-01-02").first, 86400);
  EXPECT_EQ(interval("<1970-01-02").second, 86400);
  EXPECT_EQ(interval("<=1970-01-02").second, 2 * 86400);
  EXPECT_EQ(interval("1970-12").second, 365 * 86400);
  for (const char* bad : {"2020-13", "2020-02-30", "..", "2020-1", "x", "20200101", ">"}) {
    EXPECT_NE(ParseQuery("date:" + std::string(bad)).query.kind, Query::Kind::kDate) << bad;
  }
}

TEST(QueryTest, SaysWhichFiltersCannotBeRead) {
  EXPECT_THAT(ParseQuery("git date:banana").notes,
              ElementsAre(HasSubstr("date:banana is not a filter: a date")));
  EXPECT_THAT(ParseQuery("lang: git site:").notes,
              ElementsAre(HasSubstr("lang: is not a filter: it has no value"),
                          HasSubstr("site: is not a filter: it has no")));
  EXPECT_THAT(ParseQuery("title: git lang:it").notes, IsEmpty());
  EXPECT_THAT(ParseQuery("lang:(it) git site:\"a.it\"").notes, IsEmpty());
}

}  // namespace
}  // namespace crivello::search
