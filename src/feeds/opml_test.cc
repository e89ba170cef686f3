// SPDX-License-Identifier: Apache-2.0
#include "feeds/opml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "feeds/discovery.h"
#include "web/url/canonical.h"

namespace crivello::feeds {
namespace {

using testing::ElementsAre;

TEST(OpmlTest, ReadsNestedOutlines) {
  const auto feeds = ParseOpml(
      "<?xml version='1.0'?><opml version='1.1'><head><title>x</title></head><body>"
      "<outline text='News'><outline type='rss' text='A &amp; B' xmlUrl='https://a.example/feed?a=1&amp;b=2'"
      " htmlUrl='https://a.example/'/><outline title='C' xmlurl='https://c.example/feed'></outline></outline>"
      "<outline text='no feed'/></body></opml>");
  ASSERT_TRUE(feeds.ok()) << feeds.status().message();
  EXPECT_THAT(*feeds, ElementsAre(OpmlFeed{"https://a.example/feed?a=1&b=2", "https://a.example/", "A & B"},
                                  OpmlFeed{"https://c.example/feed", "", "C"}));
}

TEST(OpmlTest, ReadsWhatItWrites) {
  const std::vector<OpmlFeed> feeds = {
      {"https://a.example/?a=1&b=\"<>", "https://a.example/", "\"A\" <b> & c"},
      {"https://c.example/feed", "", "C"}};
  const auto again = ParseOpml(FormatOpml("list <1>", feeds));
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ(*again, feeds);
}

TEST(OpmlTest, TakesTheUrlsThatCanBePolled) {
  EXPECT_EQ(PollableUrl(" https://a.example/feed\n"), "https://a.example/feed");
  EXPECT_EQ(PollableUrl("feed://a.example/feed"), "http://a.example/feed");
  EXPECT_EQ(PollableUrl("FEED:https://a.example/feed"), "https://a.example/feed");
  for (const char* const url :
       {"", "feed:", "javascript:alert(1)", "ftp://a.example/", "/feed", "feed:file:///x"})
    EXPECT_FALSE(PollableUrl(url)) << url;
}

TEST(OpmlTest, RefusesOtherDocumentsAndTooManyFeeds) {
  EXPECT_EQ(ParseOpml("<rss><channel/></rss>").status().code(), StatusCode::kCorruption);
  EXPECT_EQ(ParseOpml("").status().code(), StatusCode::kCorruption);
  std::string many = "<opml>";
  for (size_t i = 0; i <= kMaxOpmlFeeds; ++i) many += "<outline xmlUrl='u'/>";
  EXPECT_EQ(ParseOpml(many).status().code(), StatusCode::kInvalidArgument);
}

TEST(DiscoveryTest, FindsTheFeedsThatAPageNames) {
  const web::Page page = web::ScanPage(
      "<base href='/sub/'><link rel=alternate type=application/rss+xml href=feed>"
      "<link rel=alternate type='application/atom+xml' href='https://b.example/atom'>"
      "<link rel=alternate hreflang=fr href=/fr><link rel=stylesheet href=s.css>"
      "<link rel=alternate type=application/rss+xml href='/sub/feed#x'><a rel=feed href=/anchor>");
  EXPECT_THAT(NamedFeeds(page, *web::CanonicalUrl("https://a.example/page")),
              ElementsAre("https://a.example/sub/feed", "https://b.example/atom"));
}

TEST(DiscoveryTest, GuessesWithinTheOrigin) {
  for (const std::string& url : UsualFeeds(*web::CanonicalUrl("https://a.example:8080/page?x"))) {
    EXPECT_THAT(url, testing::StartsWith("https://a.example:8080/"));
    EXPECT_EQ(web::CanonicalUrl(url)->href(), url);
  }
}

}  // namespace
}  // namespace crivello::feeds
