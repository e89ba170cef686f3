// SPDX-License-Identifier: Apache-2.0
#include "html/html_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "html/html_test_support.h"

namespace crivello::html {
namespace {

using Content = HtmlTokenizer::Content;
using testing::ElementsAre;
using TokenLines = std::vector<std::string>;

// Switches the content mode, as a reader of pages does.
void SwitchContent(HtmlTokenizer& tokenizer, const TagToken& tag) {
  if (tag.tag == Tag::kScript) tokenizer.SetContent(Content::kScript);
  if (tag.tag == Tag::kStyle) tokenizer.SetContent(Content::kRawtext);
  if (tag.tag == Tag::kTitle) tokenizer.SetContent(Content::kRcdata);
  if (tag.tag == Tag::kPlaintext) tokenizer.SetContent(Content::kPlaintext);
  tokenizer.set_cdata_allowed(tag.tag == Tag::kSvg);
}

struct Outcome {
  TokenLines lines;
  TokenizerStats counts;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// Reads the text at once if max_piece is 0, else in random pieces.
Outcome Read(std::string_view text, TokenizerLimits limits = {}, size_t max_piece = 0, uint64_t seed = 0) {
  TokenLog log;
  HtmlTokenizer tokenizer(&log, limits);
  log.on_start = [&](const TagToken& tag) { SwitchContent(tokenizer, tag); };
  SeededRandom random(seed);
  if (max_piece == 0) {
    tokenizer.Feed(text);
  } else {
    InPieces(text, random, max_piece, [&](std::string_view piece) { tokenizer.Feed(piece); });
  }
  tokenizer.Finish();
  return {log.lines, tokenizer.counts()};
}

TokenLines Tokens(std::string_view text) { return Read(text).lines; }

TEST(HtmlTokenizerTest, ReadsTags) {
  EXPECT_THAT(Tokens("a<B Id=x CLASS='a b'\tdata-Q=\"<>\" y / z=/>c</B >"),
              ElementsAre("text a", "start b [id]=[x] [class]=[a b] [data-q]=[<>] [y]=[] [z]=[/]", "text c",
                          "end b"));
  EXPECT_THAT(Tokens("<br/><br / ><a =b=c><a b='1'c=2>"),
              ElementsAre("start br /", "start br", "start a [=b]=[c]", "start a [b]=[1] [c]=[2]"));
  EXPECT_THAT(Tokens("1 < 2 <> </> </ x><a"), ElementsAre("text 1 < 2 <>  ", "comment  x"));
}

TEST(HtmlTokenizerTest, KeepsTheFirstOfTwoAttributes) {
  const Outcome outcome = Read("<a x=1 X=2 y=3 x>");
  EXPECT_THAT(outcome.lines, ElementsAre("start a [x]=[1] [y]=[3]"));
  EXPECT_EQ(outcome.counts.duplicate_attributes, 2u);
}

TEST(HtmlTokenizerTest, FindsDuplicatesAmongManyAttributes) {
  std::string tag = "<a", wanted = "start a";
  for (int i = 0; i < 500; ++i) {
    tag += " n" + std::to_string(i % 300) + "=" + std::to_string(i);
    if (i < 300) wanted += " [n" + std::to_string(i) + "]=[" + std::to_string(i) + "]";
  }
  const Outcome outcome = Read(tag + ">");
  EXPECT_THAT(outcome.lines, ElementsAre(wanted));
  EXPECT_EQ(outcome.counts.duplicate_attributes, 200u);
}

TEST(HtmlTokenizerTest, ReadsReferences) {
  EXPECT_THAT(Tokens("&lt;&#x41;&copy &notit; &x; &<a href='?a=1&copy=2&lt=3&amp;4&#65'>"),
              ElementsAre("text <A\xC2\xA9 \xC2\xACit; &x; &", "start a [href]=[?a=1&copy=2&lt=3&4A]"));
}

TEST(HtmlTokenizerTest, MakesEveryNewlineOne) {
  EXPECT_THAT(Tokens("a\r\nb\rc\n\r\rd<!--\r\n-->\r<a b='\r\nx\r'>"),
              ElementsAre("text a\nb\nc\n\n\nd", "comment \n", "text \n", "start a [b]=[\nx\n]"));
}

TEST(HtmlTokenizerTest, ReplacesNulExceptInData) {
  using namespace std::string_literals;
  EXPECT_THAT(
      Tokens("a\0b<!--\0--><a\0 b\0='\0'><title>\0</title>"s),
      ElementsAre("text a\0b"s, "comment \xEF\xBF\xBD", "start a\xEF\xBF\xBD [b\xEF\xBF\xBD]=[\xEF\xBF\xBD]",
                  "start title", "text \xEF\xBF\xBD", "end title"));
}

TEST(HtmlTokenizerTest, ReadsContentUntilItsEndTag) {
  EXPECT_THAT(Tokens("<title>a<b>&amp;</titlex></TITLE >c"),
              ElementsAre("start title", "text a<b>&</titlex>", "end title", "text c"));
  EXPECT_THAT(Tokens("<style>a<b>&amp;</b></style>"),
              ElementsAre("start style", "text a<b>&amp;</b>", "end style"));
  EXPECT_THAT(Tokens("<script>a<!--<script></script>--></script>b"),
              ElementsAre("start script", "text a<!--<script></script>-->", "end script", "text b"));
  EXPECT_THAT(Tokens("<script>a<!-- x</script>b"),
              ElementsAre("start script", "text a<!-- x", "end script", "text b"));
  EXPECT_THAT(Tokens("<plaintext>a</plaintext>"), ElementsAre("start plaintext", "text a</plaintext>"));
}

TEST(HtmlTokenizerTest, ReadsCommentsAndDoctypes) {
  EXPECT_THAT(Tokens("<!---><!--a--!><!--b--c--><!x><!--<!--d"),
              ElementsAre("comment ", "comment a", "comment b--c", "comment x", "comment <!--d"));
  EXPECT_THAT(Tokens("<!DOCTYPE HTML><!doctype a public \"p\" 's'><!DOCTYPE a SYSTEM><!doctype>"),
              ElementsAre("doctype [html] none none", "doctype [a] [p] [s]", "doctype [a] none none quirks",
                          "doctype none none none quirks"));
}

TEST(HtmlTokenizerTest, ReadsInstructionsAndCdata) {
  EXPECT_THAT(Tokens("<?php echo ?><?xml v?><? x><svg><![CDATA[<a>]]]]><a><![CDATA[b]]>"),
              ElementsAre("instruction php [echo ]", "comment ?xml v?", "comment ? x", "start svg",
                          "text <a>]]", "start a", "comment [CDATA[b]]"));
}

TEST(HtmlTokenizerTest, CutsAndCountsWhatIsOverALimit) {
  const TokenizerLimits limits = {
      .max_attributes = 2, .max_name_bytes = 4, .max_tag_bytes = 10, .max_comment_bytes = 4};
  const Outcome outcome =
      Read("<abcdef uvwxyz='\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9' b=cde d=1><!--abc\xC3\xA9-->", limits);
  EXPECT_THAT(outcome.lines,
              ElementsAre("start abcd [uvwx]=[\xC3\xA9\xC3\xA9\xC3\xA9] [b]=[]", "comment abc"));
  EXPECT_EQ(outcome.counts, (TokenizerStats{.dropped_attributes = 1, .duplicate_attributes = 0, .cut = 5}));
}

// Random markup with a high density of characters that the states look for.
std::string RandomMarkup(Random& random, size_t parts) {
  static constexpr std::string_view kParts[] = {"<a href=",
                                                "<b>",
                                                "</b>",
                                                "<",
                                                ">",
                                                "/",
                                                "=",
                                                "\"",
                                                "'",
                                                "&",
                                                "&amp;",
                                                "&notin;",
                                                "&not",
                                                "&#x41",
                                                "&#0;",
                                                ";",
                                                "\r",
                                                "\n",
                                                "\r\n",
                                                " ",
                                                "text",
                                                "<!--",
                                                "-->",
                                                "--",
                                                "-",
                                                "!",
                                                "<!DOCTYPE html",
                                                " PUBLIC \"",
                                                "?",
                                                "<?pi ",
                                                "<script>",
                                                "</script>",
                                                "</scr",
                                                "<style>",
                                                "</style>",
                                                "<title>",
                                                "</title",
                                                "<svg>",
                                                "<![CDATA[",
                                                "]]>",
                                                "]",
                                                "\xC3\xA9",
                                                "A",
                                                "X='",
                                                "<p class=\"",
                                                "<plaintext",
                                                "alpha beta gamma delta epsilon zeta eta theta"};
  std::string text;
  for (size_t i = 0; i < parts; ++i) {
    const uint64_t pick = random.Below(std::size(kParts) + 1);
    if (pick == std::size(kParts)) {
      text += '\0';
    } else {
      text += kParts[pick];
    }
  }
  return text;
}

TEST(HtmlTokenizerTest, GivesTheSameTokensWhateverThePieces) {
  SeededRandom random(20);
  const TokenizerLimits small = {
      .max_attributes = 3, .max_name_bytes = 8, .max_tag_bytes = 24, .max_comment_bytes = 16};
  for (uint64_t round = 0; round < 2000; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const std::string text = RandomMarkup(random, 1 + random.Below(40));
    for (const TokenizerLimits& limits : {TokenizerLimits{}, small}) {
      const Outcome whole = Read(text, limits);
      ASSERT_EQ(Read(text, limits, 1), whole) << text;
      ASSERT_EQ(Read(text, limits, 1 + random.Below(12), round), whole) << text;
    }
  }
}

// A sink that only counts, to observe the tokenizer's own memory.
class Counter : public TokenSink {
 public:
  void OnText(std::string_view) override {}
  void OnStartTag(const TagToken& tag) override {
    tags++;
    attributes = tag.attributes.size();
    value = tag.attributes.empty() ? 0 : tag.attributes[0].value.size();
  }
  void OnEndTag(const TagToken&) override {}
  void OnComment(std::string_view data) override { comment = data.size(); }
  size_t tags = 0, attributes = 0, value = 0, comment = 0;
};

TEST(HtmlTokenizerTest, BoundsMemoryOnEndlessTokens) {
  Counter counter;
  HtmlTokenizer tokenizer(&counter);
  const std::string block(64 << 10, 'x');
  tokenizer.Feed("<a b='");
  for (int i = 0; i < 64; ++i) tokenizer.Feed(block);
  tokenizer.Feed("'><!--");
  EXPECT_EQ(counter.value, TokenizerLimits{}.max_tag_bytes - 1);
  for (int i = 0; i < 64; ++i) tokenizer.Feed(block);
  tokenizer.Feed("--><a");
  EXPECT_EQ(counter.comment, TokenizerLimits{}.max_comment_bytes);
  for (int i = 0; i < 100000; ++i) tokenizer.Feed(" n" + std::to_string(i));
  tokenizer.Feed(">");
  tokenizer.Finish();
  EXPECT_EQ(counter.tags, 2u);
  EXPECT_EQ(counter.attributes, TokenizerLimits{}.max_attributes);
  EXPECT_EQ(tokenizer.counts().dropped_attributes, 100000 - TokenizerLimits{}.max_attributes);
  EXPECT_EQ(tokenizer.counts().cut, 2u);
}

TEST(HtmlNamesTest, FindsEveryTagByItsName) {
  for (size_t i = 1; i < static_cast<size_t>(Tag::kCount); ++i) {
    const Tag tag = static_cast<Tag>(i);
    EXPECT_EQ(FindTag(TagName(tag)), tag) << TagName(tag);
    EXPECT_EQ(FindTag(std::string(TagName(tag)) + "~"), Tag::kUnknown);
  }
  EXPECT_EQ(FindTag(""), Tag::kUnknown);
}

}  // namespace
}  // namespace crivello::html
