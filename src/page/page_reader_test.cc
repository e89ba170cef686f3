// SPDX-License-Identifier: Apache-2.0
#include "page/page_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/formats/zip_test_support.h"
#include "web/url/canonical.h"

namespace crivello::page {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Answer {
  std::string url = "https://example.org/dir/page";
  std::string head = "Content-Type: text/html; charset=utf-8\r\n\r\n";
  std::string body;
  bool as_sitemap = false;
};

PageReading Read(const Answer& answer, PageReaderOptions options = {}) {
  PageReader reader(options);
  const web::Url url = web::CanonicalUrl(answer.url).value();
  const web::HttpFields fields = web::ParseHttpFields(answer.head).fields;
  return reader.Read({.url = url, .fields = fields, .body = answer.body, .as_sitemap = answer.as_sitemap});
}

std::vector<std::string> Urls(const PageReading& reading) {
  std::vector<std::string> urls;
  for (const OutLink& link : reading.links) urls.emplace_back(link.url);
  return urls;
}

TEST(PageReaderTest, LinksAreResolvedCanonicalAndOnceEach) {
  const PageReading reading = Read({.body = R"(<title>T</title><a href="a">one</a> <a href="./a#f">two</a>
      <a href="//Other.example:443/%7ex">three</a> <a href="mailto:x@y">no</a> <a href="page">self</a>
      <img src="i.png"><link rel=stylesheet href=s.css><link rel=next href=n><form action=f></form>)"});
  EXPECT_EQ(reading.kind, BodyKind::kHtml);
  EXPECT_EQ(reading.page.title, "T");
  EXPECT_THAT(Urls(reading), ElementsAre("https://example.org/dir/a", "https://other.example/~x",
                                         "https://example.org/dir/n"));
  EXPECT_EQ(reading.links[0].anchor, "one");
  EXPECT_EQ(reading.links_dropped, 1u);
}

TEST(PageReaderTest, TranslationsThatNameEachOtherHaveOneName) {
  const std::string links = R"(<link rel=alternate hreflang=de href="/de/page"><link rel=alternate
      hreflang=en href="/dir/page"><link rel=alternate hreflang=x-default href="/all/page">)";
  for (const char* url : {"https://example.org/dir/page", "https://example.org/de/page"}) {
    EXPECT_EQ(Read({.url = url, .body = links}).translations, "https://example.org/all/page");
  }
  EXPECT_EQ(Read({.body = R"(<link rel=alternate hreflang=fr href="/fr/page">)"}).translations,
            "https://example.org/dir/page");
  EXPECT_EQ(Read({.body = R"(<link rel=alternate type="application/rss+xml" href="/feed">)"}).translations,
            "");
  EXPECT_EQ(Read({.body = R"(<a hreflang=de href="/de/page">Deutsch</a>)"}).translations, "");
}

TEST(PageReaderTest, BytesThatAreCalledAPageAreNone) {
  std::string bytes = "<p>";
  for (int i = 0; i < 300; i++) bytes += static_cast<char>(i * 7);
  EXPECT_EQ(Read({.body = bytes}).kind, BodyKind::kNone);
  EXPECT_EQ(Read({.body = "<p>One \x01 control character in a text is a mistake of its author."}).kind,
            BodyKind::kHtml);
}

TEST(PageReaderTest, TheBaseElementCounts) {
  const PageReading reading = Read({.body = R"(<base href="/other/"><a href="a">a</a>)"});
  EXPECT_THAT(Urls(reading), ElementsAre("https://example.org/other/a"));
}

TEST(PageReaderTest, QueriesAreWrittenInTheEncodingOfThePage) {
  const PageReading reading = Read({.head = "Content-Type: text/html; charset=iso-8859-1\r\n\r\n",
                                    .body = "<a href=\"s\xe9?q=\xe9\">x</a>"});
  EXPECT_THAT(Urls(reading), ElementsAre("https://example.org/dir/s%C3%A9?q=%E9"));
}

TEST(PageReaderTest, OtherFormatsAreConvertedWhateverTheyAreSaidToBe) {
  const std::string rtf = R"({\rtf1\ansi A letter of some length.\par Its second paragraph.})";
  for (const char* type : {"application/rtf", "application/octet-stream", "text/plain"}) {
    const PageReading reading =
        Read({.head = std::string("Content-Type: ") + type + "\r\n\r\n", .body = rtf});
    EXPECT_EQ(reading.kind, BodyKind::kDocument) << type;
    EXPECT_TRUE(reading.conversion.ok()) << reading.conversion.ToString();
    EXPECT_EQ(reading.html.document.MainText(), "A letter of some length.\n\nIts second paragraph.");
    EXPECT_EQ(reading.media_type, "application/rtf") << "what it is, whatever " << type << " says";
  }
  const PageReading text =
      Read({.head = "Content-Type: text/plain; charset=iso-8859-1\r\n\r\n", .body = "Caff\xe8\n\nlatte"});
  EXPECT_EQ(text.kind, BodyKind::kText);
  EXPECT_EQ(text.html.document.MainText(), "Caff\u00e8\n\nlatte");
}

TEST(PageReaderTest, AFormatThatCannotBeReadSaysWhy) {
  const PageReading reading =
      Read({.head = "Content-Type: application/pdf\r\n\r\n", .body = "%PDF-1.4\nnothing more"});
  EXPECT_EQ(reading.kind, BodyKind::kDocument);
  EXPECT_FALSE(reading.conversion.ok());
  EXPECT_THAT(reading.conversion.message(), testing::StartsWith("pdf: "));
  EXPECT_THAT(reading.html.document.blocks, IsEmpty());
}

TEST(PageReaderTest, OneLinkWithoutReserveVouchesForAll) {
  const PageReading reading =
      Read({.body = R"(<a rel=nofollow href=a>x</a><a href=a>y</a><a rel=ugc href=b>z</a>)"});
  ASSERT_EQ(reading.links.size(), 2u);
  EXPECT_FALSE(reading.links[0].nofollow);
  EXPECT_TRUE(reading.links[1].nofollow);
}

TEST(PageReaderTest, DirectivesOfHeadAndPageAddUp) {
  const PageReading reading = Read({.head = "Content-Type: text/html\r\nX-Robots-Tag: otherbot: "
                                            "nofollow\r\nX-Robots-Tag: crivello: noarchive\r\n\r\n",
                                    .body = "<meta name=robots content=noindex>"});
  EXPECT_TRUE(reading.robots.noindex);
  EXPECT_TRUE(reading.robots.noarchive);
  EXPECT_FALSE(reading.robots.nofollow);
}

TEST(PageReaderTest, APictureThatIsCalledAPageHasNoText) {
  for (const std::string_view magic : {"\x89PNG\r\n\x1a\n", "GIF89a", "\xff\xd8\xff", "\x1f\x8b\x08"}) {
    const PageReading reading =
        Read({.head = "Content-Type: text/html\r\n\r\n", .body = std::string(magic) + "IHDR words <p>x"});
    EXPECT_EQ(reading.kind, BodyKind::kNone);
    EXPECT_THAT(reading.html.document.blocks, IsEmpty());
  }
}

// Searches by type find it whatever type the server declared.
TEST(PageReaderTest, AConvertedDocumentHasTheTypeOfItsFormat) {
  const std::string book = text::MakeZip(
      {{"mimetype", "application/epub+zip"},
       {"META-INF/container.xml", "<c><rootfiles><rootfile full-path='p.opf'/></rootfiles></c>"},
       {"p.opf",
        "<package><manifest><item id='a' href='a.xhtml'/></manifest><spine><itemref "
        "idref='a'/></spine></package>"},
       {"a.xhtml", "<html><body><p>one page</p></body></html>"}});
  const PageReading reading = Read({.head = "Content-Type: application/octet-stream\r\n\r\n", .body = book});
  EXPECT_EQ(reading.kind, BodyKind::kDocument);
  EXPECT_TRUE(reading.conversion.ok()) << reading.conversion.ToString();
  EXPECT_EQ(reading.media_type, "application/epub+zip");
}

// A response that decompresses to more than the room is read alone.
TEST(PageReaderTest, TakesASeatForAsLongAsTheReadingLives) {
  ReadingRoom room(1000);
  {
    const PageReading large = Read({.body = std::string(5000, 'x')}, {.room = &room});
    EXPECT_EQ(large.kind, BodyKind::kHtml);
  }
  const PageReading one = Read({.body = "<p>a few"}, {.room = &room});
  const PageReading other = Read({.body = "<p>words"}, {.room = &room});
  EXPECT_EQ(other.kind, BodyKind::kHtml);
}

TEST(PageReaderTest, WithoutATypeTheBytesTell) {
  EXPECT_EQ(Read({.head = "\r\n", .body = "  <!DOCTYPE HTML><p>x"}).kind, BodyKind::kHtml);
  EXPECT_EQ(Read({.head = "\r\n", .body = "words"}).kind, BodyKind::kText);
  EXPECT_EQ(Read({.head = "\r\n",
                  .body = std::string("\x7f"
                                      "ELF\0\0\0",
                                      7)})
                .kind,
            BodyKind::kNone);
  EXPECT_EQ(Read({.head = "Content-Type: image/png\r\n\r\n", .body = "\x89PNG"}).kind, BodyKind::kNone);
  EXPECT_EQ(Read({.head = "Content-Type: text/html\r\n\r\n", .body = ""}).kind, BodyKind::kNone);
}

TEST(PageReaderTest, FeedsAndSitemapsAreListsOfLinks) {
  const std::string sitemap =
      "<?xml "
      "version='1.0'?><urlset><url><loc>https://example.org/1</loc></url><url><loc>/2</loc></url></urlset>";
  EXPECT_THAT(Urls(Read({.head = "Content-Type: application/xml\r\n\r\n", .body = sitemap})),
              ElementsAre("https://example.org/1", "https://example.org/2"));
  const std::string feed =
      "<?xml version='1.0'?><rss version='2.0'><channel><title>t</title><link>https://example.org/</link>"
      "<item><title>a</title><link>https://example.org/a</link></item>"
      "<item><title>b</title><link>/b</link></item></channel></rss>";
  EXPECT_THAT(Urls(Read({.head = "Content-Type: application/rss+xml\r\n\r\n", .body = feed})),
              testing::IsSupersetOf({"https://example.org/a", "https://example.org/b"}));
  EXPECT_THAT(Urls(Read({.head = "Content-Type: text/plain\r\n\r\n",
                         .body = "https://example.org/1\nhttps://example.org/2\n",
                         .as_sitemap = true})),
              ElementsAre("https://example.org/1", "https://example.org/2"));
  EXPECT_THAT(Urls(Read({.head = "Content-Type: text/plain\r\n\r\n", .body = "https://example.org/1\n"})),
              IsEmpty());
}

TEST(PageReaderTest, LimitsAreKeptAndCounted) {
  std::string body;
  for (int i = 0; i < 100; ++i) body += "<a href=" + std::to_string(i) + ">x</a>";
  body += "<a href=" + std::string(3000, 'x') + ">x</a>";
  const PageReading reading = Read({.body = body}, {.max_links = 10});
  EXPECT_EQ(reading.links.size(), 10u);
  EXPECT_EQ(reading.links_dropped, 91u);
}

TEST(PageReaderTest, ASitemapMayListMoreThanAPageMayLink) {
  std::string list, page;
  for (int i = 0; i < 60'000; i++) {
    list += "https://example.org/" + std::to_string(i) + "\n";
    if (i < 20'000) page += "<a href=/" + std::to_string(i) + ">x</a>";
  }
  EXPECT_EQ(Read({.head = "Content-Type: text/plain\r\n\r\n", .body = list, .as_sitemap = true}).links.size(),
            50'000u);
  EXPECT_EQ(Read({.body = page}).links.size(), 10'000u);
}

}  // namespace
}  // namespace crivello::page
