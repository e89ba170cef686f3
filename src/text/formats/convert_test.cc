// SPDX-License-Identifier: Apache-2.0
#include "text/formats/convert.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "text/formats/zip_test_support.h"

namespace crivello::text {
namespace {

// A PDF of these objects, the first of which is the catalogue, with its cross-reference table.
std::string MakePdf(const std::vector<std::string>& objects, const std::string& info = "") {
  std::string pdf = "%PDF-1.4\n";
  std::vector<size_t> offsets;
  for (size_t i = 0; i < objects.size(); ++i) {
    offsets.push_back(pdf.size());
    pdf += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  const size_t table = pdf.size();
  pdf += fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
  for (const size_t offset : offsets) pdf += fmt::format("{:010} 00000 n \n", offset);
  pdf += fmt::format("trailer\n<</Size {}/Root 1 0 R{}>>\nstartxref\n{}\n%%EOF\n", objects.size() + 1, info,
                     table);
  return pdf;
}

std::string Stream(const std::string& dictionary, const std::string& content) {
  return fmt::format("<<{}/Length {}>>\nstream\n{}\nendstream", dictionary, content.size(), content);
}

std::string TextPdf(const std::string& content) {
  return MakePdf(
      {"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
       "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
       Stream("", content), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
       "<</Title(My PDF & more)/Author(Someone)/CreationDate(D:20240229120000Z)>>"},
      "/Info 6 0 R");
}

// Forms that each draw the next ten times: 10^9 lines of text in 3 kB.
std::string EndlessPdf() {
  std::vector<std::string> objects = {
      "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</XObject<</X 6 0 R>>>>>>",
      Stream("", "/X Do"), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"};
  for (size_t level = 0; level < 9; ++level) {
    std::string content;
    for (int i = 0; i < 10; ++i) content += "/X Do ";
    objects.push_back(
        Stream(fmt::format("/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</XObject<</X {} 0 R>>>>",
                           level + 7),
               content));
  }
  objects.push_back(Stream("/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F 5 0 R>>>>",
                           "BT /F 12 Tf 72 700 Td (again) Tj ET"));
  return MakePdf(objects);
}

TEST(ConvertTest, ReadsPdf) {
  const auto document = ConvertDocument(
      TextPdf(
          "BT /F 12 Tf 72 700 Td (Hello from a PDF, with an exam-) Tj 0 -14 Td (ple of a cut word.) Tj ET"),
      {});
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  EXPECT_EQ(document->title, "My PDF & more");
  EXPECT_EQ(document->author, "Someone");
  EXPECT_EQ(document->published, 1709208000);
  EXPECT_EQ(document->MainText(), "Hello from a PDF, with an example of a cut word.");
}

TEST(ConvertTest, APdfWithoutEndIsStoppedAndNamed) {
  const auto document = ConvertDocument(EndlessPdf(), {.pdf = {.max_time = std::chrono::milliseconds(700)}});
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.status().message(), "pdf: pdftotext exceeded the time limit of 0.7 s");
}

TEST(ConvertTest, APdfWithMuchTextIsStoppedAndNamed) {
  std::string content = "BT /F 6 Tf ";
  for (int i = 0; i < 100; ++i) {
    content += fmt::format("1 0 0 1 10 {} Tm ({}{}) Tj ", 10 + i * 7, std::string(100, 'w'), i);
  }
  const auto document = ConvertDocument(TextPdf(content + "ET"), {.max_text_bytes = 1000});
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.status().message(), "pdf: pdftotext exceeded the output limit of 5096 bytes");
}

TEST(ConvertTest, ADamagedPdfSaysSo) {
  // Pages that are their own children.
  const auto loops =
      ConvertDocument(MakePdf({"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R]/Count 1>>"}), {});
  EXPECT_TRUE(!loops.ok() || loops->blocks.empty());
  const auto cut = ConvertDocument("%PDF-1.4\nnothing", {});
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.status().message().substr(0, 21), "pdf: pdftotext failed");
}

TEST(ConvertTest, BytesTellBetterThanTypeAndName) {
  EXPECT_EQ(SniffFormat("%PDF-1.7", "text/html", "x.txt"), Format::kPdf);
  EXPECT_EQ(SniffFormat("{\\rtf1}", "application/msword"), Format::kRtf);
  EXPECT_EQ(SniffFormat(MakeZip({{"word/document.xml", "x"}}), "application/octet-stream"), Format::kDocx);
  EXPECT_EQ(SniffFormat(MakeZip({{"mimetype", "application/epub+zip"}})), Format::kEpub);
  EXPECT_EQ(SniffFormat(MakeZip({{"mimetype", "application/vnd.oasis.opendocument.text"}})), Format::kOdt);
  EXPECT_EQ(SniffFormat(MakeZip({{"a", "b"}}), "text/plain"), Format::kUnknown);
  EXPECT_EQ(SniffFormat("<!-- c --><!DOCTYPE html><p>", "application/octet-stream"), Format::kHtml);
  EXPECT_EQ(SniffFormat("<?xml version='1.0'?><rss>"), Format::kXml);
  EXPECT_EQ(SniffFormat("<?xml version='1.0'?><html>", "application/xhtml+xml"), Format::kHtml);
  EXPECT_EQ(SniffFormat("<r/>", "application/docbook+xml"), Format::kXml);
  EXPECT_EQ(SniffFormat("# Hi", "text/plain; charset=utf-8", "https://a/README.md?x"), Format::kMarkdown);
  EXPECT_EQ(SniffFormat("<p>hi", "text/html"), Format::kHtml);
  EXPECT_EQ(SniffFormat("<html> is a tag", "text/plain"), Format::kPlainText);
  EXPECT_EQ(SniffFormat("words"), Format::kPlainText);
  EXPECT_EQ(SniffFormat(std::string_view("<html>\0\x01\x02", 9)), Format::kHtml);
  EXPECT_EQ(SniffFormat("no pdf", "application/pdf"), Format::kUnknown);
  EXPECT_EQ(SniffFormat(std::string_view("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16), "text/plain"),
            Format::kUnknown);
}

TEST(ConvertTest, WhatHasNoConverterSaysWhatItIs) {
  EXPECT_EQ(ConvertDocument("<html>", {}).status().message(),
            "cannot convert html (no declared type): no converter for this type");
  EXPECT_EQ(ConvertDocument(std::string(100, '\0'), {.media_type = "image/png"}).status().message(),
            "cannot convert the document: unknown format (image/png)");
  ConvertOptions options;
  options.html = [](std::string_view) -> Result<Document> {
    Document document;
    document.title = "by another";
    return document;
  };
  EXPECT_EQ(ConvertDocument("<html>", options)->title, "by another");
}

TEST(ConvertTest, TextIsDecoded) {
  EXPECT_EQ(ConvertDocument("perch\xE9", {.media_type = "text/plain; charset=iso-8859-1"})->MainText(),
            "perché");
  EXPECT_EQ(ConvertDocument("# caff\xC3\xA8", {.name = "a.md"})->title, "caffè");
}

}  // namespace
}  // namespace crivello::text
