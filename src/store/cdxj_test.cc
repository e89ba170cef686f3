// SPDX-License-Identifier: Apache-2.0
#include "store/cdxj.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/conformance.h"
#include "base/digest.h"
#include "base/mapped_file.h"
#include "base/random.h"
#include "store/surt.h"
#include "store/warc_reader.h"

namespace crivello::store {
namespace {

TEST(SurtTest, PutsTheHostBackwardsAndDropsWhatIsUsual) {
  EXPECT_EQ(SurtKey("http://example.org/"), "org,example)/");
  EXPECT_EQ(SurtKey("http://example.org"), "org,example)/");
  EXPECT_EQ(SurtKey("HTTPS://WWW.Example.ORG:443/A/B/?"), "org,example)/a/b");
  EXPECT_EQ(SurtKey("http://www23.example.org:80/x#frag"), "org,example)/x");
  EXPECT_EQ(SurtKey("http://www2example.org:8080/"), "org,www2example:8080)/");
  EXPECT_EQ(SurtKey("https://example.org:80/"), "org,example:80)/");
  EXPECT_EQ(SurtKey("http://user:pass@example.org/"), "org,example)/");
  EXPECT_EQ(SurtKey("ftp://a.b.example.org/f"), "org,example,b,a)/f");
  EXPECT_EQ(SurtKey("example.org/a"), "org,example)/a");
  EXPECT_EQ(SurtKey("http://example.org../a"), "org,example)/a");
  EXPECT_EQ(SurtKey("http://example.org:/a"), "org,example)/a");
  EXPECT_EQ(SurtKey("http://https://example.org/a"), "org,example)/a");
  EXPECT_EQ(SurtKey("http://////example.org/a"), "org,example)/a");
  EXPECT_EQ(SurtKey("http://b\xc3\xbc"
                    "cher.example/"),
            "example,xn--bcher-kva)/");
}

TEST(SurtTest, SortsTheQueryAsItIsWritten) {
  EXPECT_EQ(SurtKey("http://e.org/p?b=2&a=1"), "org,e)/p?a=1&b=2");
  EXPECT_EQ(SurtKey("http://e.org/p/?b&a=2&a=1&a"), "org,e)/p?a&a=1&a=2&b");
  EXPECT_EQ(SurtKey("http://e.org?x=Y"), "org,e)/?x=y");
  EXPECT_EQ(SurtKey("http://e.org/p?a=1&"), "org,e)/p?&a=1");
  EXPECT_EQ(SurtKey("http://e.org/p?a-b=1&a=2"), "org,e)/p?a=2&a-b=1");
}

TEST(SurtTest, UndoesEscapesUntilNoneIsLeft) {
  EXPECT_EQ(SurtKey("http://e.org/%25%32%35"), "org,e)/%25");
  EXPECT_EQ(SurtKey("http://e.org/%2525252525"), "org,e)/%25");
  EXPECT_EQ(SurtKey("http://e.org/%7Ea%20b"), "org,e)/~a%20b");
  EXPECT_EQ(SurtKey("http://e.org/Wroc%C5%82aw"), "org,e)/wroc%c5%82aw");
  EXPECT_EQ(SurtKey("http://e.org/a%2e%2e/../b//c/./d"), "org,e)/b/c/d");
  const std::string deep = "http://e.org/%" + std::string(1 << 20, '2') + "5";
  EXPECT_GT(SurtKey(deep).size(), 1u << 19);
  std::string nested = "http://e.org/%";
  for (int i = 0; i < 1 << 19; i++) nested += "25";
  EXPECT_EQ(SurtKey(nested), "org,e)/%25");
}

TEST(SurtTest, DropsSessions) {
  const std::string id = "0123456789abcdefghijklmnopqrstuv";
  EXPECT_EQ(SurtKey("http://e.org/p?PHPSESSID=" + id + "&a=1"), "org,e)/p?a=1");
  EXPECT_EQ(SurtKey("http://e.org/p?a=1&jsessionid=" + id), "org,e)/p?&a=1");
  EXPECT_EQ(SurtKey("http://e.org/p?sid=" + id + "0"), "org,e)/p?sid=" + id + "0");
  EXPECT_EQ(SurtKey("http://e.org/p?CFID=1&CFTOKEN=2&b=3"), "org,e)/p?b=3");
  EXPECT_EQ(SurtKey("http://e.org/p?cfid=1&b=3"), "org,e)/p?b=3&cfid=1");
  EXPECT_EQ(SurtKey("http://e.org/p?aspsessionidABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX&b=3"), "org,e)/p?b=3");
  EXPECT_EQ(SurtKey("http://e.org/(S(4hqa0555fwsecu455xqckv45))/a.aspx"), "org,e)/a.aspx");
  EXPECT_EQ(SurtKey("http://e.org/(4hqa0555fwsecu455xqckv45)/a.aspx?b"), "org,e)/a.aspx?b");
  EXPECT_EQ(SurtKey("http://e.org/(4hqa0555fwsecu455xqckv45)/a.html"),
            "org,e)/(4hqa0555fwsecu455xqckv45)/a.html");
}

TEST(SurtTest, KeepsWhatHasNoHost) {
  EXPECT_EQ(SurtKey(""), "-");
  EXPECT_EQ(SurtKey("dns:www.example.org"), "dns:www.example.org");
  EXPECT_EQ(SurtKey("mailto:a@example.org"), "mailto:a@example.org");
  EXPECT_EQ(SurtKey("urn:some:id"), "urn:some:id");
  EXPECT_EQ(SurtKey("filedesc://x.arc"), "filedesc://x.arc");
  EXPECT_EQ(SurtKey("http://192.168.1.254/i/"), "254,1,168,192)/i");
  EXPECT_EQ(SurtKey("http://3279880203/"), "11,0,127,195)/");
}

TEST(SurtTest, NeverHoldsAByteThatWouldBreakALineOrItsOrder) {
  const uint64_t seed = 7;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  constexpr std::string_view kAlphabet = "ab.:/?#[]@!$&'()*+,;=%0125 \t\n\x01\x7f\xc3\xa9wW-";
  for (int i = 0; i < 20000; i++) {
    std::string url = i % 3 == 0 ? "" : "http://";
    for (uint64_t n = random.Next() % 30; n > 0; n--) url += kAlphabet[random.Next() % kAlphabet.size()];
    for (const char c : SurtKey(url)) {
      ASSERT_TRUE(c > ' ' && c < 0x7f) << url;
    }
  }
}

CdxjEntry Example() {
  return {.key = "com,example)/",
          .timestamp = "20170306040206",
          .url = "http://example.com/",
          .mime = "text/html",
          .status = "200",
          .digest = "sha1:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK",
          .length = 1242,
          .offset = 784,
          .filename = "example.warc.gz"};
}

TEST(CdxjTest, WritesLinesAsOtherToolsDo) {
  EXPECT_EQ(
      FormatCdxj(Example()),
      "com,example)/ 20170306040206 {\"url\": \"http://example.com/\", \"mime\": \"text/html\", "
      "\"status\": \"200\", \"digest\": \"sha1:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK\", \"length\": \"1242\", "
      "\"offset\": \"784\", \"filename\": \"example.warc.gz\"}");
  CdxjEntry odd = {
      .key = "k", .timestamp = "20170306040206", .filename = "a\"\\\n\xc3\xa9\xf0\x9f\x98\x80\xff"};
  EXPECT_EQ(FormatCdxj(odd),
            "k 20170306040206 {\"filename\": \"a\\\"\\\\\\u000a\\u00e9\\ud83d\\ude00\\ufffd\"}");
}

TEST(CdxjTest, ReadsWhatItWrote) {
  CdxjEntry entry = Example();
  entry.more = {{"method", "POST"}, {"requestBody", "a\n\xc3\xa9\xf0\x9f\x98\x80"}};
  const auto read = ParseCdxj(FormatCdxj(entry) + "\n");
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(*read, entry);
}

TEST(CdxjTest, ReadsNumbersAndOtherValues) {
  const auto read =
      ParseCdxj("k 20170306040206 {\"status\":200,\"length\":5,\"offset\":\"-\",\"x\":[1, {}]}");
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(read->status, "200");
  EXPECT_EQ(read->length, 5u);
  EXPECT_FALSE(read->offset);
  EXPECT_EQ(read->more[0].second, "[1,{}]");
}

TEST(CdxjTest, SaysWhatIsWrongWithALine) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "missing key"},
      {"key", "missing key"},
      {" CDX N b a", "missing key"},
      {"key 2017 {}", "timestamp"},
      {"key 2017030604020x {}", "timestamp"},
      {"key 20170306040206", "expected a JSON object"},
      {"key 20170306040206 [1]", "expected a JSON object"},
      {"key 20170306040206 {\"url\": \"", "expected a JSON object"},
      {"key 20170306040206 {\"length\": \"x\"}", "\"length\" must be a number"},
      {"key 20170306040206 {\"offset\": -1}", "\"offset\" must be a number"},
  };
  for (const auto& [line, what] : cases) {
    const auto read = ParseCdxj(line);
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_EQ(read.status().code(), StatusCode::kCorruption);
    EXPECT_NE(read.status().message().find(what), std::string::npos) << read.status().message();
  }
  EXPECT_TRUE(IsCdxjHeader("!meta {}"));
  EXPECT_TRUE(IsCdxjHeader(" CDX N b a m s k r M S V g"));
  EXPECT_FALSE(IsCdxjHeader("com,example)/ 2"));
}

TEST(CdxjTest, LinesSortedByBytesAreSortedByKeyAndTime) {
  std::vector<CdxjEntry> entries;
  for (const char* url :
       {"http://a.org/", "http://a.org/!", "http://b.a.org/", "http://a.org/x", "http://ab.org/"}) {
    for (const char* timestamp : {"20200101000000", "19990101000000"})
      entries.push_back({.key = SurtKey(url), .timestamp = timestamp, .url = url});
  }
  std::vector<std::string> lines, expected;
  for (const CdxjEntry& entry : entries) lines.push_back(FormatCdxj(entry));
  std::sort(lines.begin(), lines.end());
  std::sort(entries.begin(), entries.end(), [](const CdxjEntry& a, const CdxjEntry& b) {
    return std::tie(a.key, a.timestamp) < std::tie(b.key, b.timestamp);
  });
  for (const CdxjEntry& entry : entries) expected.push_back(FormatCdxj(entry));
  EXPECT_EQ(lines, expected);
}

WarcRecord RecordOf(WarcType type, std::string_view block, std::string content_type) {
  WarcRecord record;
  record.type = type;
  record.target_uri = "http://www.example.org/A";
  record.date = "2020-01-02T03:04:05Z";
  record.content_type = std::move(content_type);
  record.block = block;
  record.offset = 10;
  record.stored_bytes = 20;
  return record;
}

TEST(CdxjTest, IndexesResponsesResourcesAndRevisits) {
  constexpr std::string_view kPage =
      "HTTP/1.1 404 Not Found\r\nContent-Type: text/html;charset=x\r\n\r\nbody";
  const std::string http = "application/http; msgtype=response";
  const auto page = MakeCdxjEntry(RecordOf(WarcType::kResponse, kPage, http), "f.warc.gz");
  ASSERT_TRUE(page);
  EXPECT_EQ(*page, (CdxjEntry{.key = "org,example)/a",
                              .timestamp = "20200102030405",
                              .url = "http://www.example.org/A",
                              .mime = "text/html",
                              .status = "404",
                              .digest = Sha1Digest("body"),
                              .length = 20,
                              .offset = 10,
                              .filename = "f.warc.gz"}));
  const auto revisit = MakeCdxjEntry(RecordOf(WarcType::kRevisit, kPage, http), "f");
  EXPECT_EQ(revisit->mime, "warc/revisit");
  EXPECT_EQ(revisit->status, "404");
  EXPECT_EQ(revisit->digest, "");
  const auto resource = MakeCdxjEntry(RecordOf(WarcType::kResource, "x", "image/png"), "f");
  EXPECT_EQ(resource->mime, "image/png");
  EXPECT_EQ(resource->status, "");
  EXPECT_EQ(resource->digest, Sha1Digest("x"));
  EXPECT_EQ(MakeCdxjEntry(RecordOf(WarcType::kResponse, "20200101", "text/dns"), "f")->mime, "text/dns");
  EXPECT_FALSE(MakeCdxjEntry(RecordOf(WarcType::kResource, "x", "application/warc-fields"), "f"));
  for (const WarcType type :
       {WarcType::kRequest, WarcType::kMetadata, WarcType::kWarcinfo, WarcType::kArcHeader})
    EXPECT_FALSE(MakeCdxjEntry(RecordOf(type, kPage, http), "f"));
  WarcRecord undated = RecordOf(WarcType::kResponse, kPage, http);
  undated.date = "yesterday";
  EXPECT_FALSE(MakeCdxjEntry(undated, "f"));
}

TEST(CdxjConformanceTest, IndexesAnArchiveAsItsToolsDo) {
  const std::string path = SharedPath("conformance/warc/pywb/example.warc.gz");
  if (path.empty()) GTEST_SKIP() << "skipped: no ../shared";
  const auto file = MappedFile::Open(path);
  ASSERT_TRUE(file.ok());
  WarcReader reader(AsText(file->bytes()));
  std::vector<std::string> lines;
  while (const auto record = reader.Next()) {
    if (const auto entry = MakeCdxjEntry(*record, "example.warc.gz")) lines.push_back(FormatCdxj(*entry));
  }
  const std::string url = "\"url\": \"http://example.com?example=1\", ",
                    end = "\"filename\": \"example.warc.gz\"}";
  const std::string digest = "\"digest\": \"sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A\", ";
  EXPECT_THAT(
      lines,
      testing::ElementsAre(
          "com,example)/?example=1 20140103030321 {" + url +
              "\"mime\": \"text/html\", \"status\": \"200\", " + digest +
              "\"length\": \"1043\", \"offset\": \"333\", " + end,
          "com,example)/?example=1 20140103030341 {" + url +
              "\"mime\": \"warc/revisit\", \"status\": \"200\", " + digest +
              "\"length\": \"553\", \"offset\": \"1864\", " + end,
          "org,iana)/domains/example 20140128051539 {\"url\": \"http://www.iana.org/domains/example\", "
          "\"mime\": \"text/html\", \"status\": \"302\", \"digest\": "
          "\"sha1:JZ622UA23G5ZU6Y3XAKH4LINONUEICEG\", \"length\": \"577\", \"offset\": \"2907\", " +
              end));
}

}  // namespace
}  // namespace crivello::store
