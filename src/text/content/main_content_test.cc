// SPDX-License-Identifier: Apache-2.0
#include "text/content/main_content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "text/content/element_hints.h"
#include "text/content/stock_phrases.h"
#include "text/content/text_report.h"

namespace crivello::text {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kLong =
    "The rain in the north has not ended for a week, and the rivers, which were low in spring, now stand "
    "higher "
    "than anybody in the village can remember.";

std::string Paragraphs(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += "<p>" + std::to_string(i) + ". " + std::string(kLong) + "</p>";
  return text;
}

HtmlDocument Marked(const std::string& html) {
  HtmlDocument page = ReadHtmlDocument(html::ParseHtml(html));
  MarkMainContent(&page);
  return page;
}
std::string MainText(const std::string& html) { return Marked(html).document.MainText(); }

std::string WithReason(const HtmlDocument& page, CutReason reason) {
  std::string text;
  for (const Block& block : page.document.blocks) {
    if (block.cut == reason) text += block.text + "\n";
  }
  return text;
}

TEST(MainContentTest, KeepsTheArticleAndSaysWhyTheRestWasCut) {
  const HtmlDocument page = Marked(
      "<title>Rain</title><nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav>"
      "<article><h1>Rain</h1><div class=byline>By Ann Bee</div>" +
      Paragraphs(4) +
      "<figure><img><figcaption>The river</figcaption></figure></article>"
      "<div id=comments><p>First! I never saw so much rain in all my life, dear editors, and never "
      "will.</p></div>"
      "<aside class=sidebar><p>" +
      std::string(kLong) + "</p></aside><footer>Imprint</footer>");
  EXPECT_THAT(page.document.MainText(), HasSubstr("0. The rain"));
  EXPECT_THAT(page.document.MainText(), HasSubstr("3. The rain"));
  for (const char* gone : {"Home", "Ann Bee", "First!", "Imprint", "The river"})
    EXPECT_THAT(page.document.MainText(), Not(HasSubstr(gone)));
  EXPECT_THAT(WithReason(page, CutReason::kNavigation), HasSubstr("News"));
  EXPECT_THAT(WithReason(page, CutReason::kByline), HasSubstr("Ann Bee"));
  EXPECT_THAT(WithReason(page, CutReason::kComments), HasSubstr("First!"));
  EXPECT_THAT(WithReason(page, CutReason::kTitle), HasSubstr("Rain"));
  EXPECT_THAT(WithReason(page, CutReason::kCaption), HasSubstr("The river"));
}

TEST(MainContentTest, KeepsCodeAndTablesOfATutorial) {
  const std::string text =
      MainText("<div class=content>" + Paragraphs(2) + "<pre>int main() {}</pre>" +
               "<table><tr><th>option<th>meaning<tr><td>-v<td>more words</table>" + Paragraphs(2) + "</div>");
  EXPECT_THAT(text, HasSubstr("int main() {}"));
  EXPECT_THAT(text, HasSubstr("-v\tmore words"));
}

TEST(MainContentTest, KeepsSomethingOfEveryPageThatShowsText) {
  EXPECT_EQ(MainText("<p>Moved.</p>"), "Moved.");
  EXPECT_EQ(MainText("one line"), "one line");
  EXPECT_THAT(MainText("<h1>Links</h1><ul><li><a href=a>Alpha</a><li><a href=b>Beta</a></ul>"),
              HasSubstr("Beta"));
  EXPECT_THAT(MainText("<table><tr><td>1<td>2<tr><td>3<td>4</table>"), HasSubstr("3\t4"));
  EXPECT_THAT(MainText("<pre>x = 1</pre>"), HasSubstr("x = 1"));
  EXPECT_THAT(MainText("<div class=comment><p>What do you think?</p></div>"), HasSubstr("What do"));
  EXPECT_EQ(MainText("<p hidden>secret</p>"), "");
  EXPECT_EQ(MainText(""), "");
}

TEST(MainContentTest, KeepsTheAnswersOfAForum) {
  std::string html = "<title>How to cross the river?</title><h1>How to cross the river?</h1>";
  for (int i = 0; i < 5; ++i)
    html += "<div class=post><div class=author>user" + std::to_string(i) + "</div><div class=message>" +
            Paragraphs(2) + "</div></div>";
  const std::string text = MainText(html);
  size_t found = 0;
  for (size_t at = text.find("1. The rain"); at != std::string::npos; at = text.find("1. The rain", at + 1))
    ++found;
  EXPECT_EQ(found, 5u);
}

TEST(MainContentTest, DoesNotBelieveNamesThatWouldLeaveNothing) {
  EXPECT_THAT(MainText("<div class='page with-sidebar footer-below'>" + Paragraphs(5) + "</div>"),
              HasSubstr("4. The rain"));
  EXPECT_THAT(MainText("<form class=sidebar>" + Paragraphs(5) + "</form>"), HasSubstr("4. The rain"));
}

// A visual cue: banners and chats stay in their place while the text scrolls.
TEST(MainContentTest, LeavesOutWhatIsPinnedToTheScreen) {
  const auto with = [](const std::string& style) {
    return MainText("<div>" + Paragraphs(4) + "<div style='" + style +
                    "'><p>Our visitors agree that the river is measured while they read about it.</p></div>" +
                    Paragraphs(4) + "</div>");
  };
  for (const char* pinned : {"position:fixed", "bottom: 0; Position : STICKY"}) {
    EXPECT_THAT(with(pinned), Not(HasSubstr("Our visitors"))) << pinned;
    EXPECT_THAT(with(pinned), HasSubstr("3. The rain")) << pinned;
  }
  for (const char* moving : {"position:relative", "", "background-position: fixed"}) {
    EXPECT_THAT(with(moving), HasSubstr("Our visitors")) << moving;
  }
  EXPECT_THAT(MainText("<div style='position:fixed'>" + Paragraphs(5) + "</div>"), HasSubstr("4. The rain"));
}

TEST(ElementHintsTest, ReadsWordsOfAnySpelling) {
  EXPECT_EQ(HintReader::OfNames("articleBody") & kHintBody, kHintBody);
  EXPECT_EQ(HintReader::OfNames("c-article_body x") & kHintBody, kHintBody);
  EXPECT_EQ(HintReader::OfNames("entry-content") & kHintBody, kHintBody);
  EXPECT_EQ(HintReader::OfNames("mainNav") & kHintNavigation, kHintNavigation);
  EXPECT_EQ(HintReader::OfNames("relatedarticlebox") & kHintRelated, kHintRelated);
  EXPECT_EQ(HintReader::OfNames("has-sidebar category-social") & kCutHints, 0u);
  EXPECT_EQ(HintReader::OfNames("shareholders commentary") & kCutHints, 0u);
  EXPECT_EQ(HintReader::OfNames("") | HintReader::OfNames("--- __"), 0u);
}

TEST(StockPhrasesTest, KnowsWhatSitesSayBetweenTexts) {
  for (const char* phrase : {"Read more: The river", "ADVERTISEMENT", "\u00a9 2020 The Daily",
                             "Lesen Sie auch", "Leggi anche", "> Share this", "Comments"})
    EXPECT_NE(FindStockPhrase(phrase), StockPhrase::kNone) << phrase;
  for (const char* text : {"", "Relatedness is a notion.", "The rain", "Teilende Gesellschaft"})
    EXPECT_EQ(FindStockPhrase(text), StockPhrase::kNone) << text;
  EXPECT_EQ(FindStockPhrase("Comments " + std::string(200, 'x')), StockPhrase::kNone);
}

TEST(TextReportTest, EscapesWhatThePageSays) {
  const HtmlDocument page = ReadHtmlDocument(html::ParseHtml(
      "<title>&lt;script>alert(1)&lt;/script></title><p>&lt;img src=x onerror='y()'> & \"quoted\"</p>"));
  for (const std::string& report : {CompareReport(page), SlopeDrawing(page)}) {
    EXPECT_THAT(report, Not(HasSubstr("<script")));
    EXPECT_THAT(report, Not(HasSubstr("<img")));
    EXPECT_THAT(report, HasSubstr("&lt;script&gt;"));
  }
  EXPECT_THAT(CompareReport(page), HasSubstr("&lt;img src=x"));
  EXPECT_THAT(CompareReport(page), HasSubstr("kept"));
  EXPECT_THAT(SlopeDrawing(page), HasSubstr("i = "));
  EXPECT_THAT(SlopeDrawing(HtmlDocument()), HasSubstr("0 tokens"));
}

// Pages built as worst cases: a page twice as long may cost a little more than twice the time, never four
// times. No clock: a quadratic walk over these would run for minutes.
TEST(MainContentTest, TakesPagesMadeToHurt) {
  const auto repeat = [](std::string_view part, size_t n) {
    std::string text;
    for (size_t i = 0; i < n; ++i) text += part;
    return text;
  };
  for (const std::string& html :
       {repeat("<div class=comments>", 100000) + "x", repeat("<td>", 250000),
        "<table><tr>" + repeat("<td>", 250000) + "x", repeat("<table><tr><td>", 50000) + "x",
        std::string(20 << 20, 'x'), repeat("word ", 4 << 20), repeat("<a href=x>y</a>", 60000),
        repeat("<p>a", 100000), repeat("<h1>a<ul><li class=related>", 50000),
        repeat("<article>", 600) +
            repeat("<p>a sentence that is long enough to count as one, or nearly so.", 20000),
        "<div>" + repeat("a<br>", 100000), "<title>" + repeat(" - ", 100000) + "</title>",
        "<script type=application/ld+json>" + repeat("\"author\":{", 100000) + "</script>",
        repeat("<span class=author>", 100000)}) {
    HtmlDocument page = ReadHtmlDocument(html::ParseHtml(html));
    MarkMainContent(&page);
    SUCCEED() << page.document.blocks.size();
  }
}

}  // namespace
}  // namespace crivello::text
