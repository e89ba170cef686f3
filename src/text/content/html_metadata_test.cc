// SPDX-License-Identifier: Apache-2.0
#include "text/content/html_metadata.h"

#include <gtest/gtest.h>

#include "web/http/date_parse.h"

namespace crivello::text {
namespace {

Document ReadMetadata(std::string_view html, std::string_view url = "") {
  Document document;
  ReadHtmlMetadata(html::ParseHtml(html), url, &document);
  return document;
}

TEST(HtmlMetadataTest, TakesTheNameOfTheSiteOffTheTitle) {
  EXPECT_EQ(TitleWithoutSite("Rain - The Daily", "The Daily", ""), "Rain");
  EXPECT_EQ(TitleWithoutSite("The Daily | Rain", "the daily", ""), "Rain");
  EXPECT_EQ(TitleWithoutSite("Rain | Weather | The Daily", "", "Rain"), "Rain");
  EXPECT_EQ(TitleWithoutSite("Rain - and snow", "The Daily", ""), "Rain - and snow");
  EXPECT_EQ(TitleWithoutSite("", "", ""), "");
}

TEST(HtmlMetadataTest, ReadsWhatThePageSaysOfItself) {
  const Document document = ReadMetadata(
      "<html lang=en-GB><title>Rain - The Daily</title><meta property=og:site_name content='The Daily'>"
      "<meta name=Author content=' Ann  Bee '><meta name=description content=Wet>"
      "<meta property=article:published_time content=2020-01-02T03:04:05Z><h1>Rain</h1>");
  EXPECT_EQ(document.title, "Rain");
  EXPECT_EQ(document.site, "The Daily");
  EXPECT_EQ(document.author, "Ann Bee");
  EXPECT_EQ(document.description, "Wet");
  EXPECT_EQ(document.language, "en-GB");
  EXPECT_EQ(document.published, web::ParseDate("2020-01-02T03:04:05Z"));
}

TEST(HtmlMetadataTest, ReadsJsonLdThatIsNotQuiteJson) {
  const Document document = ReadMetadata(
      "<title>x</title><script type='application/ld+json'>{\"@type\": \"NewsArticle\", "
      "\"author\": [{\"@type\":\"Person\",\"name\":\"Zo\\u00eb \\\"Z\\\"\"}], \"datePublished\" : "
      "\"2021-02-03\",,}"
      "</script>");
  EXPECT_EQ(document.author, "Zo\u00eb \"Z\"");
  EXPECT_EQ(document.published, web::ParseDate("2021-02-03"));
}

TEST(HtmlMetadataTest, FindsTheDateInTimeAndAsALastResortInTheUrl) {
  EXPECT_EQ(ReadMetadata("<time datetime=2019-05-06>yesterday</time>").published,
            web::ParseDate("2019-05-06"));
  EXPECT_EQ(ReadMetadata("<p>x", "http://a.example/2018/07/09/rain.html").published,
            web::ParseDate("2018-07-09"));
  EXPECT_EQ(ReadMetadata("<p>x", "http://a.example/2018/77/09/rain.html").published, std::nullopt);
  EXPECT_EQ(ReadMetadata("<p>x", "http://a.example/12345678/rain.html").published, std::nullopt);
}

TEST(HtmlMetadataTest, SaysNothingOfAPageThatSaysNothing) {
  const Document document = ReadMetadata("");
  EXPECT_EQ(document.title, "");
  EXPECT_EQ(document.author, "");
  EXPECT_EQ(document.language, "");
  EXPECT_EQ(document.published, std::nullopt);
}

TEST(HtmlMetadataTest, TakesNoNonsenseForALanguage) {
  EXPECT_EQ(ReadMetadata("<html lang='<script>'>").language, "");
  EXPECT_EQ(ReadMetadata("<html lang='de, en'>").language, "de");
  EXPECT_EQ(ReadMetadata("<meta property=og:locale content=pt_BR>").language, "pt-BR");
}

}  // namespace
}  // namespace crivello::text
