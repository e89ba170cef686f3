// SPDX-License-Identifier: Apache-2.0
#include "crawl/cookie_keeper.h"

#include <gtest/gtest.h>

#include "web/url/canonical.h"

namespace crivello::crawl {
namespace {

constexpr int64_t kCookieTime = 1'700'000'000;

web::Url At(const std::string& url) { return web::CanonicalUrl(url).value(); }
void Set(CookieKeeper* keeper, const std::string& url, const std::string& lines) {
  const std::string head = lines + "\r\n";
  keeper->Store(At(url), web::ParseHttpFields(head).fields, kCookieTime);
}

TEST(CookieKeeperTest, GivesAHostWhatItSetAndNoOther) {
  CookieKeeper keeper;
  Set(&keeper, "https://a.example/", "Set-Cookie: id=1\r\nset-cookie: b=2; Path=/deep\r\n");
  EXPECT_EQ(keeper.Header(At("https://a.example/x"), kCookieTime), "id=1");
  EXPECT_EQ(keeper.Header(At("https://a.example/deep/x"), kCookieTime), "b=2; id=1");
  EXPECT_EQ(keeper.Header(At("https://b.example/"), kCookieTime), "");
  EXPECT_EQ(keeper.Header(At("https://sub.a.example/"), kCookieTime), "");
}

TEST(CookieKeeperTest, TakesNoRoomForHostsWithoutCookies) {
  CookieKeeper keeper;
  Set(&keeper, "https://a.example/", "Content-Type: text/html\r\n");
  Set(&keeper, "https://b.example/", "Set-Cookie: gone=1; Max-Age=0\r\n");
  EXPECT_EQ(keeper.hosts(), 0u);
}

TEST(CookieKeeperTest, ForgetsTheHostThatWasAskedLongestAgo) {
  CookieKeeper keeper(2 * CookieKeeper::kHostBytes);
  Set(&keeper, "https://a.example/", "Set-Cookie: a=1\r\n");
  Set(&keeper, "https://b.example/", "Set-Cookie: b=1\r\n");
  EXPECT_EQ(keeper.Header(At("https://a.example/"), kCookieTime), "a=1");
  Set(&keeper, "https://c.example/", "Set-Cookie: c=1\r\n");
  EXPECT_EQ(keeper.hosts(), 2u);
  EXPECT_EQ(keeper.Header(At("https://a.example/"), kCookieTime), "a=1");
  EXPECT_EQ(keeper.Header(At("https://b.example/"), kCookieTime), "");
}

}  // namespace
}  // namespace crivello::crawl
