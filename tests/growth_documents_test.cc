// SPDX-License-Identifier: Apache-2.0
// No input costs more than in proportion to its size: documents in archives, their main content, their terms,
// and how they are shown.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dedup/page_digest.h"
#include "growth.h"
#include "html/html_tree.h"
#include "serve/pages/cached_copy.h"
#include "text/content/main_content.h"
#include "text/formats/office.h"
#include "text/formats/xml_document.h"
#include "text/formats/zip_test_support.h"
#include "text/terms/analyser.h"
#include "text/terms/analyser_description.h"
#include "web/url/canonical.h"

namespace crivello {
namespace {

using Convert = Result<text::Document> (*)(std::string_view, const text::OfficeLimits&);

// `wrap` puts XML into a document; `sample` is XML that is read, to ensure that the others are read, too.
void ExpectLinearOffice(std::string_view format, size_t bytes, const std::vector<Shape>& shapes,
                        Convert convert, const std::function<std::string(std::string)>& wrap,
                        const std::string& sample) {
  text::OfficeLimits limits;
  limits.archive.max_ratio = UINT64_MAX;  // repeated pieces compress very well
  const auto read = convert(wrap(sample), limits);
  ASSERT_TRUE(read.ok()) << format << ": " << read.status().ToString();
  EXPECT_FALSE(read->MainText().empty()) << format;
  ExpectLinear(
      format, bytes, shapes, [&](std::string_view file) { (void)convert(file, limits).ok(); }, wrap);
}

TEST(GrowthTest, OfWordDocuments) {
  const std::string begin = "<w:document xmlns:w='w' xmlns:r='r'><w:body>", end = "</w:body></w:document>";
  const std::string paragraph = "<w:p><w:pPr><w:pStyle w:val='a'/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>";
  ExpectLinearOffice(
      "docx", 32 << 10,
      {{"<w:p>", begin},
       {paragraph, begin, end},
       {"<w:t>a</w:t>", "<w:document xmlns:w='w'><w:body><w:p><w:r>", "</w:r></w:p></w:body></w:document>"},
       {"<w:tbl>", begin},
       {"<w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr>",
        "<w:document xmlns:w='w'><w:body><w:tbl>", "</w:tbl></w:body></w:document>"},
       {"<w:hyperlink r:id='a'>", begin},
       {"<w:del>", begin},
       {"<w:p><w:r><w:footnoteReference w:id='1'/></w:r></w:p>", begin, end},
       {"</w:p>", begin}},
      text::ConvertDocx,
      [](std::string xml) {
        return text::MakeZip(
            {{"[Content_Types].xml", "<Types/>"},
             {"word/footnotes.xml",
              "<w:footnotes xmlns:w='w'><w:footnote w:id='1'><w:p><w:r><w:t>a</w:t></w:r></w:p>"
              "</w:footnote></w:footnotes>"},
             {"word/document.xml", std::move(xml)}});
      },
      begin + paragraph + end);
  ExpectLinearOffice(
      "styles of docx", 32 << 10,
      {{"<w:style w:styleId='a'><w:basedOn w:val='a'/></w:style>", "<w:styles xmlns:w='w'>", "</w:styles>"},
       {"<w:style w:styleId='a'><w:name w:val='heading 1'/></w:style>", "<w:styles xmlns:w='w'>",
        "</w:styles>"}},
      text::ConvertDocx,
      [&](std::string xml) {
        return text::MakeZip({{"[Content_Types].xml", "<Types/>"},
                              {"word/styles.xml", std::move(xml)},
                              {"word/document.xml", begin + paragraph + end}});
      },
      "<w:styles xmlns:w='w'/>");
}

TEST(GrowthTest, OfOpenDocuments) {
  const std::string begin = "<o xmlns:text='t' xmlns:table='b' xmlns:xlink='x'>";
  ExpectLinearOffice(
      "odt", 32 << 10,
      {{"<text:p>", begin},
       {"<text:p>a</text:p>", begin, "</o>"},
       {"<text:h text:outline-level='1'>a</text:h>", begin, "</o>"},
       {"<text:list><text:list-item>", begin},
       {"<text:p><text:s text:c='9'/></text:p>", begin, "</o>"},
       {"<text:p><text:s text:c='999999999'/></text:p>", begin, "</o>"},
       {"<table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row>", begin,
        "</o>"},
       {"<text:a xlink:href='b'>", begin}},
      text::ConvertOdt,
      [](std::string xml) {
        return text::MakeZip(
            {{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", std::move(xml)}});
      },
      begin + "<text:p>a</text:p></o>");
}

TEST(GrowthTest, OfEpubs) {
  const std::string_view item = "<item id='c' href='c.xhtml' media-type='application/xhtml+xml'/>";
  ExpectLinearOffice(
      "list of an epub", 8 << 10,
      {{"<itemref idref='c'/>",
        "<package><manifest><item id='c' href='c.xhtml' "
        "media-type='application/xhtml+xml'/></manifest><spine>",
        "</spine></package>"},
       {item, "<package><manifest>", "</manifest><spine><itemref idref='c'/></spine></package>"},
       {"<item id='d' href='d.xhtml'/><itemref idref='d'/>", "<package><manifest>"}},
      text::ConvertEpub,
      [](std::string opf) {
        return text::MakeZip({{"mimetype", "application/epub+zip"},
                              {"META-INF/container.xml",
                               "<container><rootfiles><rootfile full-path='a.opf'/></rootfiles></container>"},
                              {"a.opf", std::move(opf)},
                              {"c.xhtml", "<html><body><p>a</p></body></html>"}});
      },
      "<package><manifest><item id='c' href='c.xhtml' media-type='application/xhtml+xml'/></manifest>"
      "<spine><itemref idref='c'/></spine></package>");
  // Many entries, which are looked up by name.
  const auto entries = [](std::string_view text) {
    text::ZipEntries all = {{"mimetype", "application/epub+zip"}};
    for (size_t i = 0; i < text.size(); i++) all.emplace_back("e" + std::to_string(i), "x");
    return text::MakeZip(all);
  };
  ExpectLinear(
      "entries of an archive", 1000, {{"x"}},
      [](std::string_view file) {
        const text::OfficeLimits limits = {.archive = {.max_entries = 100'000}};
        (void)text::ConvertEpub(file, limits).ok();
      },
      entries);
}

TEST(GrowthTest, OfXmlDocuments) {
  ASSERT_TRUE(text::ConvertXmlDocument("<a><p>b</p></a>", 1 << 20).ok());
  ExpectLinear("XML document", 32 << 10,
               {{"<a>"},
                {"<a>b</a>", "<c>", "</c>"},
                {"b ", "<a>", "</a>"},
                {"<p>", "<article>"},
                {"<p>a</p>", "<article>", "</article>"},
                {"<section>", "<book>"}},
               [](std::string_view xml) { (void)text::ConvertXmlDocument(xml, 16 << 20).ok(); });
}

TEST(GrowthTest, OfMainContent) {
  ExpectLinear("main content", 32 << 10,
               {{"<div>"},
                {"<div>some words here</div>"},
                {"<p>some words, and more of them.</p>"},
                {"<a href=x>link</a> "},
                {"<li><a href=x>link</a>", "<ul>"},
                {"<div><p>text</div>"},
                {"<td>cell", "<table><tr>"},
                {"<tr><td>cell</table><table>", "<table>"},
                {"<br>text", "<p>"},
                {"<h2>heading</h2>"},
                {"<span>", "<p>"}},
               [](std::string_view html) {
                 text::HtmlDocument page =
                     text::ReadHtmlDocument(html::ParseHtml(html), {.url = "http://a.test/"});
                 for (const text::ContentMethod method : text::kContentMethods)
                   (void)text::FindMainContent(page, method);
                 text::MarkMainContent(&page);
               });
}

TEST(GrowthTest, OfTerms) {
  for (const char* description : {"plain stem:en", "words fold:tr stop:it", text::kStandardAnalyser.data()}) {
    text::Analyser analyser = text::Analyser::Create(description).value();
    ExpectLinear("terms", 64 << 10,
                 {{"a"},
                  {"a "},
                  {"ä"},
                  {"\xcc\x81", "a"},
                  {"\xe3\x83\x91"},
                  {"\xe4\xb8\xad"},
                  {"'"},
                  {"a'"},
                  {"."},
                  {"a."},
                  {"1,"},
                  {"a@"},
                  {"\xff"},
                  {"\xe2\x80\x8d", "a"},
                  {"\xf0\x9f\x87\xa6"},
                  {"sses"}},
                 [&](std::string_view text) {
                   size_t terms = 0;
                   (void)analyser.ForEachTerm(text, {.language = "en"}, [&](const text::Term&) { terms++; });
                 });
  }
  ExpectLinear("description of an analyser", 8 << 10, {{"a"}, {"words "}, {"stem:en "}, {":"}, {" "}},
               [](std::string_view text) { (void)text::AnalyserDescription::Parse(text).ok(); });
  ExpectLinear("digest of a text", 64 << 10, {{"a"}, {"a "}, {"1"}, {"\xcc\x81", "a"}, {"\xff"}, {","}},
               [](std::string_view text) {
                 static dedup::PageDigester digester;
                 (void)digester.Digest(std::string(text));
               });
}

TEST(GrowthTest, OfCachedCopies) {
  const web::Url url = web::CanonicalUrl("https://example.org/a/b").value();
  ExpectLinear("cached copy", 16 << 10,
               {{"<b>"},
                {"<p onclick=x>"},
                {"<a href=b>"},
                {"<a href='javascript:x'>"},
                {"<style>"},
                {"<table><tr><td>"},
                {"&lt;"},
                {"<svg><script>"},
                {"<img srcset='a 1x,b 2x'>"},
                {"a 1x,", "<img srcset='", "'>"},
                {"\n"}},
               [&](std::string_view html) {
                 serve::PageRecord record;
                 record.response = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
                 record.response += html;
                 const serve::ArchivedUrls none = [](const std::vector<std::string>& urls) {
                   return std::vector<bool>(urls.size());
                 };
                 (void)serve::ReadableCopy(serve::ReadArchivedBody(record), url, none);
               });
  ExpectLinear("cached text", 64 << 10, {{"a"}, {"<"}, {"\n"}, {"\xff"}, {"http://a.test/ "}},
               [](std::string_view text) { (void)serve::ReadableText("text/plain", std::string(text)); });
}

}  // namespace
}  // namespace crivello
