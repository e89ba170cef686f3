// SPDX-License-Identifier: Apache-2.0
#include "policy/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <tuple>

#include "base/file_system.h"
#include "base/random.h"
#include "base/test_paths.h"

namespace crivello::policy {
namespace {

using testing::HasSubstr;

web::Url UrlOf(std::string_view text) {
  web::Url url;
  EXPECT_TRUE(url.Parse(text)) << text;
  return url;
}

Filter MustParse(std::string_view text, FilterPoint point = FilterPoint::kStore) {
  auto filter = Filter::Parse(point, text);
  EXPECT_TRUE(filter.ok()) << filter.status().ToString();
  return filter.ok() ? *filter : Filter();
}

bool Accepts(std::string_view text, std::string_view url, FilterInput input = {},
             FilterPoint point = FilterPoint::kStore) {
  const web::Url parsed = UrlOf(url);
  input.url = &parsed;
  return MustParse(text, point).Accepts(input);
}

std::string ErrorOf(std::string_view text, FilterPoint point = FilterPoint::kStore) {
  const auto filter = Filter::Parse(point, text);
  EXPECT_FALSE(filter.ok()) << text;
  return filter.ok() ? "" : filter.status().message();
}

TEST(FilterTest, DoesWhatTheManualSays) {
  const std::string_view filter =
      "host_ends_with(.it) and not path_ends_with(.zip) and status(200) and language(it) and length(200, 1M)";
  const FilterInput good = {.status = 200, .length = 1 << 20, .language = "it-CH"};
  EXPECT_TRUE(Accepts(filter, "https://www.unimi.it/a.html", good));
  EXPECT_FALSE(Accepts(filter, "https://www.unimi.org/a.html", good));
  EXPECT_FALSE(Accepts(filter, "https://www.unimi.it/a.ZIP", good));
  EXPECT_FALSE(Accepts(filter, "https://www.unimi.it/", {.status = 404, .length = 300, .language = "it"}));
  EXPECT_FALSE(Accepts(filter, "https://www.unimi.it/", {.status = 200, .length = 199, .language = "it"}));
  EXPECT_FALSE(Accepts(filter, "https://www.unimi.it/", {.status = 200, .length = 300, .language = "en"}));
  EXPECT_FALSE(Accepts(filter, "https://www.unimi.it/", {.status = 200, .length = 300}));
}

TEST(FilterTest, KnowsEachPredicate) {
  struct Case {
    std::string_view filter, yes, no;
  };
  const Case cases[] = {
      {"host(a.it, B.it)", "http://b.it/", "http://c.b.it/"},
      {"host(münchen.de)", "http://xn--mnchen-3ya.de/", "http://munchen.de/"},
      {"host([::1])", "http://[::1]:80/", "http://127.0.0.1/"},
      {"host_ends_with(.test, .org)", "http://a.org/", "http://org/"},
      {"domain(unimi.it)", "http://di.unimi.it/", "http://notunimi.it/"},
      {"domain(unimi.it)", "http://unimi.it/", "http://unimi.it.example/"},
      {"scheme(https)", "https://a/", "http://a/"},
      {"port(443, 444)", "https://a/", "https://a:445/"},
      {"path_starts_with(/a/, /b)", "http://h/bcd", "http://h/c"},
      {"path_contains(/cgi/)", "http://h/x/cgi/y", "http://h/cgi"},
      {"path_ends_with(.Zip)", "http://h/A.zIP?x", "http://h/zip"},
      {"url_like(*://h/*wiki*?a=*)", "http://h/x/wiki/?a=1", "http://h/x/wiki/b=1"},
      {"surt(\"http://(org,example,\")", "https://www.example.org/", "http://example.com/"},
      {"surt(\"(org,example,)/docs\")", "http://example.org/docs/a?b", "http://www.example.org/docs/"},
      {"surt(\"org,example,)/a?b\")", "http://example.org/a?bc", "http://example.org/a"},
      {"surt(\"(127.0.0.1,)\")", "http://127.0.0.1:8080/x", "http://1.0.0.127/"},
      {"query", "http://h/?a", "http://h/"},
      {"parameter(sid)", "http://h/?a=1&sid=2", "http://h/?sidx=1"},
      {"parameter(sid)", "http://h/?sid", "http://h/sid"},
      {"url_length(0, 12)", "http://h.it/", "http://h.it/x"},
      {"segments(2)", "http://h/a/b/", "http://h/a"},
      {"segments(0)", "http://h/", "http://h/a"},
  };
  for (const Case& c : cases) {
    EXPECT_TRUE(Accepts(c.filter, c.yes)) << c.filter << " " << c.yes;
    EXPECT_FALSE(Accepts(c.filter, c.no)) << c.filter << " " << c.no;
    EXPECT_FALSE(Accepts("not " + std::string(c.filter), c.yes)) << c.filter;
    EXPECT_TRUE(Accepts("not " + std::string(c.filter), c.no)) << c.filter;
  }
  EXPECT_TRUE(Accepts("depth(0, 3)", "http://h/", {.depth = 3}));
  EXPECT_FALSE(Accepts("depth(0, 3)", "http://h/", {.depth = 4}));
  EXPECT_TRUE(Accepts("type(image/*, text/html)", "http://h/", {.type = "image/png"}));
  EXPECT_FALSE(Accepts("type(image/*, text/html)", "http://h/", {.type = "text/plain"}));
  EXPECT_TRUE(Accepts("status(200, 299)", "http://h/", {.status = 204}));
  EXPECT_TRUE(Accepts("language(EN)", "http://h/", {.language = "en"}));
  EXPECT_FALSE(Accepts("language(en)", "http://h/", {.language = "eng"}));
  EXPECT_TRUE(Accepts("text_length(64, 1G)", "http://h/", {.text_length = 64}));
  EXPECT_TRUE(Accepts("duplicate", "http://h/", {.duplicate = true}));
  EXPECT_FALSE(Accepts("duplicate()", "http://h/"));

  const web::Url from = UrlOf("http://www.unimi.it/");
  const auto at_schedule = [&](std::string_view filter, std::string_view url) {
    return Accepts(filter, url, {.from = &from}, FilterPoint::kSchedule);
  };
  EXPECT_TRUE(at_schedule("same_host", "https://www.unimi.it/x"));
  EXPECT_FALSE(at_schedule("same_host", "http://di.unimi.it/"));
  EXPECT_TRUE(at_schedule("same_domain", "http://di.unimi.it/"));
  EXPECT_FALSE(at_schedule("same_domain", "http://unimib.it/"));
  EXPECT_TRUE(Accepts("same_host and same_domain", "http://a/", {}, FilterPoint::kSchedule)) << "a seed";
}

TEST(FilterTest, BindsNotBeforeAndBeforeOr) {
  // Evaluates truth tables: a, b and c are paths.
  const auto eval = [](std::string_view filter, bool a, bool b, bool c) {
    const std::string url = std::string("http://h/") + (a ? "a" : "") + (b ? "b" : "") + (c ? "c" : "");
    std::string text(filter);
    for (size_t at = 0; (at = text.find('$', at)) != std::string::npos; at += 16) {
      text.replace(at, 2, "path_contains(" + text.substr(at + 1, 1) + ")");
    }
    return Accepts(text, url);
  };
  for (int bits = 0; bits < 8; bits++) {
    const bool a = (bits & 1) != 0, b = (bits & 2) != 0, c = (bits & 4) != 0;
    EXPECT_EQ(eval("$a or $b and $c", a, b, c), a || (b && c));
    EXPECT_EQ(eval("($a or $b) and $c", a, b, c), (a || b) && c);
    EXPECT_EQ(eval("not $a and $b or $c", a, b, c), (!a && b) || c);
    EXPECT_EQ(eval("not ($a and $b or $c)", a, b, c), !((a && b) || c));
    EXPECT_EQ(eval("not not $a and not not not $b", a, b, c), a && !b);
    EXPECT_EQ(eval("$a and ($b and ($c or false)) and true", a, b, c), a && b && c);
    EXPECT_EQ(eval("false or $a and not ($b or not $c)", a, b, c), a && !(b || !c));
  }
}

// A random filter, and its result for a URL by straightforward recursion.
struct RandomFilter {
  std::string text;
  bool value;
};
RandomFilter MakeFilter(SeededRandom* random, std::string_view path, int depth) {
  switch (depth == 0 ? 0 : random->Below(5)) {
    case 1: {
      const RandomFilter inner = MakeFilter(random, path, depth - 1);
      return {"not (" + inner.text + ")", !inner.value};
    }
    case 2:
    case 3: {
      const bool conjunction = random->Below(2) == 0;
      RandomFilter all = {"", conjunction};
      for (uint64_t n = 1 + random->Below(3), i = 0; i < n; i++) {
        const RandomFilter part = MakeFilter(random, path, depth - 1);
        all.text += (i == 0 ? "(" : conjunction ? " and (" : " or (") + part.text + ")";
        all.value = conjunction ? all.value && part.value : all.value || part.value;
      }
      return all;
    }
    case 4:
      return random->Below(2) == 0 ? RandomFilter{"true", true} : RandomFilter{"false", false};
    default: {
      const char letter = static_cast<char>('a' + random->Below(6));
      return {std::string("path_contains(") + letter + ")", path.find(letter) != std::string_view::npos};
    }
  }
}

TEST(FilterTest, AgreesWithTheObviousRecursionAndPrintsWhatItParsed) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int i = 0; i < 2000; i++) {
    std::string path = "/";
    for (int letters = 0; letters < 3; letters++) path += static_cast<char>('a' + random.Below(6));
    const RandomFilter made = MakeFilter(&random, path, 4);
    const Filter filter = MustParse(made.text);
    const web::Url url = UrlOf("http://0" + path);
    EXPECT_EQ(filter.Accepts({.url = &url}), made.value) << made.text;
    const Filter again = MustParse(filter.text());
    EXPECT_EQ(again.text(), filter.text()) << made.text;
    EXPECT_EQ(again.Accepts({.url = &url}), made.value) << filter.text();
  }
}

TEST(FilterTest, PrintsInCanonicalForm) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "true"},
      {"  ( true ) ", "true"},
      {"((host(A.it)))and(not(not(query())))", "host(a.it) and query"},
      {"host(a) and (host(b) and host(c)) or host(d)", "host(a) and host(b) and host(c) or host(d)"},
      {"not (query or duplicate)", "not (query or duplicate)"},
      {"length(1048576, 2G)", "length(1M, 2G)"},
      {"length( 5 ,5)", "length(5)"},
      {"path_contains(\"a,b\", \" x\", \"\\\"\\\\\", a b, \"plain\")",
       "path_contains(\"a,b\", \" x\", \"\\\"\\\\\", a b, plain)"},
      {"path_contains(\"\")", "path_contains(\"\")"},
  };
  for (const auto& [text, canonical] : cases) {
    EXPECT_EQ(MustParse(text).text(), canonical);
    EXPECT_EQ(MustParse(canonical).text(), canonical);
  }
  EXPECT_TRUE(MustParse("").accepts_all());
  EXPECT_TRUE(Filter().accepts_all());
  EXPECT_FALSE(MustParse("query").accepts_all());
}

TEST(FilterTest, PointsAtTheColumnOfAnError) {
  EXPECT_EQ(
      ErrorOf("host(a) and hots_ends_with(.it)"),
      "the filter, column 13: there is no predicate \"hots_ends_with\"; did you mean \"host_ends_with\"?\n"
      "  host(a) and hots_ends_with(.it)\n"
      "              ^");
  const std::tuple<std::string_view, int, std::string_view> cases[] = {
      {"host(a) host(b)", 9, "expected \"and\", \"or\" or the end"},
      {"host(a) and", 12, "expected a predicate"},
      {"and host(a)", 1, "expected a predicate"},
      {"(host(a)", 9, "expected \")\""},
      {"host(a", 7, "expected \",\" or \")\""},
      {"host", 5, "wants something in parentheses"},
      {"host()", 6, "expected a word"},
      {"host(a,)", 8, "expected a word"},
      {"status(abc)", 8, "expected a number"},
      {"status(1, 2, 3)", 14, "one number, or two"},
      {"length(2, 1)", 11, "ends before it starts"},
      {"length(99999999999G)", 8, "expected a number"},
      {"duplicate(x)", 11, "takes nothing"},
      {"path_contains(\"x)", 15, "does not end"},
      {"path_contains(\"\\x\")", 16, "backslash"},
      {"path_contains(a(b)", 16, "only inside quotes"},
      {"host(a/b)", 6, "not a valid host name"},
      {"path_contains(èé) xor query", 19, "expected \"and\""},  // columns are characters, not bytes
      {"HOST(a)", 1, "expected a predicate"},
      {"qwertyuiop(a)", 1, "there is no predicate \"qwertyuiop\"\n"},
  };
  for (const auto& [text, column, what] : cases) {
    const std::string error = ErrorOf(text);
    EXPECT_THAT(error, HasSubstr("column " + std::to_string(column) + ": ")) << text;
    EXPECT_THAT(error, HasSubstr(what)) << text;
    EXPECT_TRUE(error.ends_with("\n  " + std::string(static_cast<size_t>(column) - 1, ' ') + "^")) << error;
  }
}

TEST(FilterTest, RefusesAPredicateWhereItsValueIsNotKnown) {
  EXPECT_THAT(
      ErrorOf("query and status(200)", FilterPoint::kSchedule),
      HasSubstr("column 11: \"status\" is not known at the point schedule, only at: parse, follow, store"));
  EXPECT_THAT(ErrorOf("language(it)", FilterPoint::kParse), HasSubstr("only at: follow, store"));
  EXPECT_THAT(ErrorOf("same_host", FilterPoint::kFetch), HasSubstr("only at: schedule"));
  MustParse("status(200)", FilterPoint::kParse);
}

TEST(FilterTest, LimitsNestingAndSize) {
  const auto nested = [](size_t n) { return std::string(n, '(') + "query" + std::string(n, ')'); };
  MustParse(nested(Filter::kMaxNesting));
  EXPECT_THAT(ErrorOf(nested(Filter::kMaxNesting + 1)), HasSubstr("too many parentheses"));
  EXPECT_THAT(ErrorOf(std::string(Filter::kMaxBytes + 1, ' ')), HasSubstr("bytes"));
  // Long, but flat.
  std::string many = "query";
  for (int i = 0; i < 5000; i++) many += i % 2 == 0 ? " and query" : " or query";
  MustParse(many);
  std::string nots;
  for (int i = 0; i < 10000; i++) nots += "not ";
  EXPECT_EQ(MustParse(nots + "query").text(), "query");
}

TEST(FilterTest, TellsWhichTestDecided) {
  const Filter filter = MustParse("host_ends_with(.it) and not path_ends_with(.zip)");
  const web::Url zip = UrlOf("http://a.it/b.zip"), other = UrlOf("http://a.org/"),
                 good = UrlOf("http://a.it/");
  EXPECT_FALSE(filter.Judge({.url = &zip}).accepted);
  EXPECT_EQ(filter.Judge({.url = &zip}).because, "path_ends_with(.zip)");
  EXPECT_EQ(filter.Judge({.url = &other}).because, "host_ends_with(.it)");
  EXPECT_TRUE(filter.Judge({.url = &good}).accepted);
}

TEST(FiltersTest, TakeOptionsAndJoinThoseOfOnePoint) {
  Filters filters;
  ASSERT_TRUE(filters.Add("schedule=domain(it) or domain(ch)").ok());
  ASSERT_TRUE(filters.Add("schedule=not query").ok());
  ASSERT_TRUE(filters.Add("parse=status(200)").ok());
  EXPECT_EQ(filters[FilterPoint::kSchedule].text(), "(domain(it) or domain(ch)) and not query");
  EXPECT_EQ(filters[FilterPoint::kParse].text(), "status(200)");
  EXPECT_TRUE(filters[FilterPoint::kStore].accepts_all());
  EXPECT_THAT(filters.Add("query").message(), HasSubstr("POINT=EXPRESSION"));
  EXPECT_THAT(filters.Add("later=query").message(), HasSubstr("later=query"));
  EXPECT_FALSE(filters.Add("schedule=status(200)").ok());
}

TEST(IsLikeTest, AgreesWithTheObviousRecursion) {
  const std::function<bool(std::string_view, std::string_view)> obvious = [&](std::string_view p,
                                                                              std::string_view t) {
    if (p.empty()) return t.empty();
    if (p[0] != '*') return !t.empty() && t[0] == p[0] && obvious(p.substr(1), t.substr(1));
    for (size_t i = 0; i <= t.size(); i++) {
      if (obvious(p.substr(1), t.substr(i))) return true;
    }
    return false;
  };
  SeededRandom random(9);
  int like = 0;
  for (int i = 0; i < 20'000; i++) {
    std::string pattern, text;
    for (uint64_t n = random.Below(6); n > 0; n--) pattern += "ab*"[random.Below(3)];
    for (uint64_t n = random.Below(8); n > 0; n--) text += "ab"[random.Below(2)];
    EXPECT_EQ(IsLike(pattern, text), obvious(pattern, text)) << pattern << " " << text;
    like += obvious(pattern, text) ? 1 : 0;
  }
  EXPECT_GT(like, 1000);
  // Must not take seconds.
  EXPECT_FALSE(IsLike("*" + std::string(5000, 'a') + "b*", std::string(1 << 20, 'a')));
}

TEST(FilterTest, TheDocumentHasEveryPredicateAtItsPoints) {
  const auto text = ReadFile(std::string(SourceDirectory()) + "/docs/filters.md");
  ASSERT_TRUE(text.ok()) << text.status().ToString();
  const auto row = [&](std::string_view name) {
    const size_t bare = text->find("| `" + std::string(name) + "` |");
    return bare != std::string::npos ? bare : text->find("| `" + std::string(name) + "(");
  };
  const size_t schedule = text->find("At `schedule` only:");
  const size_t parse = text->find("At `parse`, `follow` and `store`:");
  const size_t store = text->find("At `follow` and `store`:");
  ASSERT_LT(schedule, parse);
  ASSERT_LT(parse, store);
  ASSERT_NE(store, std::string::npos);
  int names = 0;
  for (const auto& [point, begin, end] : {std::tuple(FilterPoint::kFetch, size_t{0}, schedule),
                                          std::tuple(FilterPoint::kSchedule, size_t{0}, parse),
                                          std::tuple(FilterPoint::kParse, size_t{0}, store),
                                          std::tuple(FilterPoint::kStore, size_t{0}, text->size())}) {
    for (const std::string_view name : Filter::PredicateNames(point)) {
      names++;
      EXPECT_GE(row(name), begin) << name;
      EXPECT_LT(row(name), end) << name << " has no row above that place";
    }
  }
  EXPECT_GT(names, 60);
}

}  // namespace
}  // namespace crivello::policy
