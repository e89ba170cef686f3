// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/civil_time.h"
#include "base/digest.h"
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
      // A flipped byte costs the record that it is in, and its neighbour if it hits lengths or magic numbers.
      // In a dictionary it may cost all records.
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
  EXPECT_EQ(FormatRfc3339(*ParseWarcDate(first->date)), "2014-02-16T05:02:22Z");
  EXPECT_EQ(reader.Next()->block, "bye");
  EXPECT_FALSE(reader.Next());
}

TEST(WarcTest, WritesNoFieldThatWouldBreakARecord) {
  MemoryFile file;
  SeededRandom random(1);
  WarcWriter writer(file, 0, {}, random);
  EXPECT_EQ(writer.Append({.target_uri = "http://x/\r\nWARC-Type: evil"}).status().code(),
            StatusCode::kInvalidArgument);
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"A:b", "c"},
                                                        {"", "c"},
                                                        {"A b", "c"},
                                                        {"content-length", "7"},
                                                        {"A", "b\n"},
                                                        {"A", std::string(1 << 17, 'x')}}) {
    EXPECT_EQ(writer.Append({.fields = {{name, value}}}).status().code(), StatusCode::kInvalidArgument)
        << name;
  }
  EXPECT_EQ(file.text, "");
}

std::string Repeated(std::string_view piece, size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += piece;
  return out;
}

std::string Little16(size_t value) {
  return {static_cast<char>(value & 255), static_cast<char>(value >> 8 & 255)};
}

// Each of these once took time quadratic in the file, until there was a rule for it.
TEST(WarcTest, TakesLinearTimeWhateverTheDamage) {
  constexpr size_t kBytes = 2 << 20;
  const std::string arc = "filedesc://x 0.0.0.0 20140216050221 text/plain 0\n1 0 x\nURL\n\n";
  const std::string gzip("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10), zstd = "\x28\xb5\x2f\xfd";
  // Nested members: each starts with a stored block that ends where all the others end.
  std::string nested;
  constexpr std::string_view kStart = "WARC/1.0\r\nContent-Length: 9\r\n\r\n";
  for (size_t left = 0xff00; left > 0x100;) {
    left -= gzip.size() + 5;
    nested += gzip + std::string(1, '\0') + Little16(left) + Little16(~left) + std::string(kStart);
    left -= kStart.size();
  }
  nested += std::string(0x100, 'x');
  const std::pair<const char*, std::string> files[] = {
      {"version lines", Repeated("WARC/1.0\n", kBytes)},
      {"heads without end", Repeated("WARC/1.0\na: b\n", kBytes)},
      {"lower case and ARC",
       arc + Repeated("warc/1.0\nContent-Length: 0\n\nhttp://x 1 20140216050221 t 0\n", kBytes)},
      {"ARC damage", arc + Repeated("garbage\nhttp://x/ 1 20140216050221 t 0\n", kBytes)},
      {"no lengths", Repeated("WARC/1.0\r\n\r\nx\r\n", kBytes)},
      {"huge lengths", Repeated("WARC/1.0\r\nContent-Length: 18446744073709551615\r\n\r\nx\r\n", kBytes)},
      {"gzip magic", Repeated(gzip, kBytes)},
      {"zstd magic", gzip + Repeated(zstd, kBytes)},
      {"gzip magic, one zstd", zstd + Repeated("\x1f\x8b\x08", kBytes)},
      {"nested members", Repeated(nested, kBytes)},
  };
  for (const auto& [name, file] : files) {
    SCOPED_TRACE(name);
    uint64_t records = 0;
    WarcReader reader(file, {.max_block_bytes = 1 << 20});
    while (reader.Next()) records++;
    EXPECT_LE(records, file.size() / 10);
    EXPECT_LE(reader.damage().size(), 1000u);
    WarcReader skipping(file, {.max_block_bytes = 1 << 20});
    while (skipping.Skip()) records++;
  }
}

TEST(WarcTest, FindsTheNextArcRecordAfterDamage) {
  const std::string file =
      "filedesc://x 0.0.0.0 20140216050221 text/plain 0\n1 0 x\nURL\n\n"
      "http://e/1 1.2.3.4 20140216050222 text/html 3\nonemore than was said\nstill\n"
      "http://e/2 1.2.3.4 20140216050222 text/html 3\ntwo\n";
  WarcReader reader(file);
  EXPECT_EQ(reader.Next()->type, WarcType::kArcHeader);
  EXPECT_EQ(reader.Next()->block, "one");
  const auto second = reader.Next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->target_uri, "http://e/2");
  EXPECT_EQ(second->block, "two");
  EXPECT_EQ(reader.damages(), 1u);
  WarcReader other(file);
  other.SeekTo(second->offset);
  EXPECT_EQ(other.Next()->target_uri, "http://e/2");
}

TEST(WarcTest, FindsRecordsInsideABlockThatClaimsMoreThanTheFile) {
  const std::string file =
      "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 18446744073709551615\r\n\r\none\r\n\r\n"
      "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\ntwo\r\n\r\n";
  WarcReader reader(file);
  EXPECT_EQ(reader.Next()->block, "one");
  EXPECT_EQ(reader.Next()->block, "two");
  EXPECT_FALSE(reader.Next());
  EXPECT_EQ(reader.damages(), 1u);
}

TEST(WarcTest, SkipsRecordsWhereverTheReaderStands) {
  for (const auto& way : AllWays()) {
    SCOPED_TRACE(static_cast<int>(way.compression));
    const std::string file = Archive(way, 10);
    WarcReader reader(file);
    for (int i = 0; i < 10; i += 2) {
      EXPECT_EQ(reader.Next()->target_uri, "http://example.org/" + std::to_string(i));
      EXPECT_TRUE(reader.Skip());
    }
    EXPECT_FALSE(reader.Skip());
    EXPECT_FALSE(reader.Next());
    EXPECT_EQ(reader.damages(), 0u);
  }
}

TEST(WarcTest, SkipsWithinAMemberThatHoldsMany) {
  WarcWriter::Options plain;
  plain.compression = WarcCompression::kNone;
  const std::string records = Archive(plain, 3);
  MemoryFile file;
  SeededRandom random(1);
  // A zstd frame of raw blocks, whose header declares neither size nor dictionary.
  std::string frame("\x28\xb5\x2f\xfd\0\x58", 6);
  const size_t header = records.size() << 3 | 1;
  for (int shift = 0; shift < 24; shift += 8) frame += static_cast<char>(header >> shift & 255);
  frame += records;
  WarcReader reader(frame);
  int count = 0;
  while (reader.Skip()) count++;
  EXPECT_EQ(count, 3);
}

TEST(WarcTest, TakesNoDictionaryBeyondItsLimit) {
  std::string file("\x5d\x2a\x4d\x18\0\0\0\x02", 8);  // of 32 MiB
  file.resize(file.size() + (32 << 20));
  WarcWriter::Options zstd;
  zstd.compression = WarcCompression::kZstd;
  file += Archive(zstd, 1);
  WarcReader reader(file);
  EXPECT_TRUE(reader.Next());
  EXPECT_EQ(reader.damages(), 1u);
  WarcReader skipping(file);
  skipping.SeekTo(0);
  EXPECT_TRUE(skipping.Skip());
}

TEST(WarcDateTest, ReadsTheFormsOfBothVersions) {
  EXPECT_EQ(ParseWarcDate("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(ParseWarcDate("2020-01-02T03:04:05.678Z"), 1577934245);
  EXPECT_EQ(ParseWarcDate("20200102030405"), 1577934245);
  EXPECT_EQ(ParseWarcDate("2020-01"), 1577836800);
  EXPECT_EQ(FormatTimestamp14(1577934245), "20200102030405");
  for (const char* bad : {"", "x", "2020-13-01", "2020-01-02T25:00:00Z", "2020-02-30", "20", "2020--1-01"})
    EXPECT_FALSE(ParseWarcDate(bad)) << bad;
}

}  // namespace
}  // namespace crivello::store
