// SPDX-License-Identifier: Apache-2.0
// The commands that inspect data of the web: text, url, robots, feed, warc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cli_test_support.h"

namespace crivello::cli {
namespace {

using testing::HasSubstr;

constexpr const char* kPage =
    "<!doctype html><meta charset=utf-8><title>Caf\xc3\xa9</title><base href=/dir/>"
    "<p>Hello <a href=x.html>there</a><script>no</script>";

TEST(UrlCommandTest, TakesAUrlApart) {
  const auto parts = nlohmann::json::parse(
      Crivello({"--json", "url", "../c?q=1#f", "--base", "HTTPS://www.Unimi.IT/a/b/d"}).out);
  EXPECT_EQ(parts["url"], "https://www.unimi.it/a/c?q=1#f");
  EXPECT_EQ(parts["registrable_domain"], "unimi.it");
  EXPECT_EQ(parts["canonical"], "https://www.unimi.it/a/c?q=1");
  EXPECT_EQ(parts["row_key"], "it,unimi,www)https:443/a/c?q=1");
  EXPECT_EQ(Crivello({"url", "no url"}).code, kWrongUsage);
  EXPECT_EQ(Crivello({"url", "mailto:x@y.z"}).code, kDone);
}

TEST(RobotsCommandTest, TellsTheVerdictAndTheRule) {
  const TemporaryFolder folder;
  WriteText(folder / "robots.txt",
            "User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 2\n"
            "Content-Usage: train-ai=n\nContent-Usage: /private search=n\n");
  const Outcome no = Crivello({"robots", folder / "robots.txt", "crivello", "/private/x"});
  EXPECT_EQ(no.code, kNothingFound);
  EXPECT_THAT(no.out, HasSubstr("disallowed by line 2: Disallow: /private"));
  const auto yes = nlohmann::json::parse(
      Crivello({"--json", "robots", folder / "robots.txt", "crivello", "/private/open/x"}).out);
  EXPECT_EQ(yes["allowed"], true);
  EXPECT_EQ(yes["line"], 3);
  EXPECT_EQ(yes["crawl_delay"], 2.0);
  EXPECT_EQ(yes["usage"], "search=n");
  EXPECT_THAT(Crivello({"robots", folder / "robots.txt", "crivello", "/"}).out,
              HasSubstr("content usage train-ai=n\n"));
  EXPECT_EQ(no.out.find("usage"), std::string::npos) << "of what may not be fetched nothing is stated";
}

TEST(TextCommandTest, ShowsWhatAPageHolds) {
  const TemporaryFolder folder;
  WriteText(folder / "page", kPage);
  const auto page = nlohmann::json::parse(
      Crivello({"--json", "text", folder / "page", "--url", "http://example.org/"}).out);
  EXPECT_EQ(page["title"], "Caf\xc3\xa9");
  EXPECT_EQ(page["charset"], "UTF-8");
  EXPECT_THAT(page["text"].get<std::string>(), HasSubstr("Hello there"));
  EXPECT_THAT(page["text"].get<std::string>(), testing::Not(HasSubstr("no")));
  EXPECT_EQ(page["links"][0]["url"], "http://example.org/dir/x.html");
  EXPECT_THAT(Crivello({"text", folder / "page", "--tokens"}).out, HasSubstr("start    a href=\"x.html\""));
  EXPECT_THAT(Crivello({"text", folder / "page", "--tree"}).out, HasSubstr("|   <body>"));
  EXPECT_THAT(Crivello({"text", folder / "page", "--charset"}).out, HasSubstr("UTF-8 (meta"));
  EXPECT_THAT(Crivello({"text", folder / "page", "--blocks"}).out, HasSubstr("paragraph  Hello there"));
  EXPECT_THAT(Crivello({"text", folder / "page", "--compare"}).out,
              HasSubstr("<td class=\"t\">Hello there</td>"));
  EXPECT_THAT(Crivello({"text", folder / "page", "--slope"}).out, HasSubstr("</svg>"));
  EXPECT_EQ(Crivello({"text", folder / "page", "--tree", "--links"}).code, kWrongUsage);
}

TEST(TextCommandTest, LetsNoControlCharacterOfAPageThrough) {
  const TemporaryFolder folder;
  WriteText(folder / "page", "<title>\x1b[31m</title><p id='\x1b[2J'>\x1b]0;x\x07<!--\x1b-->");
  for (const std::vector<std::string>& what : {std::vector<std::string>{},
                                               {"--tokens"},
                                               {"--tree"},
                                               {"--links"},
                                               {"--blocks"},
                                               {"--compare"},
                                               {"--slope"}}) {
    std::vector<std::string> words = {"text", folder / "page"};
    words.insert(words.end(), what.begin(), what.end());
    EXPECT_THAT(Crivello(words).out, testing::Not(HasSubstr("\x1b")));
  }
}

TEST(FeedCommandTest, ShowsAFeed) {
  const TemporaryFolder folder;
  WriteText(folder / "feed",
            "<rss "
            "version='2.0'><channel><title>News</title><link>http://a.org/</link><ttl>60</"
            "ttl><item><title>One</title>"
            "<link>/1</link><pubDate>Sun, 06 Nov 1994 08:49:37 GMT</pubDate></item></channel></rss>");
  const Outcome shown = Crivello({"feed", "read", folder / "feed", "--url", "http://a.org/feed"});
  EXPECT_EQ(shown.code, kDone);
  EXPECT_THAT(shown.out, HasSubstr("News"));
  EXPECT_THAT(shown.out, HasSubstr("http://a.org/1\n  Sun, 06 Nov 1994 08:49:37 GMT"));
  WriteText(folder / "none", "nothing of the kind");
  EXPECT_EQ(Crivello({"feed", "read", folder / "none"}).code, kBadData);
}

TEST(WarcCommandTest, ListsPrintsAndChecks) {
  const TemporaryFolder folder;
  const std::string record =
      "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"
      "WARC-Block-Digest: sha1:VBZLMEGM3CRSDOY6BGGFDDFTM4KWTVWK\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";
  WriteText(folder / "a.warc", record + record);
  EXPECT_THAT(Crivello({"warc", "ls", folder / "a.warc"}).out, HasSubstr("resource"));
  const std::string second = std::to_string(record.size());
  EXPECT_EQ(Crivello({"warc", "cat", folder / "a.warc", "--offset", second}).out, "hello");
  EXPECT_EQ(Crivello({"warc", "cat", folder / "a.warc", "--offset", "3"}).code, kWrongUsage);
  const Outcome bad = Crivello({"warc", "check", folder / "a.warc"});
  EXPECT_EQ(bad.code, kNothingFound) << "the digest is not that of hello";
  EXPECT_THAT(bad.out, HasSubstr("2 digests checked, 2 of them wrong"));
  WriteText(folder / "empty", "");
  EXPECT_EQ(Crivello({"warc", "ls", folder / "empty"}).code, kNothingFound);
}

}  // namespace
}  // namespace crivello::cli
