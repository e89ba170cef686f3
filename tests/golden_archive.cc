// SPDX-License-Identifier: Apache-2.0
// Archives in foreign formats: WARC, CDXJ, TREC.
#include "base/digest.h"
#include "base/random.h"
#include "golden.h"
#include "store/cdxj.h"
#include "store/tombstone.h"
#include "store/trec.h"
#include "store/warc_encoder.h"
#include "store/warc_reader.h"

namespace crivello {
namespace {

using namespace store;  // NOLINT: this file is about that folder alone

constexpr int64_t kDate = 1'700'000'000;  // 2023-11-14T22:13:20Z
constexpr uint64_t kTombstoneBytes = 300;
const std::string kHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
const std::string kBody = "<title>golden</title><p>Un crivello, un setaccio, un vaglio.";

Result<std::string> Warc(WarcCompression compression) {
  SeededRandom random(5);
  WarcEncoder encoder({.compression = compression}, random);
  std::string file = encoder.Prologue();
  CRV_TRY(encoder
              .Append({.type = WarcType::kWarcinfo,
                       .date = kDate,
                       .content_type = "application/warc-fields",
                       .body = "software: golden\r\n"},
                      &file)
              .status());
  CRV_TRY(encoder
              .Append({.type = WarcType::kResponse,
                       .target_uri = "https://example.org/",
                       .date = kDate,
                       .content_type = "application/http; msgtype=response",
                       .fields = {{"WARC-IP-Address", "192.0.2.7"}},
                       .head = kHead,
                       .body = kBody},
                      &file)
              .status());
  file += MakeTombstone(compression, kTombstoneBytes, kDate, random);
  if (compression == WarcCompression::kNone) file += "\r\n\r\n";
  CRV_TRY(encoder
              .Append({.type = WarcType::kRevisit,
                       .target_uri = "https://example.org/again",
                       .date = kDate + 60,
                       .content_type = "application/http; msgtype=response",
                       .fields = {{"WARC-Profile",
                                   "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"}},
                       .head = kHead,
                       .payload_digest = Sha1Digest(kBody)},
                      &file)
              .status());
  return file;
}

void CheckWarc(const std::string& file) {
  WarcReader reader(file);
  auto record = reader.Next();
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->version, "WARC/1.1");
  EXPECT_EQ(record->type, WarcType::kWarcinfo);
  EXPECT_EQ(record->block, "software: golden\r\n");

  record = reader.Next();
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->type, WarcType::kResponse);
  EXPECT_EQ(record->target_uri, "https://example.org/");
  EXPECT_EQ(record->date, "2023-11-14T22:13:20Z");
  EXPECT_EQ(record->ip, "192.0.2.7");
  EXPECT_EQ(record->block, kHead + kBody);
  EXPECT_TRUE(record->whole);
  const auto entry = MakeCdxjEntry(*record, "x.warc.gz");
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->digest, Sha1Digest(kBody));

  record = reader.Next();
  ASSERT_TRUE(record.has_value());
  EXPECT_TRUE(IsTombstone(*record));
  EXPECT_EQ(record->stored_bytes, kTombstoneBytes);

  record = reader.Next();
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->type, WarcType::kRevisit);
  EXPECT_EQ(record->target_uri, "https://example.org/again");
  EXPECT_EQ(record->block, kHead);
  EXPECT_FALSE(reader.Next().has_value());
  EXPECT_EQ(reader.damages(), 0u);
}

Golden WarcGolden(const std::string& name, WarcCompression compression) {
  Golden golden = {.name = name,
                   .write = [=](const std::string& path) -> Status {
                     CRV_ASSIGN(const std::string file, Warc(compression));
                     return WriteGoldenText(path, file);
                   },
                   .check = [](const std::string& path) { CheckWarc(GoldenText(path)); }};
  if (compression != WarcCompression::kNone) golden.varying = {name};
  return golden;
}

CdxjEntry Line() {
  return {.key = "org,example)/",
          .timestamp = "20231114221320",
          .url = "https://example.org/",
          .mime = "text/html",
          .status = "200",
          .digest = Sha1Digest(kBody),
          .length = 300,
          .offset = 200,
          .filename = "golden.warc.gz",
          .more = {{"title", "perché"}}};
}

TrecDocument TrecPage() {
  return {.docno = "GX000-00-0000000",
          .has_header = true,
          .url_line = "https://example.org/",
          .http_head = "HTTP/1.1 200 OK\nContent-Type: text/html\n",
          .content = kBody};
}

}  // namespace

std::vector<Golden> ArchiveGoldens() {
  return {
      WarcGolden("warc-v1.1.warc", WarcCompression::kNone),
      WarcGolden("warc-v1.1.warc.gz", WarcCompression::kGzip),
      WarcGolden("warc-v1.1.warc.zst", WarcCompression::kZstd),
      {"cdxj-v1.cdxj",
       [](const std::string& path) { return WriteGoldenText(path, FormatCdxj(Line()) + "\n"); },
       [](const std::string& path) {
         const std::string text = GoldenText(path);
         CRV_GOLDEN_ASSIGN(const CdxjEntry entry, ParseCdxj(text));
         EXPECT_EQ(entry, Line());
       }},
      {"trec-web-v1.trec",
       [](const std::string& path) -> Status {
         std::string text;
         CRV_TRY(AppendTrec(TrecPage(), TrecUnsafe::kRefuse, &text));
         return WriteGoldenText(path, text);
       },
       [](const std::string& path) {
         const std::string text = GoldenText(path);
         TrecReader reader(text);
         const auto page = reader.Next();
         ASSERT_TRUE(page.has_value());
         EXPECT_EQ(page->docno, TrecPage().docno);
         EXPECT_EQ(page->url(), TrecPage().url_line);
         EXPECT_EQ(page->http_head, TrecPage().http_head);
         EXPECT_EQ(page->content, TrecPage().content);
         EXPECT_TRUE(page->whole);
         EXPECT_FALSE(reader.Next().has_value());
       }},
  };
}

}  // namespace crivello
