// SPDX-License-Identifier: Apache-2.0
#include "web/http/http_headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "web/http/http_link.h"
#include "web/http/http_robots_tag.h"

namespace crivello::web {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kHeadersNow = 784111777;  // Sun, 06 Nov 1994 08:49:37 GMT

TEST(HttpHeadersTest, ReadsContentTypes) {
  const MediaType media = ParseMediaType("Text/HTML; Charset=\"utf\\-8\"; boundary=a;charset=x");
  EXPECT_EQ(media.Essence(), "text/html");
  EXPECT_EQ(media.charset, "utf-8");
  EXPECT_EQ(media.boundary, "a");
  EXPECT_TRUE(media.IsHtml());
  EXPECT_EQ(ParseMediaType("text/html;charset='utf-8'").charset, "utf-8");
  EXPECT_EQ(ParseMediaType("text/html; charset = utf-8 ").charset, "utf-8");
  EXPECT_EQ(ParseMediaType("text/html; charset=utf-8, text/plain").charset, "utf-8");
  EXPECT_EQ(ParseMediaType("multipart/x; boundary=\"a;b\"; charset=c").boundary, "a;b");
  EXPECT_EQ(ParseMediaType("multipart/x; boundary=\"a;b\"; charset=c").charset, "c");
  EXPECT_TRUE(ParseMediaType("application/rss+xml").IsXml());
  EXPECT_EQ(ParseMediaType("html; charset=utf-8").Essence(), "");
  EXPECT_EQ(ParseMediaType("html; charset=utf-8").charset, "utf-8");
  EXPECT_EQ(ParseMediaType("text/html; charset=\"open").charset, "open");
  EXPECT_EQ(ParseMediaType("").Essence(), "");
}

TEST(HttpHeadersTest, ReadsFileNames) {
  const auto name = [](std::string_view value) { return ParseContentDisposition(value).filename; };
  EXPECT_EQ(ParseContentDisposition("Attachment; filename=a.txt").type, "attachment");
  EXPECT_EQ(name("attachment; filename=\"a \\\"b\\\".txt\""), "a \"b\".txt");
  EXPECT_EQ(name("attachment; filename=x; filename*=UTF-8''%e2%82%ac%20rates"), "\u20ac rates");
  EXPECT_EQ(name("attachment; filename*=iso-8859-1'en'%A3%20rates"), "\u00a3 rates");
  EXPECT_EQ(name("attachment; filename*=nonsense; filename=x"), "x");
  EXPECT_EQ(name("filename=x"), "x");
  EXPECT_EQ(name("attachment; filename=caf\xe9"), "caf\u00e9");
  EXPECT_EQ(name("attachment; filename=\"../../etc/passwd\""), "passwd");
  EXPECT_EQ(name("attachment; filename*=UTF-8''..%2f..%2fx"), "x");
  EXPECT_EQ(name("attachment; filename=\"..\""), "");
  EXPECT_EQ(name("attachment"), "");
}

TEST(HttpHeadersTest, ReadsCacheControl) {
  const CacheControl control =
      ParseCacheControl("public, Max-Age=\"3600\", s-maxage = 60, no-cache=\"a, b\", immutable, max-age=1");
  EXPECT_TRUE(control.is_public);
  EXPECT_TRUE(control.immutable);
  EXPECT_FALSE(control.no_cache);
  EXPECT_FALSE(control.no_store);
  EXPECT_EQ(control.max_age, 3600);
  EXPECT_EQ(control.s_maxage, 60);
  EXPECT_TRUE(ParseCacheControl("private,no-store").no_store);
  EXPECT_EQ(ParseCacheControl("max-age=99999999999999999999").max_age, int64_t{1} << 31);
  EXPECT_EQ(ParseCacheControl("max-age=soon").max_age, 0);
  EXPECT_EQ(ParseCacheControl("").max_age, std::nullopt);
}

TEST(HttpHeadersTest, ReadsRetryAfterInBothForms) {
  EXPECT_EQ(ParseRetryAfter(" 120 ", kHeadersNow), 120);
  EXPECT_EQ(ParseRetryAfter("Sun, 06 Nov 1994 08:50:37 GMT", kHeadersNow), 60);
  EXPECT_EQ(ParseRetryAfter("Sun, 06 Nov 1994 08:00:00 GMT", kHeadersNow), 0);
  EXPECT_EQ(ParseRetryAfter("-5", kHeadersNow), std::nullopt);
  EXPECT_EQ(ParseRetryAfter("later", kHeadersNow), std::nullopt);
}

TEST(HttpHeadersTest, ComparesEntityTags) {
  const auto strong = ParseEntityTag("\"a\"");
  const auto weak = ParseEntityTag("W/\"a\"");
  ASSERT_TRUE(strong && weak);
  EXPECT_TRUE(WeaklyEqual(*strong, *weak));
  EXPECT_FALSE(StronglyEqual(*strong, *weak));
  EXPECT_TRUE(StronglyEqual(*strong, *ParseEntityTag("a")));
  EXPECT_EQ(ParseEntityTag("\"a\"b\""), std::nullopt);
  EXPECT_EQ(ParseEntityTag("\"\""), std::nullopt);
}

TEST(HttpHeadersTest, FindsValidators) {
  const HttpResponse response =
      ParseHttpResponse("HTTP/1.1 200 OK\nETag: W/\"x\"\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\n\n");
  EXPECT_EQ(FindValidators(response.fields, kHeadersNow).etag, "W/\"x\"");
  EXPECT_EQ(FindValidators(response.fields, kHeadersNow).last_modified, kHeadersNow);
  EXPECT_EQ(FindValidators(response.fields, kHeadersNow - 1).last_modified, std::nullopt);
}

TEST(HttpHeadersTest, ReadsAContentLengthThatIsOne) {
  const auto length = [](std::string_view fields) {
    return FindContentLength(ParseHttpFields(fields).fields);
  };
  EXPECT_EQ(length("Content-Length: 42\n"), 42u);
  EXPECT_EQ(length("Content-Length: 42, 42\nContent-Length: 42\n"), 42u);
  EXPECT_EQ(length("Content-Length: 42\nContent-Length: 43\n"), std::nullopt);
  EXPECT_EQ(length("Content-Length: -1\n"), std::nullopt);
  EXPECT_EQ(length("A: 1\n"), std::nullopt);
}

TEST(HttpLinkTest, ReadsSeveralLinks) {
  const auto links = ParseLinks(
      "</a,b>; rel=\"Canonical  next\"; title=\"x, y; z\" , <c>;rel=alternate;hreflang=it;hreflang=\"de\";"
      "type=\"application/rss+xml\", nonsense; rel=x, <d>; title=e; title*=UTF-8''%c3%a8; media=print; "
      "anchor=\"#f\",");
  ASSERT_EQ(links.size(), 3u);
  EXPECT_EQ(links[0].target, "/a,b");
  EXPECT_TRUE(links[0].HasRel("canonical"));
  EXPECT_TRUE(links[0].HasRel("next"));
  EXPECT_FALSE(links[0].HasRel("canon"));
  EXPECT_EQ(links[0].title, "x, y; z");
  EXPECT_THAT(links[1].hreflang, ElementsAre("it", "de"));
  EXPECT_EQ(links[1].type, "application/rss+xml");
  EXPECT_EQ(links[2].title, "\u00e8");
  EXPECT_EQ(links[2].anchor, "#f");
}

TEST(HttpLinkTest, ReadsWhatThereIsOfBrokenLinks) {
  EXPECT_TRUE(ParseLinks("").empty());
  EXPECT_TRUE(ParseLinks("<a").empty());
  EXPECT_TRUE(ParseLinks(",,,").empty());
  EXPECT_EQ(ParseLinks("<a> rel=next, <b>; rel=prev").size(), 2u);
  EXPECT_EQ(ParseLinks("<a>;rel=x;rel=y").front().rel, "x");
  EXPECT_EQ(ParseLinks("<a>,<b>,<c>", 2).size(), 2u);
}

RobotsDirectives Directives(std::string_view value) {
  RobotsDirectives directives;
  AddRobotsDirectives(value, "crivello", kHeadersNow, directives);
  return directives;
}

TEST(HttpRobotsTagTest, ReadsDirectivesForAllAndForUs) {
  EXPECT_TRUE(Directives("NoIndex , nofollow").noindex);
  EXPECT_TRUE(Directives("NoIndex , nofollow").nofollow);
  EXPECT_TRUE(Directives("none").nofollow);
  EXPECT_TRUE(Directives("noarchive, nosnippet").nosnippet);
  EXPECT_FALSE(Directives("otherbot: noindex, nofollow").nofollow);
  EXPECT_TRUE(Directives("otherbot: noindex, Crivello: nofollow").nofollow);
  EXPECT_FALSE(Directives("otherbot: noindex, Crivello: nofollow").noindex);
  EXPECT_FALSE(Directives("all").noindex);
  EXPECT_FALSE(Directives("").noindex);
}

TEST(HttpRobotsTagTest, ReadsArguments) {
  const RobotsDirectives directives =
      Directives("max-snippet:20, max-snippet: 10, max-image-preview:none, max-video-preview:-1");
  EXPECT_EQ(directives.max_snippet, 10);
  EXPECT_EQ(directives.max_image_preview, RobotsDirectives::ImagePreview::kNone);
  EXPECT_EQ(directives.max_video_preview, -1);
  EXPECT_EQ(Directives("unavailable_after: 06 Nov 1994 08:49:37 GMT").unavailable_after, kHeadersNow);
  const RobotsDirectives dated = Directives("unavailable_after: Sunday, 06-Nov-94 08:49:37 GMT, noindex");
  EXPECT_EQ(dated.unavailable_after, kHeadersNow);
  EXPECT_TRUE(dated.noindex);
  EXPECT_EQ(Directives("bot: unavailable_after: 06 Nov 1994 08:49:37 GMT").unavailable_after, std::nullopt);
  EXPECT_EQ(Directives("unavailable_after: 1994-11-06T08:49:37Z, noindex").unavailable_after, kHeadersNow);
  EXPECT_EQ(Directives("unavailable_after: 1994-11-06").unavailable_after, 784080000);
  EXPECT_EQ(Directives("unavailable_after: never").unavailable_after, std::nullopt);
}

std::optional<int64_t> FreshOf(std::string head) {
  head = "HTTP/1.1 200 OK\r\n" + head + "\r\n";
  return FreshSeconds(ParseHttpResponse(head).fields, 784111777);  // Sun, 06 Nov 1994 08:49:37 GMT
}

TEST(HttpHeadersTest, TellsForHowLongAnAnswerIsFresh) {
  EXPECT_EQ(FreshOf(""), std::nullopt);
  EXPECT_EQ(FreshOf("Cache-Control: public\r\n"), std::nullopt);
  EXPECT_EQ(FreshOf("Cache-Control: max-age=3600\r\n"), 3600);
  EXPECT_EQ(FreshOf("Cache-Control: max-age=3600, s-maxage=9\r\nAge: 600\r\n"), 3000);
  EXPECT_EQ(FreshOf("Cache-Control: max-age=60\r\nAge: 600\r\n"), 0);
  EXPECT_EQ(FreshOf("Cache-Control: max-age=3600\r\nCache-Control: no-cache\r\n"), 0);
  EXPECT_EQ(FreshOf("Cache-Control: no-store\r\n"), 0);
  // Expires counts from the server's own clock, and only without max-age.
  EXPECT_EQ(FreshOf("Expires: Sun, 06 Nov 1994 09:49:37 GMT\r\n"), 3600);
  EXPECT_EQ(FreshOf("Date: Sun, 06 Nov 1994 09:00:00 GMT\r\nExpires: Sun, 06 Nov 1994 09:00:30 GMT\r\n"), 30);
  EXPECT_EQ(FreshOf("Cache-Control: max-age=5\r\nExpires: Sun, 06 Nov 1994 09:49:37 GMT\r\n"), 5);
  EXPECT_EQ(FreshOf("Expires: 0\r\n"), 0);
  EXPECT_EQ(FreshOf("Expires: Sun, 06 Nov 1994 07:00:00 GMT\r\n"), 0);
}

}  // namespace
}  // namespace crivello::web
