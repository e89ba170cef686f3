// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/html_writer.h"

#include <gtest/gtest.h>

namespace crivello::serve {
namespace {

TEST(HtmlWriterTest, WritesNestedElements) {
  HtmlWriter html = HtmlWriter::Html5();
  html.Open("p", {{"class", "a"}, {"hidden", "", false}});
  html.Text("x & y");
  html.Void("br", {});
  html.Element("b", {}, "<z>");
  EXPECT_EQ(std::move(html).Finish(), "<!DOCTYPE html>\n<p class=\"a\">x &amp; y<br><b>&lt;z&gt;</b></p>\n");
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
