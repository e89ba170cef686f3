// SPDX-License-Identifier: Apache-2.0
#include "care/importer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_support.h"
#include "care/rederive.h"
#include "store/archive_reader.h"
#include "store/warc_reader.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::care {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::unique_ptr<collection::Collection> OpenStore(const TemporaryFolder& folder) {
  collection::CollectionOptions options;
  options.directory = folder / "c";
  auto store = collection::Collection::Open(options);
  EXPECT_TRUE(store.ok()) << store.status().ToString();
  return std::move(store).value();
}

std::vector<store::Row> Versions(collection::Collection& store, std::string_view url) {
  const web::Url parsed = web::CanonicalUrl(url).value();
  const std::string key = web::RowKey(parsed).value();
  return store.Find(parsed.hostname())
      ->table()
      .Get(key, {.versions = 9, .text = true, .links = true})
      .value();
}

TEST(DocumentLineParserTest, ReadsWhatIsThere) {
  page::DocumentLineParser parser;
  page::ImportedDocument document;
  ASSERT_TRUE(
      parser
          .Parse(R"({"id": "d/1", "title": "A \"b\"", "text": "x\ny", "date": "2020-01-02", "more": []})",
                 &document)
          .ok());
  EXPECT_EQ(document.id, "d/1");
  EXPECT_EQ(document.url, "https://import.invalid/d%2F1");
  EXPECT_EQ(document.title, "A \"b\"");
  EXPECT_EQ(document.text, "x\ny");
  EXPECT_EQ(document.date, 1577923200);
  ASSERT_TRUE(
      parser.Parse(R"({"url": "HTTP://Example.org", "id": 7, "html": "<p>x", "date": 5})", &document).ok());
  EXPECT_EQ(document.url, "http://example.org/");
  EXPECT_EQ(document.id, "7");
  EXPECT_TRUE(document.is_html);
  EXPECT_EQ(document.date, 5);
  EXPECT_EQ(document.title, "");
}

TEST(DocumentLineParserTest, TellsWhatIsWrong) {
  page::DocumentLineParser parser;
  page::ImportedDocument document;
  const auto error = [&](std::string_view line) { return parser.Parse(line, &document).message(); };
  EXPECT_THAT(error("{"), HasSubstr("invalid JSON"));
  EXPECT_THAT(error("[1]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(error(R"({"title": "x"})"), HasSubstr("neither \"text\" nor \"html\""));
  EXPECT_THAT(error(R"({"text": ["x"]})"), HasSubstr("\"text\" must be a string"));
  EXPECT_THAT(error(R"({"text": "x", "date": "soon"})"), HasSubstr("\"date\" must be a date"));
  EXPECT_THAT(error(R"({"text": "x", "url": "mailto:a@b"})"), HasSubstr("mailto:a@b"));
}

TEST(ImporterTest, ADocumentBecomesARow) {
  const TemporaryFolder folder;
  const auto store = OpenStore(folder);
  Importer importer(*store, {});
  ASSERT_TRUE(importer
                  .Add({.id = "17",
                        .url = "https://example.org/a",
                        .title = "Trees",
                        .text = "First paragraph,\nstill the first.\n\n  \nThe second one.\n",
                        .date = 1000})
                  .ok());
  ASSERT_TRUE(importer.Finish().ok());
  const auto rows = Versions(*store, "https://example.org/a");
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].time, 1'000'000'000);
  EXPECT_EQ(rows[0].fetch.id, "17");
  ASSERT_TRUE(rows[0].text.has_value());
  EXPECT_EQ((*rows[0].text)->title, "Trees");
  ASSERT_THAT((*rows[0].text)->blocks, SizeIs(2));
  EXPECT_EQ((*rows[0].text)->blocks[0].text, "First paragraph,\nstill the first.");
  EXPECT_EQ((*rows[0].text)->blocks[1].text, "The second one.");
  EXPECT_EQ(store->tablet(0)->changes().last(), 1u);

  // It is not in the archive, so rederiving does not change it.
  SilentProgress progress;
  const auto summary = Rederive(*store, {.all = true}, progress);
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->remade + summary->failed, 0u);
}

TEST(ImporterTest, HtmlIsReadAsAPage) {
  const TemporaryFolder folder;
  const auto store = OpenStore(folder);
  Importer importer(*store, {});
  ASSERT_TRUE(importer
                  .Add({.url = "https://example.org/a/",
                        .html = "<html lang=it><title>Alberi</title><p>Un albero cresce nel bosco, "
                                "e il bosco cresce con lui. <a href=b>altro</a>",
                        .is_html = true})
                  .ok());
  ASSERT_TRUE(importer.Finish().ok());
  const auto rows = Versions(*store, "https://example.org/a/");
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ((*rows[0].text)->title, "Alberi");
  EXPECT_EQ((*rows[0].text)->language, "it");
  ASSERT_THAT(*rows[0].links, SizeIs(1));
  EXPECT_EQ((*rows[0].links)[0].url, "https://example.org/a/b");
}

std::string Response(std::string_view url, std::string_view date, std::string_view body) {
  const std::string block = fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: "
      "chunked\r\n\r\n{:x}\r\n{}\r\n0\r\n\r\n",
      body.size(), body);
  return fmt::format(
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\n"
      "Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      url, date, block.size(), block);
}

TEST(ImporterTest, CapturesOfOtherArchivesBecomeVersionsAndAreArchived) {
  const TemporaryFolder folder;
  const auto store = OpenStore(folder);
  const std::string url = "https://example.org/page";
  std::string robots = Response("https://example.org/robots.txt", "2020-05-01T00:00:00Z", "User-agent: *");
  robots.insert(robots.find("WARC-Date:"), "X-Crawler-Purpose: robots\r\n");
  // Ordered differently, as when crawls were concatenated.
  const std::string file = Response(url, "2021-05-01T00:00:00Z", "<title>second</title><p>of the page") +
                           Response(url, "2020-05-01T00:00:00Z", "<title>first</title><p>of the page") +
                           "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 0\r\n\r\n\r\n\r\n" +
                           Response("dns:example.org", "2020-05-01T00:00:00Z", "x") + robots;
  store::WarcReader reader(file);
  Importer importer(*store, {});
  while (const auto record = reader.Next()) ASSERT_TRUE(importer.Add(*record).ok());
  ASSERT_TRUE(importer.Finish().ok());
  EXPECT_EQ(importer.summary().documents, 2u);
  EXPECT_EQ(importer.summary().skipped, 2u);
  EXPECT_EQ(importer.summary().refused, 1u);

  EXPECT_THAT(Versions(*store, "https://example.org/robots.txt"), SizeIs(0));
  const auto rows = Versions(*store, url);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ((*rows[0].text)->title, "second");
  EXPECT_EQ((*rows[1].text)->title, "first");
  collection::Tablet& tablet = *store->Find("example.org");
  EXPECT_EQ(tablet.table().Newest(rows[0].key).value(), rows[0].time);
  const store::ArchiveReader archive(tablet.archive_directory());
  const auto page = archive.Read(rows[1].fetch.record);
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  EXPECT_THAT((*page)->block, HasSubstr("<title>first</title>"));
}

}  // namespace
}  // namespace crivello::care
