// SPDX-License-Identifier: Apache-2.0
#include "web/feed/xml_scanner.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/test_waiting.h"
#include "web/feed/xml_entities.h"

namespace crivello::web {
namespace {

using Event = XmlScanner::Event;

// The events of a document on one line: "<a" "text" "a>", with adjacent texts joined.
std::string Events(std::string_view input, XmlScannerOptions options = {}) {
  XmlScanner scanner(input, options);
  std::string out;
  bool in_text = false;
  while (true) {
    const Event event = scanner.Next();
    if (in_text && event != Event::kText) out += "\" ";
    if (event == Event::kDone) break;
    if (event == Event::kStart) out += "<" + std::string(scanner.local_name()) + " ";
    if (event == Event::kEnd) out += std::string(scanner.local_name()) + "> ";
    if (event == Event::kText) {
      if (!in_text) out += "\"";
      out += scanner.text();
    }
    in_text = event == Event::kText;
  }
  if (!out.empty()) out.pop_back();
  return out;
}

TEST(XmlScannerTest, ReadsElementsTextAndCdata) {
  EXPECT_EQ(Events("<?xml version='1.0'?><!-- c --><a><b>x</b><c/>y<![CDATA[<&amp;]]>z</a>"),
            "<a <b \"x\" b> <c c> \"y<&amp;z\" a>");
  EXPECT_EQ(Events("\xEF\xBB\xBF<a/>"), "<a a>");
  EXPECT_EQ(Events(""), "");
  EXPECT_EQ(Events("no markup"), "\"no markup\"");
  EXPECT_EQ(Events("<a><?pi x > y ?>t</a>"), "<a \"t\" a>");
  EXPECT_EQ(Events("<?xml version=\"1.0\"><a/>"), "<a a>") << "an instruction without its '?'";
}

TEST(XmlScannerTest, ResolvesReferences) {
  EXPECT_EQ(Events("<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x42;&#X43;</a>"), "<a \"<>&\"'ABC\" a>");
  EXPECT_EQ(Events("<a>&eacute;&hellip;&Omega;</a>"), "<a \"\xC3\xA9\xE2\x80\xA6\xCE\xA9\" a>");
  EXPECT_EQ(Events("<a>don&#146;t &#128512;</a>"), "<a \"don\xE2\x80\x99t \xF0\x9F\x98\x80\" a>");
  EXPECT_EQ(Events("<a>&#0;&#xD800;&#x110000;&#99999999999;</a>"),
            "<a \"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\" a>");
  EXPECT_EQ(Events("<a>&amp;lt;</a>"), "<a \"&lt;\" a>") << "once only";
}

TEST(XmlScannerTest, LeavesWhatIsNoReference) {
  for (const char* text :
       {"?a=1&copy=2;x", "a & b", "&;", "&#;", "&#x;", "&unknown;", "&amp", "&", "AT&T;"}) {
    EXPECT_EQ(Events(std::string("<a>") + text + "</a>"), std::string("<a \"") + text + "\" a>");
  }
}

TEST(XmlScannerTest, ReplacesDeclaredEntitiesWithoutRecursion) {
  EXPECT_EQ(Events("<!DOCTYPE r [ <!ENTITY id \"tag:x,\"> <!ENTITY % p 'q'> <!ENTITY ext SYSTEM "
                   "'file:///etc/passwd'> ]>"
                   "<r a='1'>&id;2006 &ext; &p;</r>"),
            "<r \"tag:x,2006 &ext; &p;\" r>");
  EXPECT_EQ(Events("<!DOCTYPE r [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]><r>&c;</r>"), "<r \"&a;&a;\" r>");
  EXPECT_EQ(Events("<!DOCTYPE r [<!ENTITY a \"x&#65;&lt;\"><!ENTITY a \"second\">]><r>&a;</r>"),
            "<r \"xA<\" r>");
  EXPECT_EQ(Events("<!DOCTYPE r [<!-- ]> ' --> <!ELEMENT r (#PCDATA)> <!ATTLIST r a CDATA '>'>]><r/>"),
            "<r r>");
}

TEST(XmlScannerTest, BoundsWhatEntitiesAdd) {
  std::string document = "<!DOCTYPE r [<!ENTITY a \"" + std::string(4000, 'x') + "\">]><r>";
  for (int i = 0; i < 10000; i++) document += "&a;";
  document += "</r>";
  XmlScanner scanner(document);
  size_t text = 0;
  for (Event event = scanner.Next(); event != Event::kDone; event = scanner.Next()) {
    if (event == Event::kText) text += scanner.text().size();
  }
  EXPECT_LE(text, 2 * document.size() + (64 << 10));
  EXPECT_GE(text, document.size()) << "but some are replaced";
}

TEST(XmlScannerTest, SurvivesBrokenDoctypes) {
  EXPECT_EQ(Events("<!DOCTYPE rss PUBLIC \"-//N//DTD RSS 0.91//EN\" \"http://x/rss-0.91.dtd\"><rss/>"),
            "<rss rss>");
  EXPECT_EQ(Events("<!DOCTYPE rss [ <!ENTITY x ><rss/>"), "<rss rss>");
  EXPECT_EQ(Events("<!DOCTYPE rss \"unclosed><rss/>"), "<rss rss>");
  EXPECT_EQ(Events("<!DOCTYPE rss <rss/>"), "<rss rss>");
  EXPECT_EQ(Events("<a><!DOCTYPE x><!DOCTYPE y [>t</a>"), "<a \"t\" a>");
}

TEST(XmlScannerTest, RecoversFromMismatchedTags) {
  EXPECT_EQ(Events("<a><b>x</a>"), "<a <b \"x\" b> a>");
  EXPECT_EQ(Events("<a>x</b>y</a>"), "<a \"xy\" a>");
  EXPECT_EQ(Events("<a><b><c>x</b>y</a>"), "<a <b <c \"x\" c> b> \"y\" a>");
  EXPECT_EQ(Events("<a><b>x"), "<a <b \"x\" b> a>");
  EXPECT_EQ(Events("<Title>x</title>"), "<Title \"x\" Title>");
  EXPECT_EQ(Events("</a></b>"), "");
  EXPECT_EQ(Events("<a></a ></a\n>"), "<a a>");
}

TEST(XmlScannerTest, TakesBrokenMarkupAsTextOrDropsIt) {
  EXPECT_EQ(Events("<a>1 < 2 <3 <</a>"), "<a \"1 < 2 <3 <\" a>");
  EXPECT_EQ(Events("<a>x<"), "<a \"x<\" a>");
  EXPECT_EQ(Events("<a>x<b c=\"1"), "<a \"x\" a>");
  EXPECT_EQ(Events("<a><!-- x > y</a>"), "<a \" y\" a>");
  EXPECT_EQ(Events("<a><![CDATA[x</a>"), "<a \"x</a>\" a>");
  EXPECT_EQ(Events("<a <b>x</b></a>"), "<a <b \"x\" b> a>");
  EXPECT_EQ(Events("<a>x\x01\x08y\r\nz\rw\t</a>"), "<a \"xy\nz\nw\t\" a>");
}

TEST(XmlScannerTest, FindsAttributesHoweverWritten) {
  const std::string_view input =
      "<a b=\"1\" c='2&amp;3' d=4 E = \"5\" f g='' xml:lang=en h='x\r\ny' b='again'/>";
  XmlScanner scanner(input);
  ASSERT_EQ(scanner.Next(), Event::kStart);
  EXPECT_EQ(scanner.Attribute("b"), "1");
  EXPECT_EQ(scanner.Attribute("c"), "2&3");
  EXPECT_EQ(scanner.Attribute("d"), "4");
  EXPECT_EQ(scanner.Attribute("e"), "5");
  EXPECT_EQ(scanner.Attribute("f"), "");
  EXPECT_EQ(scanner.Attribute("g"), "");
  EXPECT_EQ(scanner.Attribute("h"), "x\ny");
  EXPECT_EQ(scanner.Attribute("lang"), std::nullopt);
  EXPECT_EQ(scanner.Attribute("lang", "http://www.w3.org/XML/1998/namespace"), "en");
  EXPECT_EQ(scanner.Attribute("i"), std::nullopt);
  EXPECT_TRUE(scanner.self_closing());
  EXPECT_EQ(scanner.tag_rest(), input.substr(2));
}

TEST(XmlScannerTest, ResolvesNamespacesByScope) {
  XmlScanner scanner("<a xmlns='one' xmlns:p=' two '><p:b xmlns='three'><c/></p:b><d/><dc:e/><q:f/></a>");
  std::string uris;
  for (Event event = scanner.Next(); event != Event::kDone; event = scanner.Next()) {
    if (event == Event::kStart) uris += std::string(scanner.namespace_uri()) + " ";
  }
  EXPECT_EQ(uris, "one two three one http://purl.org/dc/elements/1.1/  ");
}

TEST(XmlScannerTest, StaysWithinItsDepth) {
  EXPECT_EQ(Events("<a><b><c>x<d/></c>y</b>z</a>", {.max_depth = 2}), "<a <b \"xy\" b> \"z\" a>");
  std::string deep;
  for (int i = 0; i < 100000; i++) deep += "<a>";
  XmlScanner scanner(deep);
  size_t starts = 0;
  size_t ends = 0;
  for (Event event = scanner.Next(); event != Event::kDone; event = scanner.Next()) {
    EXPECT_LE(scanner.depth(), 256U);
    (event == Event::kStart ? starts : ends)++;
  }
  EXPECT_EQ(starts, 256U);
  EXPECT_EQ(ends, 256U);
}

// Each of these was or would be quadratic in a careless scanner.
TEST(XmlScannerTest, IsLinearOnHostileInput) {
  const auto expect_linear = [](std::string_view before, std::string_view piece, std::string_view after) {
    const double growth = GrowthOfCost(256 << 10, kLinearGrowth, [&](size_t bytes) {
      std::string all(before);
      while (all.size() < bytes) all += piece;
      (void)Events(all.append(after));
    });
    EXPECT_LT(growth, kLinearGrowth) << before << piece << "..." << after;
  };
  for (const std::string_view piece :
       {"<!--", "<!-- -", "<![CDATA[", "<?", "<a b='", "<a b=\"", "<", "&", "&#", "&a", "</a", "<a",
        "<!DOCTYPE [", "<a/", "]]", "\r", "<a xmlns:b='c'>", "<!DOCTYPE a [<!ENTITY b 'c'>", "<!ENTITY"}) {
    expect_linear("", piece, "");
  }
  expect_linear("<a ", "b='c' ", ">");
  expect_linear("<a b='", "x", "'>");
  expect_linear("<!DOCTYPE a [", "<!ENTITY b 'c'>", "]><a>&b;</a>");
}

TEST(XmlScannerTest, IsInBalanceOnAnyBytes) {
  constexpr std::string_view kPieces[] = {
      "<a>", "</a>", "<b c='d'>", "</b>", "<c/>", "text", "&amp;", "<![CDATA[", "]]>", "<!--", "-->",
      "<",   ">",    "'",         "\"",   "<?",   "?>",   " ",     "/",         "=",   "x:",   "<!"};
  for (uint64_t seed = 0; seed < 3000; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    std::string input;
    for (uint64_t n = random.Below(30); n > 0; n--) input += kPieces[random.Below(std::size(kPieces))];
    XmlScanner scanner(input);
    std::vector<std::string> open;
    for (Event event = scanner.Next(); event != Event::kDone; event = scanner.Next()) {
      if (event == Event::kStart) {
        open.emplace_back(scanner.local_name());
        EXPECT_EQ(scanner.depth(), open.size());
      } else if (event == Event::kEnd) {
        ASSERT_FALSE(open.empty());
        EXPECT_EQ(scanner.depth(), open.size());
        EXPECT_EQ(open.back(), scanner.local_name());
        open.pop_back();
      } else {
        EXPECT_FALSE(scanner.text().empty());
      }
    }
    EXPECT_TRUE(open.empty());
    EXPECT_EQ(scanner.Next(), Event::kDone);
  }
}

TEST(XmlScannerTest, SaysWhichElementsWereCutOff) {
  XmlScanner scanner("<a><b>x</b><c>y");
  std::string cut;
  for (Event event = scanner.Next(); event != Event::kDone; event = scanner.Next()) {
    if (event == Event::kEnd && scanner.cut_off()) cut += scanner.local_name();
  }
  EXPECT_EQ(cut, "ca");
}

TEST(XmlScannerTest, FindsTheDeclaredEncoding) {
  EXPECT_EQ(XmlDeclaredEncoding("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>"), "ISO-8859-1");
  EXPECT_EQ(XmlDeclaredEncoding("\n<?xml version='1.0' encoding = 'big5' standalone='yes'?>"), "big5");
  EXPECT_EQ(XmlDeclaredEncoding("<?xml version='1.0'?><a encoding='x'/>"), "");
  EXPECT_EQ(XmlDeclaredEncoding("<a/>"), "");
  EXPECT_EQ(XmlDeclaredEncoding("<?xml encoding="), "");
  EXPECT_EQ(XmlDeclaredEncoding("<?xml encoding='x"), "");
}

TEST(XmlEntitiesTest, KnowsTheNamesOfHtmlThatEndInASemicolon) {
  std::string out;
  AppendWithoutReferences("&AElig;&amp;&apos;&CounterClockwiseContourIntegral;&#146;&#x41;&#0;", &out);
  EXPECT_EQ(out,
            "\xC3\x86&'\xE2\x88\xB3\xE2\x80\x99"
            "A\xEF\xBF\xBD");
  for (const std::string_view same :
       {"&", "&;", "&copy=2", "&Amp;", "&nosuch;", "&#;", "&#x;", "&#xg;", "&#65"}) {
    out.clear();
    AppendWithoutReferences(same, &out);
    EXPECT_EQ(out, same);
  }
}

}  // namespace
}  // namespace crivello::web
