// SPDX-License-Identifier: Apache-2.0
#include "text/formats/office.h"

#include <gtest/gtest.h>

#include "text/formats/zip_test_support.h"

namespace crivello::text {
namespace {

constexpr std::string_view kWordHead = "<?xml version='1.0'?><w:document xmlns:w='w' xmlns:r='r'><w:body>";
constexpr std::string_view kWordTail = "</w:body></w:document>";

std::string Paragraph(std::string_view text, std::string_view properties = "") {
  return "<w:p><w:pPr>" + std::string(properties) + "</w:pPr><w:r><w:t>" + std::string(text) +
         "</w:t></w:r></w:p>";
}

std::string Docx(const std::string& body, const std::string& head = std::string(kWordHead)) {
  return MakeZip(
      {{"[Content_Types].xml", "<Types/>"},
       {"word/_rels/document.xml.rels",
        "<Relationships><Relationship Id='rId1' Target='https://example.org/' TargetMode='External'/>"
        "</Relationships>"},
       {"docProps/core.xml",
        "<p xmlns:dc='dc' xmlns:dcterms='t'><dc:title>The title</dc:title><dc:creator>A. Writer</dc:creator>"
        "<dcterms:created>2024-02-29T12:00:00Z</dcterms:created></p>"},
       {"word/document.xml", head + body + std::string(kWordTail)}});
}

TEST(OfficeTest, ReadsDocx) {
  const auto document =
      ConvertDocx(Docx(Paragraph("Chapter", "<w:pStyle w:val='Heading1'/>") +
                       "<w:p><w:r><w:t>Some </w:t></w:r><w:hyperlink "
                       "r:id='rId1'><w:r><w:t>linked</w:t></w:r></w:hyperlink>"
                       "<w:r><w:t xml:space='preserve'> words.</w:t><w:br/><w:t>More</w:t></w:r>"
                       "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</"
                       "w:instrText></w:r></w:p>" +
                       Paragraph("One", "<w:numPr><w:ilvl w:val='0'/></w:numPr>") + "<w:tbl><w:tr><w:tc>" +
                       Paragraph("a") + "</w:tc><w:tc>" + Paragraph("b") + "</w:tc></w:tr></w:tbl>"),
                  {});
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  EXPECT_EQ(document->title, "The title");
  EXPECT_EQ(document->author, "A. Writer");
  EXPECT_EQ(document->published, 1709208000);
  ASSERT_EQ(document->blocks.size(), 4u);
  EXPECT_EQ(document->blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(document->blocks[0].level, 1);
  EXPECT_EQ(document->blocks[0].text, "Chapter");
  EXPECT_EQ(document->blocks[1].text, "Some linked words. More");
  EXPECT_EQ(document->blocks[2].kind, BlockKind::kListItem);
  EXPECT_EQ(document->blocks[3].kind, BlockKind::kTable);
  EXPECT_EQ(document->blocks[3].text, "a\tb");
  ASSERT_EQ(document->links.size(), 1u);
  EXPECT_EQ(document->links[0].href, "https://example.org/");
  EXPECT_EQ(document->links[0].text, "linked");
  EXPECT_EQ(document->links[0].block, 1u);
}

TEST(OfficeTest, ReadsOdt) {
  const auto document = ConvertOdt(
      MakeZip(
          {{"mimetype", "application/vnd.oasis.opendocument.text"},
           {"meta.xml", "<m xmlns:dc='dc'><dc:title>T</dc:title><dc:language>it</dc:language></m>"},
           {"content.xml",
            "<o xmlns:text='t' xmlns:table='b' xmlns:xlink='x'><text:h "
            "text:outline-level='2'>Capitolo</text:h>"
            "<text:p>Un<text:s/>testo<text:line-break/>con <text:a xlink:href='u'>un link</text:a>.</text:p>"
            "<text:list><text:list-item><text:p>voce</text:p></text:list-item></text:list>"
            "<table:table-row><table:table-cell><text:p>1</text:p></"
            "table:table-cell><table:table-cell><text:p>2"
            "</text:p></table:table-cell></table:table-row></o>"}}),
      {});
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  EXPECT_EQ(document->language, "it");
  ASSERT_EQ(document->blocks.size(), 4u);
  EXPECT_EQ(document->blocks[0].level, 2);
  EXPECT_EQ(document->blocks[1].text, "Un testo con un link.");
  EXPECT_EQ(document->blocks[2].kind, BlockKind::kListItem);
  EXPECT_EQ(document->blocks[3].text, "1\t2");
}

TEST(OfficeTest, ReadsTheChaptersOfAnEpubInTheOrderOfItsSpine) {
  const auto document = ConvertEpub(
      MakeZip(
          {{"mimetype", "application/epub+zip"},
           {"META-INF/container.xml", "<c><rootfiles><rootfile full-path='O/p.opf'/></rootfiles></c>"},
           {"O/p.opf",
            "<package><metadata xmlns:dc='d'><dc:title>Book</dc:title><dc:creator>X</dc:creator></metadata>"
            "<manifest><item id='a' href='b%20a.xhtml'/><item id='b' href='b.xhtml'/></manifest>"
            "<spine><itemref idref='b'/><itemref idref='a'/></spine></package>"},
           {"O/b a.xhtml", "<html><body><p>second</p></body></html>"},
           {"O/b.xhtml",
            "<html><head><style>p{}</style></head><body><h1>One</h1><p>first "
            "<b>bold</b></p></body></html>"}}),
      {});
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  EXPECT_EQ(document->title, "Book");
  EXPECT_EQ(document->MainText(), "One\n\nfirst bold\n\nsecond");
}

std::string Refusal(const Result<Document>& document) {
  return document.ok() ? "converted" : document.status().message();
}

TEST(OfficeTest, AZipBombIsStoppedAndNamed) {
  const std::string bomb = Docx("<w:p><w:t>" + std::string(size_t{30} << 20, 'a') + "</w:t></w:p>");
  ASSERT_LT(bomb.size(), 200000u);
  EXPECT_EQ(Refusal(ConvertDocx(bomb, {})), "zip: unpacks to more than 200 times its size");
  EXPECT_EQ(Refusal(ConvertDocx(bomb, {.archive = {.max_entry_bytes = 1000}})),
            "zip: word/document.xml unpacks to more than 1000 bytes");
  EXPECT_EQ(Refusal(ConvertDocx(bomb, {.archive = {.max_unpacked_bytes = 500000}})),
            "zip: unpacks to more than 500000 bytes");
  ZipEntries many;
  for (int i = 0; i < 5000; ++i) many.emplace_back("x" + std::to_string(i), "");
  EXPECT_EQ(Refusal(ConvertOdt(MakeZip(many), {})), "zip: more than 4096 entries");
}

TEST(OfficeTest, EntitiesAreRefusedAndNothingOutsideIsRead) {
  const std::string external =
      "<?xml version='1.0'?><!DOCTYPE d [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
      "<w:document xmlns:w='w'><w:body>";
  EXPECT_EQ(Refusal(ConvertDocx(Docx("<w:p><w:t>&x;</w:t></w:p>", external), {})),
            "docx: word/document.xml: XML: found entity declarations, which this format does not allow");
  std::string laughs = "<?xml version='1.0'?><!DOCTYPE d [<!ENTITY a0 'ha'>";
  for (int i = 1; i < 12; ++i) {
    laughs += "<!ENTITY a" + std::to_string(i) + " '";
    for (int k = 0; k < 10; ++k) laughs += "&a" + std::to_string(i - 1) + ";";
    laughs += "'>";
  }
  laughs += "]><w:document xmlns:w='w'><w:body>";
  // libxml2 itself may stop at them before the end of the declarations.
  EXPECT_EQ(Refusal(ConvertDocx(Docx("<w:p><w:t>&a11;</w:t></w:p>", laughs), {})).substr(0, 29),
            "docx: word/document.xml: XML:");
}

TEST(OfficeTest, WhatIsNoSuchArchiveSaysSo) {
  EXPECT_EQ(Refusal(ConvertDocx(MakeZip({{"x", "y"}}), {})), "docx: word/document.xml is missing");
  EXPECT_EQ(Refusal(ConvertOdt(MakeZip({{"x", "y"}}), {})), "odt: content.xml is missing");
  EXPECT_EQ(Refusal(ConvertEpub(MakeZip({{"x", "y"}}), {})), "epub: META-INF/container.xml is missing");
  EXPECT_FALSE(ConvertDocx("PK\x03\x04 no archive at all", {}).ok());
  EXPECT_FALSE(ConvertDocx("", {}).ok());
  EXPECT_EQ(Refusal(ConvertDocx(Docx("<w:p>"), {})).substr(0, 32), "docx: word/document.xml: XML: li");
}

TEST(OfficeTest, ElementsNestedTooDeepAreRefused) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<w:p>";
  EXPECT_NE(Refusal(ConvertDocx(Docx(deep), {})).find("depth"), std::string::npos);
}

TEST(OfficeTest, CutArchivesNeverCrash) {
  const std::string whole = Docx(Paragraph("text"));
  for (size_t size = 0; size < whole.size(); size += 7)
    ConvertDocx(whole.substr(0, size), {}).status().IgnoreError();
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x41);
    ConvertDocx(flipped, {}).status().IgnoreError();
  }
}

}  // namespace
}  // namespace crivello::text
