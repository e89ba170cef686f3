// SPDX-License-Identifier: Apache-2.0
#include "frontier/url_record.h"

#include <gtest/gtest.h>

#include "web/url/canonical.h"

namespace crivello::frontier {
namespace {

UrlRecord Sample() {
  return {.url = "https://example.org/a/b?c=d",
          .kind = UrlKind::kSitemap,
          .priority = 5,
          .depth = 300,
          .found = WallTime(std::chrono::seconds(1763208000))};
}

TEST(UrlRecordTest, ComesBackAsItWent) {
  for (const uint32_t depth : {0u, 1u, 127u, 128u, 0xffffffffu}) {
    for (const int64_t found : {int64_t{0}, int64_t{1763208000}, (int64_t{1} << 33) - 1}) {
      UrlRecord record = Sample();
      record.depth = depth;
      record.found = WallTime(std::chrono::seconds(found));
      std::string bytes;
      AppendUrlRecord(record, &bytes);
      EXPECT_EQ(ParseUrlRecord(bytes), record);
    }
  }
}

TEST(UrlRecordTest, SaysWhereTheUrlWasFound) {
  const std::string_view url = Sample().url;
  const std::string longest = "https://example.org/" + std::string(Via::kMaxBytes - 20, 'x');
  for (const std::string_view page :
       {std::string_view("https://example.org/a/"), std::string_view("http://other.example/?x"), url,
        std::string_view(longest)}) {
    UrlRecord record = Sample();
    record.via = Via::Of(url, page);
    EXPECT_EQ(record.via.Page(url), page);
    std::string bytes;
    AppendUrlRecord(record, &bytes);
    EXPECT_EQ(ParseUrlRecord(bytes), record);
  }
  EXPECT_TRUE(Via::Of(url, longest + "x").empty());
  EXPECT_TRUE(Via::Of(url, "").empty());
}

TEST(UrlRecordTest, RefusesAPageThatSharesMoreThanThereIs) {
  const std::string head("\x44\x01\x01", 3);
  EXPECT_TRUE(ParseUrlRecord(head + std::string("\x09\x01", 2) + "x" + "http://a/"));
  EXPECT_FALSE(ParseUrlRecord(head + std::string("\x0a\x01", 2) + "x" + "http://a/"));
}

TEST(UrlRecordTest, RefusesWhatIsCutOrNotOfThisVersion) {
  std::string bytes;
  AppendUrlRecord(Sample(), &bytes);
  const size_t url = bytes.find("https://");
  for (size_t size = 0; size < url + std::string("https://example.org").size(); size++) {
    EXPECT_EQ(ParseUrlRecord(bytes.substr(0, size)), std::nullopt) << size;
  }
  for (int head = 0; head < 256; head++) {
    bytes[0] = static_cast<char>(head);
    EXPECT_EQ(ParseUrlRecord(bytes).has_value(), head >> 6 == 1 && (head & 7) <= 2) << head;
  }
}

TEST(UrlRecordTest, RefusesNumbersThatDoNotFit) {
  EXPECT_TRUE(ParseUrlRecord(std::string("\x40\x01\x01", 3) + "http://a/"));
  EXPECT_FALSE(ParseUrlRecord(std::string("\x40\xff\xff\xff\xff\x1f\x01", 7) + "http://a/")) << "33 bits";
}

TEST(UrlRecordTest, SplitsACanonicalUrlAsTheParserDoes) {
  for (const char* text :
       {"http://example.org/", "https://example.org:8443/a/b/c.html?x=/y/", "http://[2001:db8::1]:81/x",
        "http://[::1]/", "http://1.2.3.4/a?b", "https://www.example.co.uk/a//b/"}) {
    const auto url = web::CanonicalUrl(text);
    ASSERT_TRUE(url.ok()) << text;
    const auto parts = SplitUrl(url->href());
    ASSERT_TRUE(parts) << text;
    EXPECT_EQ(parts->origin, url->origin());
    EXPECT_EQ(parts->host, url->hostname());
    EXPECT_EQ(HostOfOrigin(parts->origin), url->hostname());
    EXPECT_EQ(parts->path, url->path_and_query());
  }
  EXPECT_EQ(SplitUrl("https://e.org/a/b/c.html?x=/y/")->directory(), "/a/b/");
  EXPECT_EQ(SplitUrl("https://e.org/")->directory(), "/");
  for (const char* text :
       {"", "ftp://a/", "http://", "http:///", "http://a", "http://[::1/", "http://:80/"}) {
    EXPECT_FALSE(SplitUrl(text)) << text;
  }
}

TEST(UrlRecordTest, AnOriginHasItsHost) {
  EXPECT_EQ(HostOfOrigin("https://example.com"), "example.com");
  EXPECT_EQ(HostOfOrigin("http://example.com:8080"), "example.com");
  EXPECT_EQ(HostOfOrigin("http://[::1]:8080"), "[::1]");
  EXPECT_EQ(HostOfOrigin("http://[::1]"), "[::1]");
}

}  // namespace
}  // namespace crivello::frontier
