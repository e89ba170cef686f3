// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/java_properties.h"

#include <gtest/gtest.h>

namespace crivello::graph {
namespace {

TEST(JavaPropertiesTest, ReadsWhatJavaWritesAndAllows) {
  const auto properties = ParseJavaProperties(
      "#BVGraph properties\n! and another comment\r\n\n  nodes = 12\narcs:34\r\nwindowsize 7\nempty=\nalone\n"
      "long=one, \\\n   two\\\\\nk\\ e\\=y=a\\tb\\u00e9\\uD83D\\ude00\nnodes=13");
  ASSERT_TRUE(properties.ok()) << properties.status().ToString();
  const JavaProperties expected = {{"nodes", "13"},
                                   {"arcs", "34"},
                                   {"windowsize", "7"},
                                   {"empty", ""},
                                   {"alone", ""},
                                   {"long", "one, two\\"},
                                   {"k e=y", "a\tb\u00e9\U0001f600"}};
  EXPECT_EQ(*properties, expected);
  // Latin-1, half a surrogate pair, too many bytes, a backslash before another character.
  const JavaProperties odd = {
      {"l", "\u00e9\u009d"}, {"s", "\u00ed\u00a0\u0080"}, {"o", "\u00c0\u00af"}, {"b", "\u00e9z"}};
  EXPECT_EQ(ParseJavaProperties("l=\xe9\x9d\ns=\xed\xa0\x80\no=\xc0\xaf\nb=\\\u00e9\\z").value(), odd);
  EXPECT_EQ(ParseJavaProperties(FormatJavaProperties(odd, "odd")).value(), odd);
  EXPECT_FALSE(ParseJavaProperties("a=\\u12").ok());
  EXPECT_FALSE(ParseJavaProperties("a=\\uzzzz").ok());
  EXPECT_TRUE(ParseJavaProperties("a=b\\").ok());
}

TEST(JavaPropertiesTest, ReadsWhatItWrote) {
  const JavaProperties properties = {
      {"a key: =", " value "}, {"p\u00e4th", "c:\\graphs\\\u4e16\U0001f600\n"}, {"#x", "!"}, {"empty", ""}};
  const std::string text = FormatJavaProperties(properties, "test");
  EXPECT_EQ(text.substr(0, 6), "#test\n");
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f));
  EXPECT_EQ(ParseJavaProperties(text).value(), properties);
}

}  // namespace
}  // namespace crivello::graph
