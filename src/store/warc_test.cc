// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/digest.h"
#include "store/warc_reader.h"
#include "store/warc_writer.h"

namespace crivello::store {
namespace {

class MemoryFile final : public AppendFile {
 public:
  Status Append(Bytes bytes) override {
    text.append(AsText(bytes));
    return Status::Ok();
  }
  Status Sync() override { return Status::Ok(); }
  std::string text;
};

constexpr std::string_view kHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";

std::string BodyNumber(int i) {
  return "<p>page " + std::to_string(i) + std::string(static_cast<size_t>(i * 1000), 'x') + "\r\n\r\n";
}

std::string Archive(WarcWriter::Options options, int count) {
  MemoryFile file;
  SeededRandom random(1);
  WarcWriter writer(file, 0, std::move(options), random);
  for (int i = 0; i < count; i++) {
    const std::string body = BodyNumber(i);
    const auto location = writer.Append({.type = WarcType::kResponse,
                                         .target_uri = "http://example.org/" + std::to_string(i),
                                         .date = 1577934245 + i,
                                         .content_type = "application/http; msgtype=response",
                                         .head = kHead,
                                         .body = body});
    EXPECT_TRUE(location.ok()) << location.status().ToString();
    EXPECT_EQ(location->offset + location->bytes, file.text.size());
    EXPECT_EQ(writer.size(), file.text.size());
  }
  return file.text;
}

std::vector<WarcWriter::Options> AllWays() {
  std::vector<WarcWriter::Options> ways(4);
  ways[0].compression = WarcCompression::kNone;
  ways[1].compression = WarcCompression::kGzip;
  ways[2].compression = WarcCompression::kZstd;
  ways[3].compression = WarcCompression::kZstd;
  ways[3].zstd_dictionary = "HTTP/1.1 200 OK Content-Type: text/html <p>page WARC/1.1 WARC-Type";
  return ways;
}

TEST(WarcTest, ReadsWhatItWrote) {
  for (const auto& way : AllWays()) {
    SCOPED_TRACE(static_cast<int>(way.compression));
    const std::string file = Archive(way, 20);
    WarcReader reader(file);
    std::vector<uint64_t> offsets;
    for (int i = 0; i < 20; i++) {
      const auto record = reader.Next();
      ASSERT_TRUE(record);
      EXPECT_EQ(record->type, WarcType::kResponse);
      EXPECT_EQ(record->target_uri, "http://example.org/" + std::to_string(i));
      EXPECT_EQ(record->block, std::string(kHead) + BodyNumber(i));
      EXPECT_EQ(ParseWarcDate(record->date), 1577934245 + i);
      EXPECT_TRUE(record->whole);
      bool known = false;
      EXPECT_TRUE(DigestMatches(*record->fields.Find("WARC-Block-Digest"), record->block, &known));
      EXPECT_TRUE(DigestMatches(*record->fields.Find("warc-payload-digest"), BodyNumber(i), &known));
      offsets.push_back(record->offset);
    }
    EXPECT_FALSE(reader.Next());
    EXPECT_TRUE(reader.damage().empty()) << reader.damage()[0].what;
    for (size_t i : {19u, 3u, 0u}) {
      WarcReader other(file);
      other.SeekTo(offsets[i]);
      const auto record = other.Next();
      ASSERT_TRUE(record);
      EXPECT_EQ(record->target_uri, "http://example.org/" + std::to_string(i));
    }
    WarcReader skipping(file);
    for (int i = 0; i < 7; i++) EXPECT_TRUE(skipping.Skip());
    EXPECT_EQ(skipping.Next()->target_uri, "http://example.org/7");
  }
}

TEST(WarcTest, GivesTheRecordsAroundDamage) {
  for (const auto& way : AllWays()) {
    SCOPED_TRACE(static_cast<int>(way.compression));
    const std::string good = Archive(way, 4);
    for (size_t at = 0; at < good.size(); at += 7) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x24);
      int records = 0;
      WarcReader reader(bad);
      while (const auto record = reader.Next()) records++;
      // A flipped byte costs the record that it is in, and where lengths or magic go wrong its neighbour;
      // that of a dictionary may cost all.
      if (way.zstd_dictionary.empty()) {
        EXPECT_GE(records, 2) << at;
      }
      std::string cut = good.substr(0, at);
      WarcReader other(cut);
      int whole = 0;
      while (const auto record = other.Next()) whole += record->whole;
      EXPECT_LE(whole, 4);
    }
  }
}

TEST(WarcTest, CutsABlockAtTheLimitAndGoesOn) {
  for (const auto& way : AllWays()) {
    const std::string file = Archive(way, 5);
    WarcReader reader(file, {.max_block_bytes = 2000});
    int records = 0;
    while (const auto record = reader.Next()) {
      EXPECT_LE(record->block.size(), 2000u);
      EXPECT_EQ(record->whole, records < 2);
      records++;
    }
    EXPECT_EQ(records, 5);
    EXPECT_EQ(reader.damages(), 3u);
  }
}

TEST(WarcTest, SaysThatABombIsNoMoreThanItsLimit) {
  MemoryFile file;
  SeededRandom random(1);
  WarcWriter writer(file, 0, {}, random);
  const std::string zeros(64 << 20, '\0');
  ASSERT_TRUE(writer.Append({.body = zeros}).ok());
  ASSERT_TRUE(writer.Append({.target_uri = "http://after/", .body = "x"}).ok());
  EXPECT_LT(file.text.size(), 400'000u);
  WarcReader reader(file.text, {.max_block_bytes = 1 << 20});
  EXPECT_FALSE(reader.Next()->whole);
  EXPECT_EQ(reader.Next()->target_uri, "http://after/");
}

TEST(WarcTest, ReadsArcFiles) {
  const std::string file =
      "filedesc://x.arc 0.0.0.0 20140216050221 text/plain 75\n1 0 LiveWeb Capture\nURL IP-address "
      "Archive-date "
      "Content-type Archive-length\n\n"
      "http://example.com/a b 1.2.3.4 20140216050222 text/html 5\nhello\n"
      "http://example.com/ 1.2.3.4 20140216050223 text/html 3\nbye\n";
  WarcReader reader(file);
  EXPECT_EQ(reader.Next()->type, WarcType::kArcHeader);
  const auto first = reader.Next();
  EXPECT_EQ(first->target_uri, "http://example.com/a b");
  EXPECT_EQ(first->block, "hello");
  EXPECT_EQ(FormatWarcDate(*ParseWarcDate(first->date)), "2014-02-16T05:02:22Z");
  EXPECT_EQ(reader.Next()->block, "bye");
  EXPECT_FALSE(reader.Next());
}

TEST(WarcTest, WritesNoFieldThatWouldBreakARecord) {
  MemoryFile file;
  SeededRandom random(1);
  WarcWriter writer(file, 0, {}, random);
  EXPECT_EQ(writer.Append({.target_uri = "http://x/\r\nWARC-Type: evil"}).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(writer.Append({.fields = {{"A:b", "c"}}}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(file.text, "");
}

TEST(WarcDateTest, ReadsTheFormsOfBothVersions) {
  EXPECT_EQ(ParseWarcDate("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(ParseWarcDate("2020-01-02T03:04:05.678Z"), 1577934245);
  EXPECT_EQ(ParseWarcDate("20200102030405"), 1577934245);
  EXPECT_EQ(ParseWarcDate("2020-01"), 1577836800);
  EXPECT_EQ(FormatTimestamp14(1577934245), "20200102030405");
  EXPECT_EQ(FormatWarcDate(-1), "1969-12-31T23:59:59Z");
  for (const char* bad : {"", "x", "2020-13-01", "2020-01-02T25:00:00Z", "20", "2020--1-01"})
    EXPECT_FALSE(ParseWarcDate(bad)) << bad;
}

TEST(DigestTest, WritesBase32AndReadsBoth) {
  EXPECT_EQ(Sha1Digest(""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  bool known = false;
  EXPECT_TRUE(DigestMatches("SHA1:da39a3ee5e6b4b0d3255bfef95601890afd80709", "", &known));
  EXPECT_TRUE(DigestMatches(Sha256Digest("x"), "x", &known));
  EXPECT_FALSE(DigestMatches("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "x", &known));
  EXPECT_TRUE(known);
  EXPECT_FALSE(DigestMatches("crc:1", "x", &known));
  EXPECT_FALSE(known);
}

}  // namespace
}  // namespace crivello::store
