// SPDX-License-Identifier: Apache-2.0
#include "text/formats/xml_document.h"

#include <gtest/gtest.h>

namespace crivello::text {
namespace {

constexpr size_t kXmlRoom = 1 << 20;

TEST(XmlDocumentTest, ReadsDocBook) {
  const auto document = ConvertXmlDocument(
      "<?xml version='1.0'?><!DOCTYPE book PUBLIC '-//OASIS//DTD DocBook XML V4.5//EN' 'http://x.test/d.dtd'>"
      "<book lang='en'><title>The Book</title><chapter><title>One</title><para>Some "
      "<emphasis>text</emphasis> and "
      "<ulink url='http://a/'>a link</ulink>.</para><programlisting>int  x;\n</programlisting>"
      "<itemizedlist><listitem><para>item</para></listitem></itemizedlist><row><entry>a</entry><entry>b</"
      "entry></row>"
      "<indexterm><primary>hidden</primary></indexterm></chapter></book>",
      kXmlRoom);
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  EXPECT_EQ(document->title, "The Book");
  EXPECT_EQ(document->language, "en");
  EXPECT_EQ(document->MainText(), "The Book\n\nOne\n\nSome text and a link.\n\nint  x;\n\nitem\n\na\tb");
  EXPECT_EQ(document->blocks[2].path, "book/chapter/para");
  EXPECT_EQ(document->blocks[3].kind, BlockKind::kCode);
  EXPECT_EQ(document->blocks[4].kind, BlockKind::kListItem);
  ASSERT_EQ(document->links.size(), 1u);
  EXPECT_EQ(document->links[0].href, "http://a/");
}

TEST(XmlDocumentTest, ElementsThatNobodyKnowsAreBlocks) {
  const auto document =
      ConvertXmlDocument("<r><x>one</x><y>two<b>!</b></y><![CDATA[ three <3 ]]></r>", kXmlRoom);
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(document->MainText(), "one\n\ntwo!\n\nthree <3");
}

TEST(XmlDocumentTest, FeedsAreTheirEntries) {
  const auto document = ConvertXmlDocument(
      "<rss version='2.0'><channel><title>News</title><description>All of "
      "it</description><item><title>First</title>"
      "<link>http://a.test/1</link><description>&lt;p&gt;Hello "
      "&lt;b&gt;you&lt;/b&gt;</description></item></channel></rss>",
      kXmlRoom);
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  EXPECT_EQ(document->title, "News");
  EXPECT_EQ(document->MainText(), "All of it\n\nFirst\n\nHello you");
  EXPECT_EQ(document->links[0].href, "http://a.test/1");
}

TEST(XmlDocumentTest, NoEntityIsExpandedOrLoaded) {
  const auto external = ConvertXmlDocument(
      "<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'><!ENTITY y 'inner'>]><r>a &x; b &y; c &amp; d</r>",
      kXmlRoom);
  ASSERT_TRUE(external.ok()) << external.status().ToString();
  EXPECT_EQ(external->MainText(), "a b c & d");
  std::string laughs = "<!DOCTYPE r [<!ENTITY a0 'ha'>";
  for (int i = 1; i < 12; ++i) {
    laughs += "<!ENTITY a" + std::to_string(i) + " '";
    for (int k = 0; k < 10; ++k) laughs += "&a" + std::to_string(i - 1) + ";";
    laughs += "'>";
  }
  const auto laughed = ConvertXmlDocument(laughs + "]><r>&a11;</r>", kXmlRoom);
  EXPECT_TRUE(!laughed.ok() || laughed->MainText().empty());
  const auto attribute = ConvertXmlDocument(laughs + "]><r lang='&a11;'>x</r>", kXmlRoom);
  EXPECT_TRUE(!attribute.ok() || attribute->language.empty());
}

TEST(XmlDocumentTest, ErrorsNameLineAndReason) {
  const auto cut = ConvertXmlDocument("<r>\n<a>", kXmlRoom);
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.status().message().substr(0, 12), "XML: line 2:");
  EXPECT_FALSE(ConvertXmlDocument("", kXmlRoom).ok());
  EXPECT_FALSE(ConvertXmlDocument("no xml", kXmlRoom).ok());
}

TEST(XmlDocumentTest, TextBeyondTheLimitIsDropped) {
  std::string xml = "<r>";
  for (int i = 0; i < 1000; ++i) xml += "<p>some words</p>";
  const auto document = ConvertXmlDocument(xml + "</r>", 100);
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(document->blocks.size(), 10u);
}

}  // namespace
}  // namespace crivello::text
