// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/search_site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "engine/site_test_support.h"
#include "serve/http/assets.h"

namespace crivello::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr std::string_view kApples =
    "The apple tree grows in orchards all over Europe, and its fruit is eaten fresh, baked or as juice.";

class SearchSiteTest : public testing::Test {
 protected:
  void SetUp() override {
    site_.AddText(
        "https://fruit.example/apple", "The apple", std::string(kApples),
        "<p><a href='/pear'>pears, their cousins</a> <a href='https://other.example/x'>other</a></p>");
    site_.AddText("https://fruit.example/pear", "The pear",
                  "The pear is a cousin of the apple and ripens on the branch in the month of September.");
    site_.AddText("https://fruit.example/quince", "The quince",
                  "The quince is hard and sour, an apple for patient people who cook it for many hours.");
    site_.AddText("https://mirror.example/apple", "The apple", std::string(kApples));
    site_.AddText(
        "https://frutta.example/mela", "La mela",
        "La mela è il frutto del melo, un albero che cresce nei frutteti di tutta la penisola italiana.");
    site_.Add({.url = "https://fruit.example/secret",
               .body = "<title>Secret cider</title><p>Cider is made from pressed fruit, and this page asks "
                       "not to be kept.",
               .head = "Content-Type: text/html\r\nX-Robots-Tag: noarchive\r\n"});
    site_.Add({.url = "https://fruit.example/list.txt",
               .body = "Medlar\n\nThe medlar is eaten when it has begun to rot, which is called bletting.",
               .head = "Content-Type: text/plain\r\n"});
    site_.Open();
  }
  TestSite site_;
};

TEST_F(SearchSiteTest, TheFirstPageTellsWhatThereIs) {
  const HttpResponse answer = site_.Get("/");
  EXPECT_EQ(answer.status, 200u);
  EXPECT_EQ(answer.type, "text/html; charset=utf-8");
  EXPECT_THAT(TextsOf(answer.body, "counts"), ElementsAre("7 pages to search from 3 sites"));
  EXPECT_THAT(TextsOf(answer.body, "languages"), ElementsAre(HasSubstr("English")));
}

TEST_F(SearchSiteTest, WhatPeopleTypeLeadsToTheSearch) {
  const HttpResponse answer = site_.Get("/search?q=apple&lang=it");
  EXPECT_EQ(answer.status, 301u);
  EXPECT_THAT(answer.headers,
              testing::Contains(std::pair<std::string, std::string>("Location", "/?q=apple&lang=it")));
}

TEST_F(SearchSiteTest, CountsWhatResultsHaveInCommon) {
  const std::string part = site_.Body("/facets?q=apple");
  EXPECT_THAT(TextsOf(part, "facet"),
              testing::Contains(testing::AllOf(HasSubstr("Sites"), HasSubstr("fruit.example"))));
  EXPECT_THAT(part, HasSubstr("href=\"/?q=apple&amp;site=fruit.example\""));
  EXPECT_THAT(site_.Body("/facets?q=zeppelin"), Not(HasSubstr("section")));
}

TEST_F(SearchSiteTest, SortsByDate) {
  const std::string page = site_.Body("/?q=apple");
  EXPECT_THAT(page, HasSubstr("href=\"/?q=apple&amp;sort=date\""));
  const std::string sorted = site_.Body("/?q=apple&sort=date");
  EXPECT_THAT(sorted, HasSubstr("Sorted by <b>date</b>"));
  EXPECT_THAT(TextsOf(sorted, "result"), Not(IsEmpty()));
}

TEST_F(SearchSiteTest, ShowsResultsWithTheirCopiesFolded) {
  const std::string page = site_.Body("/?q=apple+orchards");
  EXPECT_THAT(page, HasSubstr("<mark>apple</mark>"));
  EXPECT_THAT(page, HasSubstr("href=\"https://fruit.example/quince\""));
  EXPECT_THAT(TextsOf(page, "copies"), ElementsAre(HasSubstr("1 similar page")));
  EXPECT_THAT(TextsOf(page, "#found").at(0), HasSubstr("4 matching pages"));
  EXPECT_THAT(page, HasSubstr("2 October 2026"));
  EXPECT_THAT(page, HasSubstr("/api/v1/search?q=apple+orchards&amp;n=10&amp;format=csv"));
}

TEST_F(SearchSiteTest, GroupsTheResultsOfASite) {
  EXPECT_THAT(site_.Body("/?q=apple"), HasSubstr("1 more from fruit.example"));
  EXPECT_THAT(TextsOf(site_.Body("/?q=apple&site=fruit.example"), "result"), SizeIs(3));
}

TEST_F(SearchSiteTest, FiltersAndLetsThemBeRemoved) {
  const std::string page = site_.Body("/?q=apple+OR+mela&lang=it");
  EXPECT_THAT(TextsOf(page, "result"), ElementsAre(HasSubstr("La mela")));
  EXPECT_THAT(TextsOf(page, "chips"), ElementsAre("Italian"));
  EXPECT_THAT(page, HasSubstr("<option value=\"it\" selected=\"\">Italian</option>"));
  EXPECT_THAT(page, HasSubstr("href=\"/?q=apple+OR+mela\""));
  EXPECT_THAT(TextsOf(site_.Body("/?type=text"), "result"), ElementsAre(HasSubstr("medlar")));
  EXPECT_THAT(TextsOf(site_.Body("/?q=apple&date=2026-10"), "result"), Not(IsEmpty()));
  EXPECT_THAT(TextsOf(site_.Body("/?q=apple&date=2025"), "result"), IsEmpty());
}

TEST_F(SearchSiteTest, AFilterIsNeverSyntax) {
  EXPECT_THAT(TextsOf(site_.Body("/?q=apple&site=x)+OR+(pear"), "result"), IsEmpty());
  EXPECT_THAT(TextsOf(site_.Body("/?q=apple&lang=en+OR+lang:it"), "result"), IsEmpty());
}

TEST_F(SearchSiteTest, SaysWhatWasTriedWhenNothingIsFound) {
  const std::string page = site_.Body("/?q=zeppelin&lang=it");
  EXPECT_THAT(TextsOf(page, "#found"), ElementsAre("No results"));
  EXPECT_THAT(page, HasSubstr("No results for “zeppelin”"));
  EXPECT_THAT(page, HasSubstr("Search without filters"));
}

TEST_F(SearchSiteTest, CorrectsAWordThatNoPageHas) {
  const std::string note = "no page has \"orchrads\": these are results for orchards";
  const std::vector<std::string> found = TextsOf(site_.Body("/?q=orchards"), "result");
  EXPECT_THAT(found, Not(IsEmpty()));
  EXPECT_THAT(TextsOf(site_.Body("/?q=orchards"), "note"), IsEmpty());
  const std::string corrected = site_.Body("/?q=orchrads");
  EXPECT_THAT(TextsOf(corrected, "note"), ElementsAre(note));
  EXPECT_THAT(TextsOf(corrected, "result"), SizeIs(found.size()));
  EXPECT_THAT(TextsOf(site_.Body("/?q=orchrads&lang=en"), "note"), ElementsAre(note));
}

TEST_F(SearchSiteTest, ShowsACopyInAFrame) {
  const HttpResponse page = site_.Get("/cached?url=https://fruit.example/apple");
  EXPECT_EQ(page.status, 200u);
  EXPECT_THAT(page.body, HasSubstr("2 October 2026, 03:04 UTC"));
  EXPECT_THAT(page.body, HasSubstr("sandbox=\"allow-top-navigation-by-user-activation\""));
  EXPECT_THAT(page.body, HasSubstr("src=\"/cached/content?url=https%3A%2F%2Ffruit.example%2Fapple\""));
  const HttpResponse copy = site_.Get("/cached/content?url=https://fruit.example/apple");
  EXPECT_EQ(copy.status, 200u);
  EXPECT_THAT(copy.body, HasSubstr("orchards"));
  EXPECT_THAT(copy.body,
              HasSubstr("<a href=\"/cached?url=https%3A%2F%2Ffruit.example%2Fpear\" target=\"_top\">"));
  EXPECT_THAT(copy.body,
              HasSubstr("<a href=\"https://other.example/x\" target=\"_top\" rel=\"noopener noreferrer\">"));
  ASSERT_FALSE(copy.headers.empty());
  EXPECT_EQ(copy.headers[0].first, "Content-Security-Policy");
  EXPECT_THAT(copy.headers[0].second, HasSubstr("default-src 'none'"));
}

TEST_F(SearchSiteTest, ShowsNoCopyWhereThatIsNotWanted) {
  EXPECT_EQ(site_.Get("/cached?url=https://fruit.example/secret").status, 404u);
  const HttpResponse secret = site_.Get("/cached/content?url=https://fruit.example/secret");
  EXPECT_EQ(secret.status, 404u);
  EXPECT_THAT(secret.body, Not(HasSubstr("pressed")));
  EXPECT_EQ(site_.Get("/cached?url=https://nowhere.example/").status, 404u);
  EXPECT_EQ(site_.Get("/cached?url=nonsense").status, 400u);
  EXPECT_EQ(site_.Get("/cached").status, 400u);
}

// A document without a URL has no other page.
TEST(ImportedTextTest, IsShownThoughItWasNeverArchived) {
  TestSite site;
  site.AddDocument({.id = "a2",
                    .url = "https://import.invalid/a2",
                    .title = "Breads",
                    .text = "Rye bread keeps for a week."});
  site.Open();
  const std::string url = "https://import.invalid/a2";
  EXPECT_THAT(site.Body("/?q=rye"), HasSubstr("href=\"/cached?url=https%3A%2F%2Fimport.invalid%2Fa2\""));
  const HttpResponse page = site.Get("/cached?url=" + url);
  EXPECT_EQ(page.status, 200u);
  EXPECT_THAT(page.body, HasSubstr("The text of "));
  const HttpResponse copy = site.Get("/cached/content?url=" + url);
  EXPECT_EQ(copy.status, 200u);
  EXPECT_THAT(copy.body, HasSubstr("Rye bread keeps for a week."));
  ASSERT_FALSE(copy.headers.empty());
  EXPECT_EQ(copy.headers[0].first, "Content-Security-Policy");
}

TEST_F(SearchSiteTest, ShowsTheTextOfWhatIsNoPage) {
  EXPECT_THAT(site_.Body("/cached?url=https://fruit.example/list.txt"), HasSubstr("The text of "));
  EXPECT_THAT(site_.Body("/cached/content?url=https://fruit.example/list.txt"), HasSubstr("bletting"));
}

TEST_F(SearchSiteTest, ExplainsAScore) {
  const std::string page = site_.Body("/explain?q=pear+cousin&url=https://fruit.example/pear");
  EXPECT_THAT(page, HasSubstr("Result 1 for "));
  EXPECT_THAT(page, HasSubstr("idf "));
  EXPECT_THAT(page, HasSubstr("<meter"));
  EXPECT_THAT(page, HasSubstr("1 page links to it"));
  EXPECT_THAT(page, HasSubstr("<q>pears, their cousins</q>"));
  EXPECT_EQ(site_.Get("/explain?q=pear&url=https://frutta.example/mela").status, 404u);
}

TEST_F(SearchSiteTest, TellsWhyAPageIsHere) {
  EXPECT_THAT(TextsOf(site_.Body("/why?url=https://fruit.example/pear"), "ledger"), SizeIs(1));
  EXPECT_EQ(site_.Get("/why?url=mailto:x").status, 400u);
}

TEST_F(SearchSiteTest, FindsSimilarPages) {
  const std::string page = site_.Body("/similar?url=https://fruit.example/pear");
  EXPECT_THAT(page, HasSubstr("https://fruit.example/apple"));
  EXPECT_EQ(site_.Get("/similar?url=https://nowhere.example/").status, 404u);
}

TEST_F(SearchSiteTest, ServesItsAssetsForGood) {
  const HttpResponse style = site_.Get(AssetPath("style.css"));
  EXPECT_EQ(style.status, 200u);
  EXPECT_EQ(style.type, "text/css; charset=utf-8");
  EXPECT_THAT(style.headers, ElementsAre(testing::Pair("Cache-Control", HasSubstr("immutable"))));
  EXPECT_THAT(site_.Body("/"), HasSubstr(std::string(AssetPath("main.js"))));
  EXPECT_EQ(site_.Get("/assets/style.0000000000000000.css").status, 404u);
}

TEST_F(SearchSiteTest, RefusesWhatItDoesNotHave) {
  EXPECT_EQ(site_.Get("/nothing").status, 404u);
  HttpRequest post;
  post.method = "POST";
  post.path = "/";
  EXPECT_EQ(site_.site().Handle(post).status, 405u);
}

TEST(SearchSitePagesTest, PagesNeitherSkipNorRepeat) {
  TestSite site;
  // Texts that share just one word, so that they are not folded as copies.
  SeededRandom random(1);
  for (int i = 0; i < 25; i++) {
    std::string text = "walnuts";
    for (int word = 0; word < 30; word++) {
      text += ' ';
      for (int letter = 0; letter < 7; letter++) text += static_cast<char>('a' + random.Below(26));
    }
    site.AddText(fmt::format("https://s{}.example/", i), fmt::format("Number {}", i), text);
  }
  site.Open();
  std::vector<std::string> seen;
  for (int page = 1; page <= 3; page++) {
    for (const std::string& heading :
         TextsOf(site.Body(fmt::format("/?q=walnuts&page={}", page)), "crumbs")) {
      seen.push_back(heading);
    }
  }
  EXPECT_EQ(seen.size(), 25u);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
  EXPECT_THAT(site.Body("/?q=walnuts&page=9"), HasSubstr("There are no more results"));
  EXPECT_THAT(site.Body("/?q=walnuts&page=2"), HasSubstr("rel=\"next\""));
}

TEST(SearchSiteOptionsTest, CopiesCanBeSwitchedOff) {
  TestSite site;
  site.AddText("https://a.example/", "Walnut",
               "Walnuts are eaten in winter by the fire with a glass of wine.");
  site.Open({.cached_copies = false});
  EXPECT_EQ(site.Get("/cached?url=https://a.example/").status, 404u);
  EXPECT_EQ(site.Get("/cached/content?url=https://a.example/").status, 404u);
  EXPECT_THAT(site.Body("/?q=walnuts"), Not(HasSubstr("/cached")));
}

}  // namespace
}  // namespace crivello::engine
