// SPDX-License-Identifier: Apache-2.0
// No input costs more than in proportion to its size: each parser of foreign bytes, on inputs that repeat a
// piece of its language.  (The query language is tested likewise in src/search/query/query_test.cc.)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wstringop-overread"  // g++ 12 sees one in the move of a std::string
#endif

#include "growth.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "charset/charset.h"
#include "charset/encoding_decode.h"
#include "collection/collection_file.h"
#include "fetch/cookie_jar.h"
#include "fetch/hosts_file.h"
#include "html/html_tree.h"
#include "page/imported_document.h"
#include "policy/filter.h"
#include "policy/seed.h"
#include "serve/http/http.h"
#include "store/cdxj.h"
#include "store/warc_reader.h"
#include "text/formats/convert.h"
#include "web/feed/feed.h"
#include "web/feed/sitemap.h"
#include "web/feed/xml_scanner.h"
#include "web/http/date_parse.h"
#include "web/http/decompress.h"
#include "web/http/http_chunked.h"
#include "web/http/http_link.h"
#include "web/http/http_message.h"
#include "web/page/page_scan.h"
#include "web/page/robots.h"
#include "web/url/canonical.h"
#include "wire/codec.h"
#include "wire/rows.h"

namespace crivello {
namespace {

TEST(GrowthTest, OfUrls) {
  ExpectLinear("URL", 32 << 10,
               {{"a", "http://"},
                {"a.", "http://"},
                {"%41", "http://"},
                {"xn--a.", "http://"},
                {"ä", "http://"},
                {"@", "http://"},
                {":", "http://"},
                {"/", "http://a.test"},
                {"/..", "http://a.test/"},
                {"a/../", "http://a.test/"},
                {"%2e%2e/", "http://a.test/"},
                {"a=b&", "http://a.test/?"},
                {"?", "http://a.test/"},
                {"#", "http://a.test/"},
                {"\\", "http://a.test/"},
                {"\t", "http://a.test/"},
                {"0:", "http://["},
                {"1.", "http://"}},
               [](std::string_view text) { (void)web::CanonicalUrl(text).ok(); });
  ExpectLinear("seeds", 64 << 10, {{"example.org\n"}, {"#\n"}, {"\n"}, {" "}},
               [](std::string_view text) { (void)policy::ReadSeedLines(text).ok(); });
}

TEST(GrowthTest, OfRobots) {
  ExpectLinear("robots.txt", 64 << 10,
               {{"User-agent: *\n"},
                {"Disallow: /a\n", "User-agent: *\n"},
                {"*", "User-agent: *\nDisallow: /"},
                {"a*", "User-agent: *\nDisallow: /"},
                {"Allow: /*a*b$\n", "User-agent: *\n"},
                {"\n"},
                {"\r"},
                {"#"},
                {":"},
                {"Sitemap: http://a.test/\n"}},
               [](std::string_view text) {
                 const web::Robots robots = web::Robots::Parse(text, "crivello");
                 (void)robots.Check("/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
               });
}

TEST(GrowthTest, OfHtml) {
  const std::vector<Shape> shapes = {
      {"<"},           {"<!--"},       {"<a>"},         {"<b><i>"},      {"<p>"},        {"<table>"},
      {"<table><tr>"}, {"<div>"},      {"</p>"},        {"</b>"},        {"<a href=x>"}, {"<b>", "", "<p>x"},
      {"&"},           {"&amp"},       {"&#1"},         {"a=b ", "<p "}, {"a ", "<p "},  {"\""},
      {"<script>"},    {"<!-- --!"},   {"<svg>"},       {"<math><mi>"},  {"<select>"},   {"<font><p>"},
      {"<nobr>"},      {"<li>"},       {"<frameset>"},  {"<template>"},  {"<![CDATA["},  {"<?"},
      {"</"},          {"<a><table>"}, {"<ul><li><b>"}, {"x<b></p>"},    {"<form>"}};
  ExpectLinear("HTML tree", 16 << 10, shapes, [](std::string_view html) { (void)html::ParseHtml(html); });
  ExpectLinear("page scan", 64 << 10, shapes, [](std::string_view html) { (void)web::ScanPage(html); });
}

TEST(GrowthTest, OfTextFormats) {
  const auto convert = [](std::string_view name) {
    return [name](std::string_view bytes) {
      (void)text::ConvertDocument(bytes, {.name = std::string(name)}).ok();
    };
  };
  ExpectLinear(
      "Markdown", 16 << 10,
      {{"*"}, {"_a"}, {"["}, {"[a]("}, {"`"}, {"> "}, {"- "}, {"# "}, {"|"}, {"<"}, {"![["}, {"~~~\n"}},
      convert("a.md"));
  ExpectLinear("RTF", 16 << 10,
               {{"{", "{\\rtf1 "}, {"\\b", "{\\rtf1 "}, {"}", "{\\rtf1 "}, {"\\'41", "{\\rtf1 "}},
               convert("a.rtf"));
  ExpectLinear("plain text", 64 << 10, {{"a"}, {"\n"}, {"\n\n"}, {" "}, {"\xff"}}, convert("a.txt"));
}

TEST(GrowthTest, OfCharsets) {
  const std::vector<Shape> shapes = {{"a"},        {"\xe9"},     {"\xc3\xa9"}, {"\x1b$B"}, {"\xff\xfe"},
                                     {"\x81"},     {"\xa4\xa4"}, {"<meta "},   {"<!--"},   {"<meta charset="},
                                     {"\xf0\x90"}, {"\x8f\xa2"}, {"&#"},       {"=\""}};
  ExpectLinear("charset guess", 64 << 10, shapes,
               [](std::string_view bytes) { (void)charset::DecideCharset(bytes); });
  for (const charset::Encoding encoding :
       {charset::Encoding::kUtf8, charset::Encoding::kWindows1252, charset::Encoding::kShiftJis,
        charset::Encoding::kGb18030, charset::Encoding::kIso2022Jp, charset::Encoding::kUtf16Le}) {
    ExpectLinear("decoding", 64 << 10, shapes,
                 [encoding](std::string_view bytes) { (void)charset::DecodeToUtf8(bytes, encoding); });
  }
}

TEST(GrowthTest, OfFeedsSitemapsAndXml) {
  const std::vector<Shape> shapes = {
      {"<"},
      {"<a>"},
      {"</a>", "<b>"},
      {"<!--"},
      {"<![CDATA["},
      {"<?"},
      {"&amp;", "<a>"},
      {"&x;", "<!DOCTYPE a [<!ENTITY x 'yyyyyyyyyyyyyyyyyyyy'>]><a>"},
      {"<!ENTITY x 'y'>", "<!DOCTYPE a ["},
      {"<!DOCTYPE"},
      {"a='b' ", "<a "},
      {"xmlns:a='b' ", "<a "},
      {"<a xmlns:b='c'>"},
      {"<item>", "<rss><channel>"},
      {"<item><title>x</title><link>http://a.test/</link></item>", "<rss><channel>"},
      {"<entry><link href='http://a.test/'/><id>x</id></entry>",
       "<feed xmlns='http://www.w3.org/2005/Atom'>"},
      {"<url><loc>http://a.test/</loc></url>", "<urlset>"},
      {"<url><loc>", "<urlset>"},
      {"http://a.test/\n"},
      {"{\"items\":["},
      {"{\"url\":\"http://a.test/\"},", "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":["}};
  ExpectLinear("XML", 32 << 10, shapes, [](std::string_view text) {
    web::XmlScanner scanner(text);
    while (scanner.Next() != web::XmlScanner::Event::kDone) {
    }
  });
  ExpectLinear("feed", 32 << 10, shapes, [](std::string_view text) { (void)web::ParseFeed(text).ok(); });
  ExpectLinear("sitemap", 32 << 10, shapes, [](std::string_view text) {
    (void)web::ReadSitemap(text, {}, [](const web::SitemapEntry&) {}).ok();
  });
}

TEST(GrowthTest, OfHttp) {
  const std::vector<Shape> heads = {{"A: b\r\n", "HTTP/1.1 200 OK\r\n"},
                                    {" ", "HTTP/1.1 200 OK\r\nA: "},
                                    {"\n", "HTTP/1.1 200 OK\r\n"},
                                    {"\r", "HTTP/1.1 200 OK\r\n"},
                                    {"A: b\r\n c\r\n", "HTTP/1.1 200 OK\r\n"},
                                    {":", "HTTP/1.1 200 OK\r\n"},
                                    {"a", "HTTP/1.1 "},
                                    {"Set-Cookie: a=b\r\n", "HTTP/1.1 200 OK\r\n"}};
  ExpectLinear("HTTP head", 16 << 10, heads,
               [](std::string_view text) { (void)web::ParseHttpResponse(text); });
  ExpectLinear("chunks", 64 << 10,
               {{"1\r\na\r\n"}, {"0"}, {"1;", ""}, {"1;a=b", ""}, {"f"}, {"\r\n"}, {"1\n\n"}},
               [](std::string_view text) { (void)web::Dechunk(text); });
  ExpectLinear("Link", 16 << 10,
               {{"<a>;rel=b,"}, {"<"}, {";"}, {","}, {"\"", "<a>;title="}, {"\\", "<a>;title=\""}},
               [](std::string_view text) { (void)web::ParseLinks(text); });
  ExpectLinear("date", 16 << 10, {{"0"}, {" "}, {"("}, {"Jan "}, {"-"}, {":"}, {"2020-01-01T"}},
               [](std::string_view text) { (void)web::ParseDate(text); });
  ExpectLinear("request target", 32 << 10,
               {{"a=b&", "/?"}, {"&", "/?"}, {"%41", "/?q="}, {"+", "/?q="}, {"/"}},
               [](std::string_view text) {
                 serve::HttpRequest request;
                 serve::ParseTarget(text, &request);
               });
  ExpectLinear("hosts file", 32 << 10,
               {{"127.0.0.1 a\n"}, {"127.0.0.1 a b c\n"}, {" a", "127.0.0.1"}, {"#"}, {"\n"}},
               [](std::string_view text) { (void)fetch::ParseHostsFile(text).ok(); });
}

TEST(GrowthTest, OfContentCodings) {
  for (const web::ContentCoding coding : {web::ContentCoding::kGzip, web::ContentCoding::kDeflate,
                                          web::ContentCoding::kBrotli, web::ContentCoding::kZstd}) {
    ExpectLinear(
        "content coding", 64 << 10,
        {{std::string_view("\0", 1)},
         {"\xff"},
         {"\x1f\x8b\x08"},
         {std::string_view("\0\0\0\xff\xff", 5), std::string_view("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10)},
         {std::string_view("\x28\xb5\x2f\xfd\x20\0\x01\0\0", 9)},
         {"\x28\xb5\x2f\xfd"}},
        [coding](std::string_view bytes) { (void)web::Decompress(bytes, coding); });
  }
}

TEST(GrowthTest, OfArchives) {
  const std::string_view record = "WARC/1.1\r\nWARC-Type: metadata\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
  ExpectLinear("WARC", 32 << 10,
               {{record},
                {"WARC/1.1\r\n"},
                {"\r\n", "WARC/1.1\r\n"},
                {"A: b\r\n", "WARC/1.1\r\n"},
                {"WARC/1.1\r\nContent-Length: 99999999999\r\n\r\n"},
                {"\x1f\x8b\x08"},
                {std::string_view("\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0", 20)},
                {"\x28\xb5\x2f\xfd"},
                {"http://a.test/ 1.2.3.4 20200101000000 text/html 0\n\n",
                 "filedesc://a 0.0.0.0 20200101000000 text/plain 2\n1 0 a\n\n"},
                {"filedesc://"}},
               [](std::string_view file) {
                 store::WarcReader reader(file);
                 while (reader.Next()) {
                 }
               });
  ExpectLinear("CDXJ", 64 << 10,
               {{"a", "com,a)/ 20200101000000 {\"url\":\""},
                {"\"a\":\"b\",", "com,a)/ 20200101000000 {"},
                {"[", "com,a)/ 20200101000000 {\"a\":"},
                {" "},
                {"a"}},
               [](std::string_view line) { (void)store::ParseCdxj(line).ok(); });
  ExpectLinear("JSONL", 64 << 10,
               {{"a", "{\"text\":\"", "\"}"},
                {"\\u0041", "{\"text\":\"", "\"}"},
                {"\"a\":1,", "{", "\"text\":\"b\"}"},
                {"[", "{\"a\":"},
                {"{\"a\":", ""},
                {"<b>", "{\"html\":\"", "\"}"},
                {"a/../", "{\"url\":\"http://a.test/", "\",\"text\":\"b\"}"}},
               [](std::string_view line) {
                 page::DocumentLineParser parser;
                 page::ImportedDocument document;
                 (void)parser.Parse(line, &document).ok();
               });
}

TEST(GrowthTest, OfFilesOfOptionsFiltersAndCookies) {
  ExpectLinear("TOML", 8 << 10,
               {{"a"},
                {"[a]\n"},
                {"[crawl]\n", ""},
                {"\"b\",", "[crawl]\nfilter = [", "\"c\"]"},
                {"[", "a = "},
                {"#"},
                {"\\", "a = \""},
                {"a.", ""},
                {"\n"}},
               [](std::string_view text) { (void)collection::CollectionFile::Parse("f", text).ok(); });
  for (const policy::FilterPoint point : {policy::FilterPoint::kSchedule, policy::FilterPoint::kStore}) {
    ExpectLinear("filter", policy::Filter::kMaxBytes / 8,
                 {{"("},
                  {"not "},
                  {"query and ", "", "query"},
                  {"query or ", "", "query"},
                  {"query and query or ", "", "query"},
                  {"a,", "host(", "b)"},
                  {"\\", "host(\""},
                  {"*", "url_like(", ")"},
                  {"a*", "url_like(", ")"},
                  {" "},
                  {"true and not ", "", "query"},
                  {"(query) and ", "", "query"}},
                 [point](std::string_view text) {
                   const auto filter = policy::Filter::Parse(point, text);
                   const auto url =
                       web::CanonicalUrl("http://a.test/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
                   if (filter.ok()) (void)filter->Accepts({.url = &*url});
                 });
  }
  ExpectLinear("cookie jar", 16 << 10, {{"a"}, {std::string_view("\0", 1)}, {"\xff"}, {"\x01"}},
               [](std::string_view bytes) { (void)fetch::CookieJar::Parse(bytes).ok(); });
}

TEST(GrowthTest, OfMessagesBetweenProcesses) {
  const auto decode = [](std::string_view bytes) { (void)wire::Decode<wire::PageVersions>(bytes).ok(); };
  ExpectLinear("wire", 64 << 10, {{"a"}, {std::string_view("\0", 1)}, {"\x01"}, {"\xff"}, {"\x7f"}}, decode);
  ExpectLinear("wire, encoded", 256, {{"a"}}, [](std::string_view text) {
    wire::PageVersions versions;
    versions.url = text;
    versions.versions.resize(text.size());
    (void)wire::Decode<wire::PageVersions>(wire::Encode(versions)).ok();
  });
}

}  // namespace
}  // namespace crivello
