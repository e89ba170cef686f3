// SPDX-License-Identifier: Apache-2.0
#include "fetch/cookie_jar.h"

#include <gtest/gtest.h>

namespace crivello::fetch {
namespace {

constexpr int64_t kNow = 1'700'000'000;

web::Url U(const std::string& text) { return web::ParseUrl(text).value(); }

// The Cookie header that a jar sends to `to` after one Set-Cookie from `from`.
std::string Sent(const std::string& from, std::string_view set_cookie, const std::string& to,
                 int64_t later = 0) {
  CookieJar jar;
  jar.Store(U(from), set_cookie, kNow);
  return jar.Header(U(to), kNow + later);
}

TEST(CookieJarTest, ReadsNamesAndValuesAsBrowsersDo) {
  const std::string at = "http://a.test/";
  EXPECT_EQ(Sent(at, "a=b", at), "a=b");
  EXPECT_EQ(Sent(at, "  a \t=  b c ; HttpOnly; SameSite=Lax", at), "a=b c");
  EXPECT_EQ(Sent(at, "a=\"b=c\"", at), "a=\"b=c\"");
  EXPECT_EQ(Sent(at, "a=", at), "a=");
  EXPECT_EQ(Sent(at, "justvalue", at), "justvalue");
  EXPECT_EQ(Sent(at, "=value", at), "value");
  EXPECT_EQ(Sent(at, "", at), "");
  EXPECT_EQ(Sent(at, "=", at), "");
  EXPECT_EQ(Sent(at, ";a=b", at), "");
  EXPECT_EQ(Sent(at, "a=b\r\nInjected: yes", at), "");
  EXPECT_EQ(Sent(at, std::string_view("a=b\0c", 5), at), "");
  EXPECT_EQ(Sent(at, "a=" + std::string(4096, 'x'), at), "");
}

TEST(CookieJarTest, KeepsToPaths) {
  const std::string from = "http://a.test/shop/cart";
  EXPECT_EQ(Sent(from, "a=b", "http://a.test/shop/other"), "a=b");
  EXPECT_EQ(Sent(from, "a=b", "http://a.test/shop"), "a=b");
  EXPECT_EQ(Sent(from, "a=b", "http://a.test/shopping"), "");
  EXPECT_EQ(Sent(from, "a=b", "http://a.test/"), "");
  EXPECT_EQ(Sent(from, "a=b; path=/", "http://a.test/"), "a=b");
  EXPECT_EQ(Sent(from, "a=b; Path=/x/", "http://a.test/x/y"), "a=b");
  EXPECT_EQ(Sent(from, "a=b; Path=/x/", "http://a.test/x"), "");
  EXPECT_EQ(Sent(from, "a=b; Path=relative", "http://a.test/shop/x"), "a=b");
  EXPECT_EQ(Sent(from, "a=b; path=/x; path=/y", "http://a.test/y"), "a=b");
}

TEST(CookieJarTest, ExpiresByAgeThenByDate) {
  const std::string at = "http://a.test/";
  EXPECT_EQ(Sent(at, "a=b; Max-Age=10", at, 9), "a=b");
  EXPECT_EQ(Sent(at, "a=b; Max-Age=10", at, 10), "");
  EXPECT_EQ(Sent(at, "a=b; max-age=10; Expires=Fri, 01 Jan 2100 00:00:00 GMT", at, 11), "");
  EXPECT_EQ(Sent(at, "a=b; Expires=Fri, 01 Jan 2100 00:00:00 GMT; max-age=10", at, 11), "");
  EXPECT_EQ(Sent(at, "a=b; Expires=Wed, 15-Nov-2023 00:00:00 GMT", at, 3600), "a=b");
  EXPECT_EQ(Sent(at, "a=b; Expires=Wed, 15-Nov-2023 00:00:00 GMT", at, 86400), "");
  EXPECT_EQ(Sent(at, "a=b; Expires=nonsense; Max-Age=nonsense", at, 1 << 30), "a=b");
  EXPECT_EQ(Sent(at, "a=b; Max-Age=99999999999999999999", at, int64_t{399} * 86400), "a=b");
  EXPECT_EQ(Sent(at, "a=b; Max-Age=99999999999999999999", at, int64_t{401} * 86400), "");
  EXPECT_EQ(Sent(at, "a=b; Max-Age=-99999999999999999999", at), "");
}

TEST(CookieJarTest, ReplacesAndRemoves) {
  CookieJar jar;
  const web::Url url = U("http://a.test/");
  EXPECT_TRUE(jar.Store(url, "a=1", kNow));
  EXPECT_TRUE(jar.Store(url, "b=1", kNow));
  EXPECT_TRUE(jar.Store(url, "a=2", kNow));
  EXPECT_EQ(jar.Header(url, kNow), "a=2; b=1");
  EXPECT_TRUE(jar.Store(url, "a=gone; Max-Age=0", kNow));
  EXPECT_FALSE(jar.Store(url, "a=gone; Max-Age=0", kNow));
  EXPECT_EQ(jar.Header(url, kNow), "b=1");
  EXPECT_TRUE(jar.Store(url, "long=1; path=/deep/er", kNow));
  EXPECT_EQ(jar.Header(U("http://a.test/deep/er"), kNow), "long=1; b=1");
}

TEST(CookieJarTest, ChecksDomains) {
  const std::string from = "http://www.shop.co.uk/";
  EXPECT_EQ(Sent(from, "a=b; Domain=www.shop.co.uk", from), "a=b");
  EXPECT_EQ(Sent(from, "a=b; Domain=.Shop.CO.uk", from), "a=b");
  EXPECT_EQ(Sent(from, "a=b; Domain=", from), "a=b");
  EXPECT_EQ(Sent(from, "a=b; Domain=co.uk", from), "");
  EXPECT_EQ(Sent(from, "a=b; Domain=uk", from), "");
  EXPECT_EQ(Sent(from, "a=b; Domain=other.co.uk", from), "");
  EXPECT_EQ(Sent(from, "a=b; Domain=hop.co.uk", from), "");
  EXPECT_EQ(Sent(from, "a=b; Domain=x.www.shop.co.uk", from), "");
  EXPECT_EQ(Sent("http://127.0.0.1/", "a=b; Domain=0.0.1", "http://127.0.0.1/"), "");
  EXPECT_EQ(Sent("http://127.0.0.1/", "a=b; Domain=127.0.0.1", "http://127.0.0.1/"), "a=b");
}

TEST(CookieJarTest, KeepsSecureOnesToTls) {
  EXPECT_EQ(Sent("https://a.test/", "a=b; Secure", "https://a.test/"), "a=b");
  EXPECT_EQ(Sent("https://a.test/", "a=b; Secure", "http://a.test/"), "");
  EXPECT_EQ(Sent("http://a.test/", "a=b; Secure", "https://a.test/"), "");
  EXPECT_EQ(Sent("https://a.test/", "__Secure-a=b", "https://a.test/"), "");
  EXPECT_EQ(Sent("https://a.test/", "__Secure-a=b; Secure", "https://a.test/"), "__Secure-a=b");
  EXPECT_EQ(Sent("https://a.test/", "__HOST-a=b; Secure; Path=/", "https://a.test/"), "__HOST-a=b");
  EXPECT_EQ(Sent("https://a.test/", "__Host-a=b; Secure", "https://a.test/"), "");
  EXPECT_EQ(Sent("https://a.test/", "__Host-a=b; Secure; Path=/; Domain=a.test", "https://a.test/"), "");
  EXPECT_EQ(Sent("https://a.test/", "=__Host-a=b", "https://a.test/"), "");
  CookieJar jar;
  jar.Store(U("https://a.test/"), "a=secret; Secure", kNow);
  EXPECT_FALSE(jar.Store(U("http://a.test/"), "a=forged", kNow));
  EXPECT_EQ(jar.Header(U("https://a.test/"), kNow), "a=secret");
}

TEST(CookieJarTest, KeepsToItsLimit) {
  CookieJar jar(200);
  const web::Url url = U("http://a.test/");
  jar.Store(url, "old=" + std::string(50, 'x') + "; Max-Age=5", kNow);
  jar.Store(url, "first=" + std::string(50, 'y'), kNow);
  jar.Store(url, "second=" + std::string(50, 'z'), kNow + 10);  // drops expired ones
  EXPECT_EQ(jar.size(), 2u);
  jar.Store(url, "third=" + std::string(50, 'w'), kNow + 10);  // drops the oldest
  EXPECT_EQ(jar.Header(url, kNow + 10), "second=" + std::string(50, 'z') + "; third=" + std::string(50, 'w'));
  EXPECT_FALSE(jar.Store(url, "huge=" + std::string(300, 'h'), kNow + 10));
  EXPECT_EQ(jar.size(), 2u);
}

TEST(CookieJarTest, ComesBackFromItsBytes) {
  CookieJar jar;
  const web::Url url = U("https://a.test/x/y");
  jar.Store(url, "a=1; Secure; Path=/", kNow);
  jar.Store(url, "nameless", kNow);
  jar.Store(url, "b=2; Max-Age=100", kNow);
  jar.Store(url, "c=3; Max-Age=5", kNow);
  const std::string bytes = jar.Serialize(kNow + 10);
  const auto again = CookieJar::Parse(bytes);
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ(again->size(), 3u);
  EXPECT_EQ(again->Header(url, kNow + 10), jar.Header(url, kNow + 10));
  EXPECT_EQ(again->Header(U("http://a.test/x/y"), kNow + 10), "nameless; b=2");
  EXPECT_EQ(again->Serialize(kNow + 10), bytes);
  EXPECT_EQ(CookieJar::Parse(bytes, 40)->size(), 1u);
  EXPECT_TRUE(CookieJar::Parse(CookieJar().Serialize(kNow))->empty());
}

TEST(CookieJarTest, RefusesDamagedBytes) {
  CookieJar jar;
  jar.Store(U("https://a.test/"), "a=1; Secure", kNow);
  jar.Store(U("https://a.test/"), "b=2", kNow);
  const std::string bytes = jar.Serialize(kNow);
  for (size_t cut = 0; cut < bytes.size(); cut++) {
    const auto parsed = CookieJar::Parse(bytes.substr(0, cut));
    // A cut between two cookies leaves a smaller jar: detecting it needs the checksum of the containing file.
    if (parsed.ok()) {
      EXPECT_LT(parsed->size(), 2u) << cut;
    }
  }
  for (size_t at = 0; at < bytes.size(); at++) {
    for (int bit = 0; bit < 8; bit++) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      const auto parsed = CookieJar::Parse(damaged);
      if (parsed.ok()) parsed->Header(U("https://a.test/"), kNow);
    }
  }
  EXPECT_EQ(CookieJar::Parse("").status().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace crivello::fetch
