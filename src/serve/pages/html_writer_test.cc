// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/html_writer.h"

#include <gtest/gtest.h>

namespace crivello::serve {
namespace {

std::string Escaped(std::string_view text) {
  std::string out;
  AppendEscaped(text, &out);
  return out;
}

TEST(HtmlWriterTest, WritesNestedElements) {
  HtmlWriter html = HtmlWriter::Html5();
  html.Open("p", {{"class", "a"}, {"hidden", "", false}});
  html.Text("x & y");
  html.Void("br", {});
  html.Element("b", {}, "<z>");
  EXPECT_EQ(std::move(html).Finish(), "<!DOCTYPE html>\n<p class=\"a\">x &amp; y<br><b>&lt;z&gt;</b></p>\n");
}

TEST(HtmlWriterTest, EscapesWhateverCouldEndTextOrValue) {
  EXPECT_EQ(Escaped("<>&\"'`"), "&lt;&gt;&amp;&quot;&#39;&#96;");
  EXPECT_EQ(Escaped("Perché — 漢字"), "Perché — 漢字");
}

TEST(HtmlWriterTest, ReplacesControlsAndWhatIsNoUtf8) {
  using namespace std::string_view_literals;
  EXPECT_EQ(Escaped("a\0b\x1b$B"sv),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD$B");
  EXPECT_EQ(Escaped("\xC0\xBC"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // an overlong '<'
  EXPECT_EQ(Escaped("\xED\xA0\x80").find("\xED\xA0\x80"), std::string::npos);
}

TEST(HtmlWriterTest, TakesOutWhatTurnsTheTextAround) {
  EXPECT_EQ(Escaped("a\xE2\x80\xAE"
                    "b\xE2\x81\xA6"
                    "c"),
            "abc");  // RLO, LRI
  EXPECT_EQ(Escaped("\xE2\x80\x8F"
                    "a"),
            "\xE2\x80\x8F"
            "a");  // a mark without extent
}

TEST(HtmlWriterTest, LeavesOutTargetsThatAreNoPages) {
  const auto link = [](std::string_view target) {
    HtmlWriter html;
    html.Element("a", {{"href", target}}, "x");
    return std::move(html).Finish();
  };
  EXPECT_EQ(link("/a?b=c"), "<a href=\"/a?b=c\">x</a>\n");
  EXPECT_EQ(link("HTTPS://a/"), "<a href=\"HTTPS://a/\">x</a>\n");
  for (const std::string_view bad :
       {"javascript:alert(1)", " javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "vbscript:x",
        "//evil.example/", "/\\evil.example/", "", "\tjavascript:x"}) {
    EXPECT_EQ(link(bad), "<a>x</a>\n") << bad;
  }
}

}  // namespace
}  // namespace crivello::serve
