// SPDX-License-Identifier: Apache-2.0
#include "index/tables/page_names.h"

#include <gmock/gmock.h>

namespace crivello::index {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;

std::vector<std::string> Names(std::string_view url, std::string_view title, const Inlinks& inlinks = {}) {
  return NamesOf(web::ParseUrl(url).value(), title, &inlinks);
}

TEST(PageNamesTest, AKeyIsTheWordsOfATextFolded) {
  EXPECT_EQ(NameKey("The Géopoly -- Interface!"), "geopoly interface");
  EXPECT_EQ(NameKey("C++ and C#"), "c++ c#");
  EXPECT_EQ(NameKey("git-commit(1)"), "git commit 1");
  EXPECT_EQ(NameKey("“Quoted” – 日本語、テキスト"), "quoted 日本語 テキスト");
  EXPECT_EQ(NameKey("To be"), "be");
  EXPECT_EQ(NameKey("The Who"), "who");
  EXPECT_EQ(NameKey("to the"), "to the");  // otherwise nothing would be left
  EXPECT_EQ(NameKey(" .,- "), "");
  EXPECT_EQ(NameKey(std::string(1000, 'x')), "");
}

TEST(PageNamesTest, ATitleIsANameAndSoAreItsParts) {
  EXPECT_THAT(Names("https://a.org/?x", "Atomic Commit"), ElementsAre("t:atomic commit"));
  EXPECT_THAT(Names("https://a.org/?x", "git-add(1)"), ElementsAre("t:git add 1", "p:git add"));
  EXPECT_THAT(Names("https://a.org/?x", "3.2. Shared libraries — Policy Manual"),
              UnorderedElementsAre("t:3 2 shared libraries policy manual", "p:shared libraries policy manual",
                                   "p:3 2 shared libraries", "p:shared libraries", "p:policy manual"));
  EXPECT_THAT(Names("https://a.org/?x", ""), IsEmpty());
}

TEST(PageNamesTest, AHomePageHasTheNameOfItsSite) {
  EXPECT_THAT(Names("https://www.sieve-tools.co.uk/", ""),
              UnorderedElementsAre("h:sieve tools co uk", "h:sieve tools"));
  EXPECT_THAT(Names("https://docs.sieve.org/index.en.html", ""),
              UnorderedElementsAre("h:docs sieve org", "h:sieve", "h:docs sieve"));
  EXPECT_THAT(Names("https://sieve3.org/", ""), UnorderedElementsAre("h:sieve3 org", "h:sieve3", "h:sieve"));
  EXPECT_THAT(Names("https://sieve.org/x/", ""), IsEmpty());
  EXPECT_THAT(Names("https://sieve.org/?x", ""), IsEmpty());
}

TEST(PageNamesTest, ThePathEndsInAName) {
  EXPECT_THAT(Names("https://a.org/c3ref/total_changes.html", ""),
              UnorderedElementsAre("p:total changes html", "p:total changes", "p:c3ref total changes html"));
  EXPECT_THAT(Names("https://a.org/f%C3%B3o", ""), ElementsAre("p:foo"));
  EXPECT_THAT(Names("https://a.org/x/?y", ""), IsEmpty());
}

TEST(PageNamesTest, LinksSayNamesToo) {
  Inlinks inlinks{.pages = 9, .texts = {"Trees", "trees", "The oak"}};
  EXPECT_THAT(Names("https://a.org/?x", "Oak", inlinks), UnorderedElementsAre("t:oak", "a:trees", "a:oak"));
  for (int i = 0; i < 100; i++) inlinks.texts.push_back("name " + std::to_string(i));
  EXPECT_THAT(Names("https://a.org/?x", "", inlinks), SizeIs(12));
}

}  // namespace
}  // namespace crivello::index
