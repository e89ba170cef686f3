// SPDX-License-Identifier: Apache-2.0
#include "web/page/page_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "html/html_test_support.h"
#include "html/html_tree.h"
#include "web/page/page_text.h"

namespace crivello::web {
namespace {

using testing::ElementsAre;

// A page as lines: its non-empty fields, then its links, then its text.
std::vector<std::string> Lines(const Page& page) {
  std::vector<std::string> lines;
  const auto add = [&](std::string what, std::string_view value) {
    if (!value.empty()) lines.push_back(what + " " + std::string(value));
  };
  add("title", page.title);
  add("lang", page.lang);
  add("base", page.base);
  add("canonical", page.canonical);
  if (page.refresh)
    add("refresh " + std::to_string(page.refresh->seconds), std::string(page.refresh->url) + ".");
  for (const auto& [name, content] : page.robots_tags) add("robots " + std::string(name), content);
  for (const Link& link : page.links) {
    std::string line = std::string(LinkKindName(link.kind)) + " " + std::string(link.href);
    for (const std::string_view part : {link.text, link.rel, link.type, link.hreflang}) {
      line += "|" + std::string(part);
    }
    while (line.back() == '|') line.pop_back();
    lines.push_back(line + (link.in_noscript ? " noscript" : ""));
  }
  add("text", page.text);
  return lines;
}

// Scans with the scanner's own tokenizer, and checks that the tree's tokenizer gives the same.
std::vector<std::string> Scan(std::string_view html, PageOptions options = {}) {
  const std::vector<std::string> lines = Lines(ScanPage(html, options));
  PageScanner scanner(options);
  html::ParseHtml(html, {.tokenizer = options.tokenizer, .observer = scanner.observer()});
  EXPECT_EQ(Lines(scanner.Finish()), lines) << html;
  return lines;
}

TEST(PageScanTest, FindsEveryKindOfLink) {
  EXPECT_THAT(
      Scan("<a href=' /a ' rel=nofollow>A  <b>b</b></a><area href=/r alt=R><link rel=next href=n title=T>"
           "<iframe src=f></iframe><frame src=g><img src=i alt=I srcset='i1 1x, i2 2x'>"
           "<picture><source srcset='s 100w'></picture><form action=q method=post></form>"
           "<a name=x>no</a><img alt=none><form>"),
      ElementsAre("anchor /a|A b|nofollow", "area /r|R", "link n|T|next", "iframe f", "frame g", "image i|I",
                  "image-source i1", "image-source i2", "image-source s", "form q|||post", "text A b\nno"));
}

TEST(PageScanTest, ReadsTheHead) {
  EXPECT_THAT(
      Scan("<!DOCTYPE html><html lang=it><head><title> A &amp;\n B </title><base href=/b/><base href=/c/>"
           "<link rel='CANONICAL' href=/k><link rel=alternate hreflang=fr href=/fr>"
           "<link rel=alternate type=application/rss+xml href=/feed title=News>"
           "<meta name=ROBOTS content=noindex><meta name=crivello content=nofollow><meta name=other "
           "content=none>"
           "<meta http-equiv=Refresh content='3; url=/next'></head><body>x"),
      ElementsAre("title A & B", "lang it", "base /b/", "canonical /k", "refresh 3 /next.",
                  "robots ROBOTS noindex", "robots crivello nofollow", "link /k||CANONICAL",
                  "link /fr||alternate||fr", "link /feed|News|alternate|application/rss+xml", "refresh /next",
                  "text x"));
  const Page page = ScanPage("<meta name=robots content=noindex><meta name=crivello content=nofollow>");
  EXPECT_TRUE(page.robots.noindex && page.robots.nofollow);
}

TEST(PageScanTest, TakesTheTextOfAnchors) {
  EXPECT_THAT(Scan("<a href=1> one <img alt='pic' src=p>two<p>three</a> four <a href=2>five<a href=3>six"),
              ElementsAre("anchor 1|one pic two three", "image p|pic", "anchor 2|five", "anchor 3|six",
                          "text one two\nthree four fivesix"));
  EXPECT_THAT(Scan("<a href=1>abcdefgh</a>", {.max_anchor_bytes = 3}),
              ElementsAre("anchor 1|abc", "text abcdefgh"));
}

TEST(PageScanTest, CollapsesWhiteSpaceAndBreaksLines) {
  EXPECT_THAT(Scan("  a\t b\r\n\r\nc<p>d</p> <div> <div>e</div></div>f<br>g<span>h</span>i"),
              ElementsAre("text a b c\nd\ne\nf\nghi"));
  EXPECT_THAT(Scan("<table><tr><td>1<td>2<tr><td>3</table><ul><li>x<li>y</ul>"),
              ElementsAre("text 1 2\n3\nx\ny"));
  EXPECT_THAT(Scan("a&nbsp; b"), ElementsAre("text a\xC2\xA0 b"));
}

TEST(PageScanTest, LeavesOutWhatIsNotShown) {
  EXPECT_THAT(
      Scan("a<script>x<a href=1></script><style>y</style><template><a href=2>z</a></template>"
           "<textarea>t<a href=3></textarea><!-- c --><iframe><a href=4></iframe><noembed>n</noembed>b"),
      ElementsAre("text ab"));
  EXPECT_THAT(Scan("a<noscript>b<a href=1>c</a></noscript>d"), ElementsAre("anchor 1|c noscript", "text ad"));
  EXPECT_THAT(Scan("a<noscript>b</noscript>d", {.noscript_text = true}), ElementsAre("text abd"));
}

TEST(PageScanTest, ReadsForeignContent) {
  EXPECT_THAT(Scan("<svg><title>icon</title><style>.a{}</style><![CDATA[x<y]]><a xlink:href=1>k</a></svg>"
                   "<title>T</title>z"),
              ElementsAre("title T", "anchor 1|k", "text x<yk\nz"));
  EXPECT_THAT(Scan("<svg><g><p><script>a<b></script><title>T</title>c"), ElementsAre("title T", "text c"));
  EXPECT_THAT(Scan("<svg><foreignObject><style><i></style>b</foreignObject></svg><style><i></style>"),
              ElementsAre("text b"));
}

TEST(PageScanTest, KeepsToItsLimits) {
  const Page page = ScanPage("<a href=1></a><a href=22>ab</a><a href=333></a><a href=4></a>h\xC3\xA9 j",
                             {.max_links = 2, .max_href_bytes = 2, .max_text_bytes = 4});
  EXPECT_THAT(Lines(page), ElementsAre("anchor 1", "anchor 22|ab", "text abh"));
  EXPECT_EQ(page.dropped_links, 2u);
  EXPECT_TRUE(page.text_cut);
}

TEST(PageScanTest, GivesTheSameWhateverThePiecesAndIsReusable) {
  const std::string html =
      "<title>T\xC3\xA9 &amp; t</title><base href=x><p>One <b>two</b>\r\nthree <a "
      "href='a?x=1&amp;y=2'>f\xC3\xBCnf "
      "<img alt=six src=s></a><script>if (a<b) {}</script><svg><style>x</style></svg> seven   eight "
      "<noscript>n"
      "</noscript> and a longer stretch of text, longer than any vector of the machine is, with  two spaces.";
  const auto whole = Scan(html);
  PageScanner scanner;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SeededRandom random(seed);
    html::InPieces(html, random, 1 + random.Below(20), [&](std::string_view piece) { scanner.Feed(piece); });
    ASSERT_EQ(Lines(scanner.Finish()), whole) << "seed " << seed;
  }
}

// The obvious way: one character at a time.
std::string Collapsed(std::string_view text) {
  std::string result;
  bool space = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r') {
      space = true;
      continue;
    }
    if (space && !result.empty()) result += ' ';
    space = false;
    result += c;
  }
  return result;
}

TEST(PageTextTest, CollapsesLikeTheObviousLoop) {
  SeededRandom random(7);
  for (int round = 0; round < 3000; ++round) {
    const uint64_t density = 1 + random.Below(20);
    std::string text;
    for (uint64_t n = random.Below(200); n > 0; --n) {
      text += random.Below(density) == 0 ? " \t\n\f\r\x01  "[random.Below(8)] : 'a';
    }
    PageText page_text(1 << 20);
    const size_t cut = random.Below(text.size() + 1);
    page_text.Append(std::string_view(text).substr(0, cut));
    page_text.Append(std::string_view(text).substr(cut));
    ASSERT_EQ(page_text.view(), Collapsed(text)) << "round " << round;
  }
}

}  // namespace
}  // namespace crivello::web
