// SPDX-License-Identifier: Apache-2.0
#include "web/url/link_resolver.h"

#include <gtest/gtest.h>

namespace crivello::web {
namespace {

Url ParsedUrl(std::string_view text) {
  Url url;
  EXPECT_TRUE(url.Parse(text)) << text;
  return url;
}

std::string Resolved(const LinkResolver& resolver, std::string_view href) {
  Url url;
  return resolver.Resolve(href, &url) ? url.href() : "none";
}

TEST(LinkResolverTest, IsRelativeToTheBaseThatThePageNames) {
  const Url document = ParsedUrl("http://a/b/c");
  EXPECT_EQ(Resolved({document, "", charset::Encoding::kUtf8}, "x"), "http://a/b/x");
  EXPECT_EQ(Resolved({document, "/d/", charset::Encoding::kUtf8}, "x"), "http://a/d/x");
  EXPECT_EQ(Resolved({document, "//e", charset::Encoding::kUtf8}, "x"), "http://e/x");
  EXPECT_EQ(Resolved({document, "http://e:port/", charset::Encoding::kUtf8}, "x"), "http://a/b/x");
  EXPECT_EQ(Resolved({document, "data:,", charset::Encoding::kUtf8}, "x"), "http://a/b/x");
}

TEST(LinkResolverTest, KnowsOnlyAbsoluteLinksOfAPageFromNowhere) {
  EXPECT_EQ(Resolved({Url(), "", charset::Encoding::kUtf8}, "x"), "none");
  EXPECT_EQ(Resolved({Url(), "", charset::Encoding::kUtf8}, "http://a"), "http://a/");
  EXPECT_EQ(Resolved({Url(), "http://a/b/", charset::Encoding::kUtf8}, "x"), "http://a/b/x");
}

TEST(LinkResolverTest, WritesQueriesInTheEncodingOfThePage) {
  const LinkResolver latin(ParsedUrl("http://a/"), "", charset::Encoding::kWindows1252);
  EXPECT_EQ(Resolved(latin, "\xC3\xA9?\xC3\xA9&\xE2\x82\xAC&\xE4\xB8\xAD#\xC3\xA9"),
            "http://a/%C3%A9?%E9&%80&%26%2320013%3B#%C3%A9");
  EXPECT_EQ(Resolved(latin, "x:?\xC3\xA9"), "x:?%C3%A9") << "not one of the web's schemes";
}

}  // namespace
}  // namespace crivello::web
