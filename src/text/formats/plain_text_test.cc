// SPDX-License-Identifier: Apache-2.0
#include "text/formats/plain_text.h"

#include <gtest/gtest.h>

namespace crivello::text {
namespace {

constexpr size_t kRoom = 1 << 20;

TEST(PlainTextTest, EmptyLinesPartParagraphs) {
  const Document document = ConvertPlainText("The Title\r\n\r\nfirst line\n  second  line\n\n\nnext\n", {});
  EXPECT_EQ(document.title, "The Title");
  EXPECT_EQ(document.MainText(), "The Title\n\nfirst line second line\n\nnext");
  EXPECT_EQ(ConvertPlainText("", {}).blocks.size(), 0u);
  EXPECT_EQ(ConvertPlainText("one\ntwo", {}).title, "");
}

TEST(PlainTextTest, CutWordsAreJoinedIfAsked) {
  EXPECT_EQ(ConvertPlainText("an exam-\nple, Jean-\nPaul, 1-\n2", {.join_hyphens = true}).MainText(),
            "an example, Jean- Paul, 1- 2");
  EXPECT_EQ(ConvertPlainText("exam-\nple", {}).MainText(), "exam- ple");
}

TEST(PlainTextTest, OneLineOfMegabytesIsOneBlock) {
  const std::string line(5 << 20, 'x');
  EXPECT_EQ(ConvertPlainText(line, {}).blocks.size(), 1u);
  EXPECT_EQ(ConvertPlainText(line, {.max_text_bytes = 1000}).blocks[0].text.size(), 1000u);
}

TEST(MarkdownTest, ReadsBlocks) {
  const Document document = ConvertMarkdown(
      "---\ntitle: \"Front\"\nauthor: Me\n---\n\n# Head *ing* #\n\nA para\nof two "
      "lines.\n\nSetext\n------\n\n- one\n- two\n"
      "  - nested\n\n1. first\n\n> quoted\n> more\n\n```c\nint  x;\n# no heading\n```\n\n    indented\n\n| a "
      "| b |\n|---|---|\n| "
      "1 | 2 |\n\n***\nend\n",
      kRoom);
  EXPECT_EQ(document.title, "Front");
  EXPECT_EQ(document.author, "Me");
  std::string shown;
  for (const Block& block : document.blocks) {
    shown += std::string(BlockKindName(block.kind)) + (block.level > 0 ? std::to_string(block.level) : "") +
             ":" + block.text + "|";
  }
  EXPECT_EQ(
      shown,
      "heading1:Head ing|paragraph:A para of two lines.|heading2:Setext|list item1:one|list item1:two|list "
      "item2:nested|list item1:first|quote1:quoted more|code:int  x;\n# no "
      "heading|code:indented|table:a\tb|table:1\t2|"
      "paragraph:end|");
}

TEST(MarkdownTest, TakesInlineMarksOffAndKeepsLinks) {
  const Document document = ConvertMarkdown(
      "**bold** _em_ snake_case `code *x*` \\*star\\* &amp; <b>tag</b> [link](http://a/ \"t\") [ref][R] [r] "
      "[none] "
      "![pic](x.png) <http://auto/>\n\n[r]: http://ref/\n",
      kRoom);
  EXPECT_EQ(document.MainText(), "bold em snake_case code *x* *star* & tag link ref r none pic http://auto/");
  ASSERT_EQ(document.links.size(), 4u);
  EXPECT_EQ(document.links[0].href, "http://a/");
  EXPECT_EQ(document.links[0].text, "link");
  EXPECT_EQ(document.links[1].href, "http://ref/");
  EXPECT_EQ(document.links[3].href, "http://auto/");
}

TEST(MarkdownTest, TheFirstHeadingIsTheTitle) {
  EXPECT_EQ(ConvertMarkdown("intro\n\n# The title\n\n# Other", kRoom).title, "The title");
}

TEST(MarkdownTest, MarksThatNeverEndTakeNoLongerPerByte) {
  for (const std::string_view piece :
       {"[", "[a](", "`", "<a", "*", "![", "> ", "- ", "| ", "[a]: b\n", "&", "\\"}) {
    std::string text;
    while (text.size() < (size_t{1} << 20)) text += piece;
    EXPECT_LE(ConvertMarkdown(text, kRoom).MainText().size(), 2 * text.size()) << piece;
  }
}

}  // namespace
}  // namespace crivello::text
