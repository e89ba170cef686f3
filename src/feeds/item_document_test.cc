// SPDX-License-Identifier: Apache-2.0
#include "feeds/item_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::feeds {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

web::Feed Parse(const std::string& text) {
  auto feed = web::ParseFeed(text, {.base_url = "https://a.example/feed"});
  EXPECT_TRUE(feed.ok()) << feed.status().ToString();
  return feed.ok() ? *std::move(feed) : web::Feed();
}
web::Url UrlOf(const std::string& text) {
  web::Url url;
  EXPECT_TRUE(url.Parse(text));
  return url;
}

TEST(ItemDocumentTest, TakesItemsWithTextAndWithoutAPage) {
  const web::Feed rss = Parse(
      "<rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel>"
      "<item><title>Full</title><guid isPermaLink=\"false\">1</guid>"
      "<content:encoded>&lt;p&gt;All of it&lt;/p&gt;</content:encoded></item>"
      "<item><title>Linked</title><link>https://a.example/2</link><content:encoded>Text</content:encoded></"
      "item>"
      "<item><description>Complete in itself</description></item>"
      "<item><title>Only a title</title></item>"
      "<item><guid>https://a.example/permalink</guid><description>Text</description></item>"
      "</channel></rss>");
  const auto items = ItemsWithoutPage(rss);
  ASSERT_THAT(items, SizeIs(2));
  EXPECT_EQ(items[0]->title.value, "Full");
  EXPECT_EQ(items[1]->summary.value, "Complete in itself");

  const web::Feed atom = Parse(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title><id>urn:f</id>"
      "<entry><id>urn:1</id><title>A</title><content type=\"html\">&lt;b&gt;x&lt;/b&gt;</content></entry>"
      "<entry><id>urn:2</id><title>B</title><summary>Only a summary</summary></entry></feed>");
  ASSERT_THAT(ItemsWithoutPage(atom), SizeIs(1));
  EXPECT_EQ(ItemsWithoutPage(atom)[0]->id, "urn:1");

  const web::Feed json = Parse(
      R"({"version":"https://jsonfeed.org/version/1.1","title":"T","items":[
          {"id":"1","content_html":"<p>x</p>"},{"id":"2","url":"https://a.example/2","content_html":"y"},
          {"id":"3","content_text":"a < b"}]})");
  ASSERT_THAT(ItemsWithoutPage(json), SizeIs(2));
  EXPECT_THAT(ItemHtml(*ItemsWithoutPage(json)[1]), HasSubstr("a &lt; b"));

  std::string many = "<rss version=\"2.0\"><channel>";
  for (int i = 0; i < 300; ++i)
    many += "<item><description>Text " + std::to_string(i) + "</description></item>";
  EXPECT_THAT(ItemsWithoutPage(Parse(many + "</channel></rss>")), SizeIs(kMaxItemDocuments));
}

TEST(ItemDocumentTest, AnItemHasAUrlOfItsOwn) {
  web::FeedItem one, other;
  one.id = "tag:1";
  other.content.value = "A text";
  const web::Url feed = UrlOf("https://a.example/feed?format=rss");
  const auto url = ItemUrl(feed, one);
  ASSERT_TRUE(url.ok());
  EXPECT_THAT(url->href(),
              testing::MatchesRegex("https://a\\.example/feed\\?.*crivello-item=[0-9a-f]{16}.*"));
  EXPECT_THAT(url->href(), HasSubstr("format=rss"));
  EXPECT_TRUE(IsItemUrl(*url));
  const web::Url before = *url;
  one.content.value = "A text that has changed";
  EXPECT_EQ(*ItemUrl(feed, one), before) << "the id names it";
  EXPECT_NE(*ItemUrl(feed, other), before);
  EXPECT_TRUE(IsItemUrl(*ItemUrl(UrlOf("https://a.example/feed"), other)));
  for (const char* page : {"https://a.example/feed", "https://a.example/?crivello-item=1",
                           "https://a.example/?x-crivello-item=0123456789abcdef",
                           "https://a.example/crivello-item=0123456789abcdef",
                           "https://a.example/?crivello-item=0123456789abcdefg"}) {
    EXPECT_FALSE(IsItemUrl(UrlOf(page))) << page;
  }
}

TEST(ItemDocumentTest, IsAPageWithTitleDateAndBase) {
  web::FeedItem item;
  item.title.value = "A <title> & \"more\"";
  item.published.seconds = 1'800'000'000;
  item.content = {.value = "<p>Words</p>",
                  .type = web::FeedText::Type::kHtml,
                  .base = "https://a.example/blog/",
                  .language = "it",
                  .src = {}};
  EXPECT_EQ(ItemHtml(item),
            "<!DOCTYPE html>\n<html lang=\"it\"><head><meta charset=\"utf-8\">"
            "<title>A &lt;title> &amp; &quot;more&quot;</title><base href=\"https://a.example/blog/\">"
            "<meta property=\"article:published_time\" content=\"2027-01-15T08:00:00Z\"></head>"
            "<body><article>\n<h1>A &lt;title> &amp; &quot;more&quot;</h1>\n<p>Words</p>\n"
            "</article></body></html>\n");
}

}  // namespace
}  // namespace crivello::feeds
