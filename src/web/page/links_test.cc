// SPDX-License-Identifier: Apache-2.0
#include "web/page/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::web {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Refreshed(std::string_view content) {
  const std::optional<Refresh> refresh = ParseRefresh(content);
  return refresh ? std::to_string(refresh->seconds) + " " + std::string(refresh->url) : "none";
}

TEST(LinksTest, ReadsRefreshAsBrowsersDo) {
  EXPECT_EQ(Refreshed("5"), "5 ");
  EXPECT_EQ(Refreshed(" 0;url=/a"), "0 /a");
  EXPECT_EQ(Refreshed("1.5; URL = 'b c' d"), "1 b c");
  EXPECT_EQ(Refreshed("1, \"x"), "1 x");
  EXPECT_EQ(Refreshed("3 urls.html"), "3 urls.html");
  EXPECT_EQ(Refreshed("3;ur=1"), "3 ur=1");
  EXPECT_EQ(Refreshed("0;/next "), "0 /next");
  EXPECT_EQ(Refreshed(".5;x"), "0 x");
  EXPECT_EQ(Refreshed("99999999999999"), "2147483647 ");
  EXPECT_EQ(Refreshed(""), "none");
  EXPECT_EQ(Refreshed("url=x"), "none");
  EXPECT_EQ(Refreshed("5x"), "none");
  EXPECT_EQ(Refreshed("-1;x"), "none");
}

ImageCandidate Plain(std::string_view url) { return {url, 0, 1}; }

TEST(LinksTest, ReadsSrcset) {
  EXPECT_THAT(ParseSrcset("a.png"), ElementsAre(Plain("a.png")));
  EXPECT_THAT(ParseSrcset(" a.png 1x , b.png 2.5x,c.png 640w"),
              ElementsAre(Plain("a.png"), ImageCandidate{"b.png", 0, 2.5}, ImageCandidate{"c.png", 640, 0}));
  EXPECT_THAT(ParseSrcset("a,b.png 2x, c.png,, d.png"),
              ElementsAre(ImageCandidate{"a,b.png", 0, 2}, Plain("c.png"), Plain("d.png")));
  EXPECT_THAT(ParseSrcset("a 10w 20h, b 20h, c 1x 2w, d -1x, e 0w, f 1.x, g +1x, h (1,2) x, i 3w"),
              ElementsAre(ImageCandidate{"a", 10, 0}, ImageCandidate{"i", 3, 0}));
  EXPECT_THAT(ParseSrcset(" ,, "), IsEmpty());
  EXPECT_THAT(ParseSrcset("a 99999999999w, b 1e2x"), ElementsAre(ImageCandidate{"b", 0, 100}));
}

TEST(LinksTest, KnowsRelAndFeeds) {
  Link link;
  link.kind = LinkKind::kLink;
  link.rel = "Alternate\tNOFOLLOW";
  link.type = "Application/RSS+xml; charset=utf-8";
  EXPECT_TRUE(link.HasRel("alternate"));
  EXPECT_FALSE(link.HasRel("alt"));
  EXPECT_TRUE(link.nofollow());
  EXPECT_TRUE(link.IsFeed());
  link.kind = LinkKind::kAnchor;
  EXPECT_FALSE(link.IsFeed());
}

}  // namespace
}  // namespace crivello::web
