// SPDX-License-Identifier: Apache-2.0
#include "web/url/language_path.h"

#include <gtest/gtest.h>

namespace crivello::web {
namespace {

std::string Without(std::string_view url, std::string_view language) {
  return PathWithoutLanguage(ParseUrl(url).value(), language);
}

TEST(LanguagePathTest, TranslationsHaveOneName) {
  const std::string name = "example.org/a/b.html";
  EXPECT_EQ(Without("https://example.org/a/b.html", "en"), name);
  EXPECT_EQ(Without("https://www.example.org/a/b.html", "en"), name);
  EXPECT_EQ(Without("https://de.example.org/a/b.html", "de"), name);
  EXPECT_EQ(Without("https://example.org/de/a/b.html", "de"), name);
  EXPECT_EQ(Without("https://example.org/a/pt-br/b.html", "pt-BR"), name);
  EXPECT_EQ(Without("https://example.org/a/b.zh_TW.html", "zh"), name);
  EXPECT_EQ(Without("https://example.org/a/b.html?lang=fr", "fr"), name);
  EXPECT_EQ(Without("https://example.org/jp/a/b.html", "ja"), name);
}

TEST(LanguagePathTest, OnlyTheLanguageOfThePageIsLeftOut) {
  EXPECT_EQ(Without("https://example.org/it/a.html", "en"), "example.org/it/a.html");
  EXPECT_EQ(Without("https://de.example.org/a.html", ""), "de.example.org/a.html");
  EXPECT_EQ(Without("https://example.org/a.html?lang=fr&x=1", "en"), "example.org/a.html?lang=fr&x=1");
  EXPECT_EQ(Without("https://example.org/a.html?lang=fr&x=1", "fr"), "example.org/a.html?x=1");
  // A top-level domain is not a language, nor is a longer word.
  EXPECT_EQ(Without("https://de.test/desk.html", "de"), "de.test/desk.html");
  EXPECT_EQ(Without("https://example.org/de-install/", "de"), "example.org/de-install/");
}

TEST(LanguagePathTest, AnIndexFileIsItsFolder) {
  EXPECT_EQ(Without("https://example.org/a/index.de.html", "de"), "example.org/a/");
  EXPECT_EQ(Without("https://example.org/a/", "en"), "example.org/a/");
}

TEST(LanguagePathTest, HomePages) {
  for (const char* url : {"https://a.test/", "https://a.test/index.html", "https://a.test/index.de.html"}) {
    EXPECT_TRUE(IsHomePage(ParseUrl(url).value())) << url;
  }
  for (const char* url : {"https://a.test/b", "https://a.test/b/index.html", "https://a.test/?q=1"}) {
    EXPECT_FALSE(IsHomePage(ParseUrl(url).value())) << url;
  }
}

}  // namespace
}  // namespace crivello::web
