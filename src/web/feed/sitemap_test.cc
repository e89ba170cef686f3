// SPDX-License-Identifier: Apache-2.0
#include "web/feed/sitemap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::web {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Addresses(std::string_view text, const SitemapOptions& options = {},
                                   SitemapSummary* summary = nullptr) {
  std::vector<std::string> found;
  const auto result =
      ReadSitemap(text, options, [&](const SitemapEntry& entry) { found.push_back(entry.loc); });
  if (!result.ok()) return {result.status().ToString()};
  if (summary != nullptr) *summary = *result;
  return found;
}

TEST(SitemapTest, ReadsWhatAUrlSays) {
  std::vector<SitemapEntry> entries;
  const auto summary = ReadSitemap(R"(<?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
    <url><loc> http://a/?x=1&amp;y=2 </loc><lastmod>2004-01-05</lastmod><changefreq>Daily</changefreq><priority>0.8</priority>
      <xhtml:link rel="alternate" hreflang="de" href="http://a/de"/><xhtml:link rel="canonical" href="http://a/c"/></url>
    <url><loc><![CDATA[http://a/2]]></loc><priority>7</priority><changefreq>often</changefreq><lastmod>soon</lastmod></url>
    </urlset>)",
                                   {}, [&](const SitemapEntry& entry) { entries.push_back(entry); });
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->kind, SitemapKind::kUrlSet);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].loc, "http://a/?x=1&y=2");
  EXPECT_EQ(entries[0].lastmod_seconds, 1073260800);
  EXPECT_EQ(entries[0].change_frequency, ChangeFrequency::kDaily);
  EXPECT_FLOAT_EQ(entries[0].priority.value_or(-1), 0.8F);
  ASSERT_EQ(entries[0].alternates.size(), 1U);
  EXPECT_EQ(entries[0].alternates[0].hreflang, "de");
  EXPECT_EQ(entries[0].alternates[0].href, "http://a/de");
  EXPECT_EQ(entries[1].loc, "http://a/2");
  EXPECT_EQ(entries[1].lastmod_seconds, std::nullopt);
  EXPECT_EQ(entries[1].change_frequency, ChangeFrequency::kUnknown);
  EXPECT_EQ(entries[1].priority, 1.0F);
  EXPECT_TRUE(entries[1].alternates.empty());
}

TEST(SitemapTest, DoesNotTakeAnImageForThePage) {
  EXPECT_THAT(Addresses("<urlset xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'><url>"
                        "<image:image><image:loc>http://a/i.png</image:loc></image:image><image:loc>http://a/"
                        "j.png</image:loc>"
                        "<image><loc>http://a/k.png</loc></image><loc>http://a/</loc><loc>http://a/second</"
                        "loc></url></urlset>"),
              ElementsAre("http://a/"));
}

TEST(SitemapTest, ReadsAnIndex) {
  SitemapSummary summary;
  EXPECT_THAT(Addresses("<sitemapindex><sitemap><loc>http://a/1.xml</loc></sitemap>"
                        "<sitemap><loc>http://a/2.xml.gz</loc></sitemap></sitemapindex>",
                        {}, &summary),
              ElementsAre("http://a/1.xml", "http://a/2.xml.gz"));
  EXPECT_EQ(summary.kind, SitemapKind::kIndex);
}

TEST(SitemapTest, ForgivesNamespacesPrefixesAndCase) {
  EXPECT_THAT(Addresses("<urlset xmlns='http://wrong/'><url><loc>http://a/</loc></url></urlset>"),
              ElementsAre("http://a/"));
  EXPECT_THAT(Addresses("<s:urlset><s:url><s:loc>http://a/</s:loc></s:url></s:urlset>"),
              ElementsAre("http://a/"));
  EXPECT_THAT(Addresses("<UrlSet><URL><Loc>http://a/</Loc></URL></UrlSet>"), ElementsAre("http://a/"));
}

TEST(SitemapTest, GetsWhatItCanFromBrokenXml) {
  EXPECT_THAT(Addresses("<urlset><url><loc>http://a/1</loc><url><loc>http://a/2</loc></urlset>"),
              ElementsAre("http://a/1", "http://a/2"));
  EXPECT_THAT(Addresses("<urlset><url><loc>http://a/?b&c</url><url><loc>http://a/2"),
              ElementsAre("http://a/?b&c"))
      << "what the end of the file cut off is no address";
  EXPECT_THAT(Addresses("<urlset><url><loc>http://a/1</loc>"), ElementsAre("http://a/1"));
}

TEST(SitemapTest, CountsUrlsWithoutAnAddress) {
  SitemapSummary summary;
  EXPECT_THAT(
      Addresses("<urlset><url/><url><loc> "
                "</loc></url><url><loc>http://too/long</loc></url><url><loc>http://a/</loc></url></urlset>",
                {.max_loc_bytes = 10}, &summary),
      ElementsAre("http://a/"));
  EXPECT_EQ(summary.without_address, 3U);
}

TEST(SitemapTest, KeepsToItsLimits) {
  std::string text = "<urlset>";
  for (int i = 0; i < 10; i++) text += "<url><loc>http://a/" + std::to_string(i) + "</loc></url>";
  text += "</urlset>";
  SitemapSummary summary;
  EXPECT_THAT(Addresses(text, {.max_entries = 2}, &summary), ElementsAre("http://a/0", "http://a/1"));
  EXPECT_EQ(summary.over_limit, 8U);
  EXPECT_THAT(Addresses(text, {.max_bytes = 50}, &summary), ElementsAre("http://a/0"));
  EXPECT_EQ(summary.bytes_unread, text.size() - 50);
  EXPECT_THAT(Addresses("http://a/\nhttp://b/\n", {.max_entries = 1}, &summary), ElementsAre("http://a/"));
  EXPECT_EQ(summary.over_limit, 1U);
}

TEST(SitemapTest, ReadsLinesOfText) {
  SitemapSummary summary;
  EXPECT_THAT(
      Addresses("\xEF\xBB\xBF http://a/1\r\n\r\nHTTPS://a/2 \nnot an address\nhttp://a b/", {}, &summary),
      ElementsAre("http://a/1", "HTTPS://a/2"));
  EXPECT_EQ(summary.kind, SitemapKind::kText);
  EXPECT_EQ(summary.without_address, 2U);
  EXPECT_THAT(Addresses("http://a/1\rhttp://a/2\r"), ElementsAre("http://a/1", "http://a/2"));
}

TEST(SitemapTest, ReadsFeeds) {
  SitemapSummary summary;
  EXPECT_THAT(
      Addresses("<rss><channel><link>http://a/</link><item><link>http://a/1</link></item></channel></rss>",
                {}, &summary),
      ElementsAre("http://a/1"));
  EXPECT_EQ(summary.kind, SitemapKind::kFeed);
  EXPECT_THAT(
      Addresses(
          "<feed><entry><link href='http://a/1'/></entry><entry><link href='http://a/2'/></entry></feed>",
          {.max_entries = 1}, &summary),
      ElementsAre("http://a/1"));
  EXPECT_EQ(summary.over_limit, 1U);
}

TEST(SitemapTest, RefusesWhatIsNoSitemap) {
  for (const char* text : {"", "hello", "<html><body>404</body></html>", "<a/>", "{\"a\":1}", "<"}) {
    EXPECT_FALSE(ReadSitemap(text, {}, [](const SitemapEntry&) {}).ok()) << text;
  }
}

}  // namespace
}  // namespace crivello::web
