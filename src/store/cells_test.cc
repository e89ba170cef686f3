// SPDX-License-Identifier: Apache-2.0
#include "store/cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/record.h"
#include "store/ledger.h"
#include "store/version_key.h"

namespace crivello::store {
namespace {

FetchCell FullCell() {
  FetchCell cell;
  cell.status = 301;
  cell.content_type = "text/html";
  cell.body_bytes = 123'456;
  cell.payload = Sha1Of("payload");
  cell.head_digest = 0x1234567890abcdef;
  cell.record = {.file = 7, .offset = uint64_t{1} << 33, .length = 4567};
  cell.etag = "W/\"x\"";
  cell.last_modified = -5;
  cell.location = "https://example.org/";
  cell.canonical = "https://example.org/c";
  cell.kind = PageKind::kListing;
  cell.translations = "https://example.org/de/c";
  cell.unavailable_after = 1'900'000'000;
  cell.usage = "train-ai=n";
  cell.robots_usage = "search=y";
  cell.milliseconds = 89;
  cell.text_digest = UINT64_MAX;
  cell.simhash = 1;
  cell.noindex = cell.nofollow = cell.revisit = cell.near_copy = true;
  cell.derived_by = 3;
  return cell;
}

std::string LinkCell(const std::vector<OutLink>& links) {
  LinkCellBuilder builder;
  for (const OutLink& link : links) EXPECT_TRUE(builder.Add(link.url, link.text, link.kind, link.nofollow));
  return builder.bytes();
}

std::string TextCellBytes(const TextCell& cell) {
  std::string out;
  EncodeTextCell(cell, &out);
  return out;
}

TEST(CellsTest, GiveBackWhatWasPutIn) {
  for (const FetchCell& cell : {FetchCell(), FullCell()}) {
    const auto back = DecodeFetchCell(EncodeFetchCell(cell));
    ASSERT_TRUE(back.ok()) << back.status().ToString();
    EXPECT_EQ(*back, cell);
  }
  // Each flag by itself.
  for (bool FetchCell::*flag : {&FetchCell::noindex, &FetchCell::noarchive, &FetchCell::nofollow,
                                &FetchCell::truncated, &FetchCell::revisit, &FetchCell::near_copy}) {
    FetchCell cell;
    cell.*flag = true;
    EXPECT_EQ(*DecodeFetchCell(EncodeFetchCell(cell)), cell);
  }
  for (std::string FetchCell::*usage : {&FetchCell::usage, &FetchCell::robots_usage}) {
    FetchCell cell;
    cell.*usage = "search=n";
    EXPECT_EQ(*DecodeFetchCell(EncodeFetchCell(cell)), cell);
  }
  const std::string long_text(100'000, 'b');
  for (const TextCell& cell : {TextCell(), TextCell{.derived_by = 3,
                                           .language = "it",
                                           .charset = "utf-8",
                                           .title = "A",
                                           .author = "B",
                                           .site = "C",
                                           .description = "D",
                                           .published = -1,
                                           .blocks = {{.kind = 1, .level = 2, .text = "heading"},
                                                      {.text = long_text},
                                                      {.kind = 15, .level = 15, .main = false}}}}) {
    const std::string bytes = TextCellBytes(cell);
    const auto back = DecodeTextCell(bytes);
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, cell);
  }
}

TEST(CellsTest, JoinTheMainBlocksOfAText) {
  TextCell cell;
  EXPECT_EQ(cell.MainText(), "");
  cell.blocks = {{.main = false, .text = "menu"}, {.text = "one"}, {.text = ""}, {.text = "two"}};
  EXPECT_EQ(cell.MainText(), "one\n\ntwo");
}

TEST(CellsTest, WriteLinksAsWhatDiffersFromTheOneBefore) {
  std::vector<OutLink> links = {{.url = "https://example.org/wiki/One", .text = "one", .kind = 0},
                                {.url = "https://example.org/wiki/Other", .text = "", .kind = 127},
                                {.url = "https://example.org/wiki/", .text = "wiki", .nofollow = true},
                                {.url = "", .text = ""},
                                {.url = "https://a.example/", .text = std::string(500, 'x')}};
  const auto back = DecodeLinkCell(LinkCell(links));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, links);
  EXPECT_TRUE(DecodeLinkCell(LinkCell({}))->empty());

  links.clear();
  uint64_t plain = 0;
  for (int i = 0; i < 1000; i++) {
    links.push_back({.url = "https://en.example.org/a/long/folder/page-" + std::to_string(i) + ".html"});
    plain += links.back().url.size();
  }
  EXPECT_EQ(*DecodeLinkCell(LinkCell(links)), links);
  EXPECT_LT(LinkCell(links).size() * 4, plain);
}

TEST(CellsTest, TakeNoMoreLinksThanTheyMayDecodeTo) {
  LinkCellBuilder builder;
  const std::string url = "https://example.org/" + std::string(8000, 'a');
  while (builder.Add(url, "", 0, false)) continue;
  EXPECT_EQ(builder.size(), LinkCellBuilder::kMaxDecodedBytes / url.size());
  const auto back = DecodeLinkCell(builder.bytes());
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->size(), builder.size());
  // A few bytes that say "the same again" must not become gigabytes.
  std::string bomb = builder.bytes();
  for (int i = 0; i < 1000; i++) {
    RecordWriter writer(&bomb);
    writer.Number(0);
    writer.Number(url.size());
    writer.Text("");
    writer.Text("");
  }
  EXPECT_EQ(DecodeLinkCell(bomb).status().code(), StatusCode::kCorruption);
}

TEST(CellsTest, RefuseNewerVersionsAndDamage) {
  const std::vector<std::string> cells = {
      EncodeFetchCell(FullCell()),
      TextCellBytes(
          {.language = "it", .title = "t", .published = 77, .blocks = {{.level = 1, .text = "text"}}}),
      LinkCell({{.url = "https://a.example/", .text = "a"}, {.url = "https://a.example/b", .text = "b"}}),
      EncodeEvent({.kind = EventKind::kFailed, .number = 2, .until = 77, .url = "u", .text = "x"})};
  const auto decode = [](std::string_view bytes) {
    // Decode the bytes as every kind: no crash, and errors are Corruption.
    for (const Status& status : {DecodeFetchCell(bytes).status(), DecodeTextCell(bytes).status(),
                                 DecodeLinkCell(bytes).status(), DecodeEvent(0, bytes).status()}) {
      if (!status.ok()) {
        EXPECT_EQ(status.code(), StatusCode::kCorruption);
      }
    }
  };
  for (const std::string& cell : cells) {
    for (size_t size = 0; size < cell.size(); size++) decode(cell.substr(0, size));
    for (size_t at = 0; at < cell.size(); at++) {
      for (int bit = 0; bit < 8; bit++) {
        std::string bytes = cell;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
        decode(bytes);
      }
    }
  }
  std::string newer = cells[0];
  newer[0] = 2;
  EXPECT_THAT(DecodeFetchCell(newer).status().message(), testing::HasSubstr("version 2"));
  for (size_t size = 0; size < cells[0].size(); size++) {
    EXPECT_FALSE(DecodeFetchCell(std::string_view(cells[0]).substr(0, size)).ok());
  }
  EXPECT_FALSE(DecodeFetchCell(cells[0] + "x").ok());
}

TEST(VersionKeyTest, PutsTheNewestFirstAndKeepsRowsTogether) {
  const std::vector<std::pair<std::string, int64_t>> order = {
      {"it,unimi)https:443/", INT64_MAX}, {"it,unimi)https:443/", 1'000'000}, {"it,unimi)https:443/", 0},
      {"it,unimi)https:443/", -1},        {"it,unimi)https:443/", INT64_MIN}, {"it,unimi)https:443/!", 5},
      {"it,unimi)https:443/a", 7}};
  for (size_t i = 0; i < order.size(); i++) {
    const std::string key = VersionKey(order[i].first, order[i].second);
    if (i > 0) {
      EXPECT_LT(VersionKey(order[i - 1].first, order[i - 1].second), key);
    }
    EXPECT_LT(key, EndOfVersions(order[i].first));
    const auto parsed = ParseVersionKey(key);
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(parsed->row, order[i].first);
    EXPECT_EQ(parsed->time, order[i].second);
  }
  EXPECT_FALSE(ParseVersionKey("short").has_value());
  EXPECT_FALSE(ParseVersionKey("it,unimi)https:443/").has_value());
}

}  // namespace
}  // namespace crivello::store
