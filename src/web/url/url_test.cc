// SPDX-License-Identifier: Apache-2.0
#include "web/url/url.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "web/url/percent.h"

namespace crivello::web {
namespace {

std::string Resolve(std::string_view input, std::string_view base = "") {
  Url base_url, url;
  if (!base.empty() && !base_url.Parse(base)) return "bad base";
  return url.Parse(input, base.empty() ? nullptr : &base_url) ? url.href() : "failure";
}

TEST(UrlTest, GivesEveryPart) {
  Url url;
  ASSERT_TRUE(url.Parse("HTTPS://user:p%40ss@Example.COM:8443/a/b?x=1&y#frag"));
  EXPECT_EQ(url.href(), "https://user:p%40ss@example.com:8443/a/b?x=1&y#frag");
  EXPECT_EQ(url.protocol(), "https:");
  EXPECT_EQ(url.scheme(), "https");
  EXPECT_EQ(url.username(), "user");
  EXPECT_EQ(url.password(), "p%40ss");
  EXPECT_EQ(url.host(), "example.com:8443");
  EXPECT_EQ(url.hostname(), "example.com");
  EXPECT_EQ(url.port(), "8443");
  EXPECT_EQ(url.effective_port(), 8443);
  EXPECT_EQ(url.pathname(), "/a/b");
  EXPECT_EQ(url.search(), "?x=1&y");
  EXPECT_EQ(url.query(), "x=1&y");
  EXPECT_EQ(url.hash(), "#frag");
  EXPECT_EQ(url.fragment(), "frag");
  EXPECT_EQ(url.path_and_query(), "/a/b?x=1&y");
  EXPECT_EQ(url.origin(), "https://example.com:8443");
}

TEST(UrlTest, EmptyObjectHasEmptyParts) {
  const Url url;
  EXPECT_TRUE(url.empty());
  for (const std::string_view part :
       {url.protocol(), url.scheme(), url.username(), url.password(), url.host(), url.hostname(), url.port(),
        url.pathname(), url.search(), url.hash(), url.path_and_query()}) {
    EXPECT_EQ(part, "");
  }
  EXPECT_EQ(url.effective_port(), 0);
  EXPECT_EQ(Resolve("x"), "failure");
  Url resolved;
  EXPECT_FALSE(resolved.Parse("x", &url)) << "an empty base is none";
  EXPECT_FALSE(resolved.Parse("#x", &url));
}

TEST(UrlTest, TellsAnEmptyQueryFromNone) {
  Url url;
  ASSERT_TRUE(url.Parse("http://a/?#"));
  EXPECT_EQ(url.search(), "");
  EXPECT_EQ(url.hash(), "");
  EXPECT_EQ(url.query(), "");
  EXPECT_EQ(url.fragment(), "");
  ASSERT_TRUE(url.Parse("http://a/"));
  EXPECT_EQ(url.query(), std::nullopt);
  EXPECT_EQ(url.fragment(), std::nullopt);
}

// The examples of RFC 3986 §5.4 that also hold in the WHATWG standard.
TEST(UrlTest, ResolvesTheExamplesOfRfc3986) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g/"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q#s"},
      {"g#s", "http://a/b/c/g#s"},
      {";x", "http://a/b/c/;x"},
      {"g;x?y#s", "http://a/b/c/g;x?y#s"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {"..g", "http://a/b/c/..g"},
      {"./g/.", "http://a/b/c/g/"},
      {"g/../h", "http://a/b/c/h"},
      {"g?y/../x", "http://a/b/c/g?y/../x"},
      {"http:g", "http://a/b/c/g"},
  };
  for (const auto& [input, expected] : cases)
    EXPECT_EQ(Resolve(input, "http://a/b/c/d;p?q"), expected) << input;
}

TEST(UrlTest, ReadsWhatBrowsersForgive) {
  EXPECT_EQ(Resolve("  http://a/\t\n b "), "http://a/%20b");
  EXPECT_EQ(Resolve("http:\\\\a\\b\\..\\c"), "http://a/c");
  EXPECT_EQ(Resolve("http:a"), "http://a/");
  EXPECT_EQ(Resolve("http://0x7f.1"), "http://127.0.0.1/");
  EXPECT_EQ(Resolve("http://[1:0::0:2]:80"), "http://[1::2]/");
  EXPECT_EQ(Resolve("http://b\xc3\xbc"
                    "cher.de/\xc3\xbc?\xc3\xbc#\xc3\xbc"),
            "http://xn--bcher-kva.de/%C3%BC?%C3%BC#%C3%BC");
  EXPECT_EQ(Resolve("http://a/%2e%2E/b/%2e/c"), "http://a/b/c");
  EXPECT_EQ(Resolve("http://u@ser:p:w@a"), "http://u%40ser:p%3Aw@a/");
  EXPECT_EQ(Resolve("http://a/\xff"), "http://a/%FF") << "bytes that are no UTF-8 stay themselves";
}

TEST(UrlTest, RefusesWhatBrowsersRefuse) {
  for (const std::string_view input :
       {"", "a", "//a", "http://", "http://:80", "http://a:b", "http://a:65536", "http://a b", "http://[::1",
        "http://[1]", "http://256.0.0.1", "http://1.2.3.4.5", "http://%00", "http://a%", "http://u@",
        "http://\xff", "http://a<b"}) {
    EXPECT_EQ(Resolve(input), "failure") << input;
  }
  std::string too_long = "http://";
  too_long.append(Url::kMaxBytes, 'a');
  EXPECT_EQ(Resolve(too_long), "failure");
  too_long = "http://a/";
  too_long.append(Url::kMaxBytes / 2, ' ');
  EXPECT_EQ(Resolve(too_long + "x"), "failure") << "too long once it is encoded";
  Url url;
  ASSERT_TRUE(url.Parse("http://a/"));
  EXPECT_FALSE(url.set_search(too_long));
  EXPECT_EQ(url.href(), "http://a/");
  EXPECT_EQ(Resolve("x", "mailto:a@b"), "failure");
}

TEST(UrlTest, KeepsDriveLettersOfFiles) {
  EXPECT_EQ(Resolve("../../x", "file:///C:/a/b"), "file:///C:/x");
  EXPECT_EQ(Resolve("/x", "file:///C:/a"), "file:///C:/x");
  EXPECT_EQ(Resolve("file:c|/x"), "file:///c:/x");
  EXPECT_EQ(Resolve("file://localhost/x"), "file:///x");
}

TEST(UrlTest, NoPathIsTakenForAHost) {
  Url url;
  ASSERT_TRUE(url.Parse("web+demo:/.//not-a-host/"));
  EXPECT_EQ(url.href(), "web+demo:/.//not-a-host/");
  EXPECT_EQ(url.pathname(), "//not-a-host/");
  EXPECT_EQ(Resolve("..//x?q#f", "a:/b/c"), "a:/.//x?q#f");
  ASSERT_TRUE(url.set_host("h"));
  EXPECT_EQ(url.href(), "web+demo://h//not-a-host/");
}

TEST(UrlTest, AnObjectIsReused) {
  Url url;
  ASSERT_TRUE(url.Parse("https://u:p@a.example:1/p?q#f"));
  const char* memory = url.href().data();
  ASSERT_TRUE(url.Parse("mailto:x"));
  EXPECT_EQ(url.href().data(), memory);
  EXPECT_EQ(url.href(), "mailto:x");
  EXPECT_FALSE(url.has_host());
  EXPECT_EQ(url.port(), "");
  EXPECT_EQ(url.query(), std::nullopt);
  EXPECT_FALSE(url.Parse("http://"));
  EXPECT_TRUE(url.empty());
}

TEST(UrlTest, EncodesTheQueryOfOtherEncodings) {
  Url url;
  ASSERT_TRUE(
      url.Parse("http://a/\xc3\xa9?\xc3\xa9\xe2\x80\xa0 #\xc3\xa9", nullptr, charset::Encoding::kIso8859_15));
  EXPECT_EQ(url.href(), "http://a/%C3%A9?%E9%26%238224%3B%20#%C3%A9");
  ASSERT_TRUE(url.Parse("ws://a/?\xc3\xa9", nullptr, charset::Encoding::kIso8859_15)) << "always UTF-8";
  EXPECT_EQ(url.search(), "?%C3%A9");
}

TEST(UrlTest, SettersLeaveTheUrlAsItWasOnNonsense) {
  Url url;
  ASSERT_TRUE(url.Parse("https://a.example/p?q#f"));
  EXPECT_FALSE(url.set_href("nonsense"));
  EXPECT_FALSE(url.set_protocol("mailto"));
  EXPECT_FALSE(url.set_host(""));
  EXPECT_FALSE(url.set_hostname("a b"));
  EXPECT_FALSE(url.set_port("x"));
  EXPECT_EQ(url.href(), "https://a.example/p?q#f");
  EXPECT_TRUE(url.set_protocol("http"));
  EXPECT_TRUE(url.set_port("8080"));
  EXPECT_TRUE(url.set_username("me"));
  EXPECT_TRUE(url.set_pathname("/x y/../z"));
  EXPECT_TRUE(url.set_search(""));
  EXPECT_TRUE(url.set_hash("#new"));
  EXPECT_EQ(url.href(), "http://me@a.example:8080/z#new");
}

TEST(UrlTest, BecomesAFileThatIsReadBack) {
  Url url, again;
  ASSERT_TRUE(url.Parse("https://localhost/c|/x"));
  ASSERT_TRUE(url.set_protocol("file"));
  EXPECT_EQ(url.href(), "file:///c:/x");
  ASSERT_TRUE(again.Parse(url.href()));
  EXPECT_EQ(again.href(), url.href());
}

TEST(UrlTest, TheErrorTellsTheInput) {
  const auto url = ParseUrl("http://a b/");
  ASSERT_FALSE(url.ok());
  EXPECT_EQ(url.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(url.status().message().find("http://a b/"), std::string::npos);
}

TEST(PercentTest, NormalizesOnceAndForAll) {
  const auto normalized = [](std::string_view text) {
    std::string out;
    AppendPercentNormalized(text, &out);
    return out;
  };
  EXPECT_EQ(normalized("/%7euser/%66oo%2fbar%c3%a9"), "/~user/foo%2Fbar%C3%A9");
  EXPECT_EQ(normalized("%"), "%");
  EXPECT_EQ(normalized("50%&x=%4"), "50%&x=%4");
  // Any text over an alphabet that covers all the awkward cases.
  const std::string alphabet = "%24aE";
  for (size_t n = 0; n < 5 * 5 * 5 * 5 * 5 * 5 * 5; n++) {
    std::string text;
    for (size_t rest = n; rest > 0; rest /= 5) text.push_back(alphabet[rest % 5]);
    const std::string once = normalized(text);
    ASSERT_EQ(normalized(once), once) << text;
    std::string decoded, decoded_once;
    AppendPercentDecoded(text, &decoded);
    AppendPercentDecoded(once, &decoded_once);
    ASSERT_EQ(decoded_once, decoded) << text;
  }
}

}  // namespace
}  // namespace crivello::web
