// SPDX-License-Identifier: Apache-2.0
#include "text/content/html_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/content/element_style.h"

namespace crivello::text {
namespace {

using testing::ElementsAre;

HtmlDocument Read(std::string_view html) { return ReadHtmlDocument(html::ParseHtml(html)); }

std::vector<std::string> Texts(const Document& document) {
  std::vector<std::string> texts;
  for (const Block& block : document.blocks) texts.push_back(block.text);
  return texts;
}

std::vector<std::string> Kinds(const Document& document) {
  std::vector<std::string> kinds;
  for (const Block& block : document.blocks)
    kinds.push_back(std::string(BlockKindName(block.kind)) + std::to_string(block.level));
  return kinds;
}

TEST(HtmlDocumentTest, KeepsBlocksInOrderWithTheirKinds) {
  const HtmlDocument page = Read(
      "<h2>Rain</h2><p>It <b>rains</b>\n again.<ul><li>one<li>two<ul><li>inner</ul></ul>"
      "<blockquote>said</blockquote><figure><img><figcaption>a cloud</figcaption></figure>");
  EXPECT_THAT(Texts(page.document),
              ElementsAre("Rain", "It rains again.", "one", "two", "inner", "said", "a cloud"));
  EXPECT_THAT(Kinds(page.document), ElementsAre("heading2", "paragraph0", "list item1", "list item1",
                                                "list item2", "quote1", "caption0"));
  EXPECT_EQ(page.document.blocks[4].path, "ul/li/ul/li");
}

TEST(HtmlDocumentTest, KeepsCodeAsWrittenAndTablesByRows) {
  const HtmlDocument page = Read(
      "<pre>\n\nint  main() {\n  return 0;\n}\n</pre>"
      "<table><tr><th>a<th>b<tr><td>1<td><p>2</p></table>");
  EXPECT_THAT(Texts(page.document), ElementsAre("int  main() {\n  return 0;\n}", "a\tb", "1\t2"));
  EXPECT_THAT(Kinds(page.document), ElementsAre("code0", "table0", "table0"));
}

TEST(HtmlDocumentTest, TakesTablesThatLayOutThePageForWhatIsInThem) {
  const HtmlDocument page =
      Read("<table><tr><td><h1>T</h1><p>one</p><p>two</p></td><td><ul><li>x</ul></td></tr></table>");
  EXPECT_THAT(Texts(page.document), ElementsAre("T", "one", "two", "x"));
  EXPECT_THAT(Kinds(page.document), ElementsAre("heading1", "paragraph0", "paragraph0", "list item1"));
}

TEST(HtmlDocumentTest, BreaksLinesAtOneBrAndBlocksAtTwo) {
  EXPECT_THAT(Texts(Read("<div>a<br>b<br><br>c</div>").document), ElementsAre("a\nb", "c"));
}

TEST(HtmlDocumentTest, GivesLinksTheirTextAndBlock) {
  const HtmlDocument page = Read(
      "<p>see <a href=' x '>the <b>rules</b></a> here</p><a href=y><div>one</div><div>two</div></a><a "
      "href=z></a>");
  ASSERT_EQ(page.document.links.size(), 3u);
  EXPECT_EQ(page.document.links[0].href, "x");
  EXPECT_EQ(page.document.links[0].text, "the rules");
  EXPECT_EQ(page.document.links[0].block, 0u);
  EXPECT_EQ(page.document.blocks[0].linked, 9u);
  EXPECT_EQ(page.document.links[1].text, "one two");
  EXPECT_EQ(page.document.links[1].block, 1u);
  EXPECT_EQ(page.document.blocks[2].linked, 3u);
  EXPECT_EQ(page.document.links[2].block, ~0u);
}

TEST(HtmlDocumentTest, KnowsWhatIsHidden) {
  for (const char* hidden :
       {"<p hidden>x</p>", "<p style='Display : NONE'>x</p>", "<div style='visibility:hidden'><p>x</p></div>",
        "<p style='font-size:0px'>x</p>", "<div style='background:#fff'><p style='color:white'>x</p></div>",
        "<table bgcolor=#FFFFFF><tr><td><font color='rgb(255, 255, 255)'><p>x</p></font></table>"}) {
    const HtmlDocument page = Read(hidden);
    ASSERT_EQ(page.document.blocks.size(), 1u) << hidden;
    EXPECT_FALSE(page.document.blocks[0].main) << hidden;
    EXPECT_EQ(page.document.blocks[0].cut, CutReason::kHidden) << hidden;
  }
  for (const char* shown : {"<p style='font-size:0.9em'>x</p>", "<p style='color:#000;background:#fff'>x</p>",
                            "<p style='color:#fff'>x</p>", "<body style='display:none'><p>x</p>"}) {
    const HtmlDocument page = Read(shown);
    ASSERT_EQ(page.document.blocks.size(), 1u) << shown;
    EXPECT_TRUE(page.document.blocks[0].main) << shown;
  }
}

TEST(HtmlDocumentTest, TakesNoScriptForText) {
  EXPECT_THAT(Texts(Read("<script>a</script><style>b</style><template>c</template><svg><text>d</text></svg>"
                         "<iframe>e</iframe><p>f")
                        .document),
              ElementsAre("f"));
}

TEST(HtmlDocumentTest, GivesPartsTheBlocksInsideOfThem) {
  const HtmlDocument page = Read("<article><p>a</p><div><p>b</p><p>c</p></div></article><footer>d</footer>");
  for (const HtmlPart& part : page.parts) {
    if (part.tag == html::Tag::kArticle) {
      EXPECT_EQ(part.first_block, 0u);
      EXPECT_EQ(part.last_block, 3u);
      EXPECT_EQ(part.end, 6u);
    }
    if (part.tag == html::Tag::kFooter) {
      EXPECT_EQ(part.last_block, 4u);
    }
  }
  EXPECT_EQ(page.parts.size(), 7u);
}

TEST(HtmlDocumentTest, CountsTagsAndWords) {
  const HtmlDocument page = Read("<p>one two <b>three</b></p>");
  EXPECT_EQ(page.tags.tags(), 6u);  // body, p and b, each with its end tag
  EXPECT_EQ(page.tags.size(), 9u);
}

TEST(ElementStyleTest, ReadsColours) {
  EXPECT_EQ(ParseColor("#abc"), 0xaabbccu);
  EXPECT_EQ(ParseColor("#A1b2C3"), 0xa1b2c3u);
  EXPECT_EQ(ParseColor("rgb(1, 2,300)"), 0x0102ffu);
  EXPECT_EQ(ParseColor("White url(x)"), 0xffffffu);
  for (const char* none : {"", "#", "#12345", "rgb(1,2)", "rgb(a,b,c)", "transparent", "var(--x)"})
    EXPECT_EQ(ParseColor(none), std::nullopt) << none;
}

}  // namespace
}  // namespace crivello::text
