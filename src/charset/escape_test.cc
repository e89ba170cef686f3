// SPDX-License-Identifier: Apache-2.0
#include "charset/escape.h"

#include <gtest/gtest.h>

namespace crivello::charset {
namespace {

TEST(HtmlEscapedTest, EscapesWhateverCouldEndTextOrValue) {
  EXPECT_EQ(HtmlEscaped("<>&\"'`"), "&lt;&gt;&amp;&quot;&#39;&#96;");
  EXPECT_EQ(HtmlEscaped("Perché — 漢字"), "Perché — 漢字");
}

TEST(HtmlEscapedTest, ReplacesControlsAndWhatIsNoUtf8) {
  using namespace std::string_view_literals;
  EXPECT_EQ(HtmlEscaped("a\0b\x1b$B"sv),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD$B");
  EXPECT_EQ(HtmlEscaped("\xC0\xBC"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // an overlong '<'
  EXPECT_EQ(HtmlEscaped("\xED\xA0\x80").find("\xED\xA0\x80"), std::string::npos);
}

TEST(HtmlEscapedTest, TakesOutWhatTurnsTheTextAround) {
  EXPECT_EQ(HtmlEscaped("a\xE2\x80\xAE"
                        "b\xE2\x81\xA6"
                        "c"),
            "abc");  // RLO, LRI
  EXPECT_EQ(HtmlEscaped("\xE2\x80\x8F"
                        "a"),
            "\xE2\x80\x8F"
            "a");  // a mark without extent
}

TEST(XmlEscapedTest, EscapesMarkupAndReplacesWhatXmlCannotHave) {
  using namespace std::string_view_literals;
  EXPECT_EQ(XmlEscaped("<a b=\"c\">'d' & `e`</a>"),
            "&lt;a b=&quot;c&quot;&gt;&#39;d&#39; &amp; `e`&lt;/a&gt;");
  EXPECT_EQ(XmlEscaped("\t\n\r\0\xEF\xBF\xBE\xFF"sv), "\t\n\r\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(CsvCellTest, IsQuoted) {
  EXPECT_EQ(CsvCell(""), "\"\"");
  EXPECT_EQ(CsvCell("a, \"b\"\r\n"), "\"a, \"\"b\"\"\r\n\"");
}

TEST(CsvCellTest, IsNoFormula) {
  for (const std::string text :
       {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1", "\uff20x"}) {
    EXPECT_EQ(CsvCell(text), "\"'" + text + "\"");
  }
  EXPECT_EQ(CsvCell("1=1"), "\"1=1\"");
}

}  // namespace
}  // namespace crivello::charset
