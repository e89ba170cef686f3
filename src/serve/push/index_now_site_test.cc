// SPDX-License-Identifier: Apache-2.0
#include "serve/push/index_now_site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::serve {
namespace {

// A crawl that accepts everything of a.example, where the key file is.
class OneSite final : public feeds::IndexNowCrawl {
 public:
  bool Wants(const std::string& url) override { return url.starts_with("https://a.example/"); }
  Status Fetch(const std::string&) override { return Status::Ok(); }
  Result<std::optional<std::string>> Fetched(const std::string&, WallTime) override {
    return std::optional<std::string>("0123456789");
  }
  Status Hint(const std::vector<std::string>& urls) override {
    hinted += urls.size();
    return Status::Ok();
  }
  size_t hinted = 0;
};

class IndexNowSiteTest : public testing::Test {
 protected:
  unsigned Post(const std::string& path, const std::string& body) {
    return site_.Handle({.method = "POST", .path = path, .body = body}).status;
  }
  OneSite crawl_;
  ManualClock clock_;
  feeds::IndexNowDesk desk_{crawl_, clock_};
  IndexNowSite site_{desk_};
};

TEST_F(IndexNowSiteTest, TakesBothForms) {
  EXPECT_EQ(site_
                .Handle({.path = "/indexnow",
                         .parameters = {{"url", "https://a.example/1"}, {"key", "0123456789"}}})
                .status,
            202u);
  EXPECT_EQ(Post("/indexnow",
                 R"({"host":"a.example","key":"0123456789","keyLocation":"https://a.example/0123456789.txt",
                     "urlList":["https://a.example/2","https://a.example/3"]})"),
            202u);
  ASSERT_TRUE(desk_.Look().ok());
  EXPECT_EQ(crawl_.hinted, 3u);
}

TEST_F(IndexNowSiteTest, HasNoOtherRoute) {
  for (const char* path : {"/", "/indexnow/", "/dashboard", "/api/v1/search", "/metrics", "/websub/1"}) {
    EXPECT_EQ(site_.Handle({.path = path}).status, 404u) << path;
    EXPECT_EQ(Post(path, "{}"), 404u) << path;
  }
  EXPECT_EQ(site_.Handle({.method = "DELETE", .path = "/indexnow"}).status, 405u);
}

TEST_F(IndexNowSiteTest, AnswersWhatIsWrong) {
  for (const char* body :
       {"", "[]", "{", "{\"urlList\":5}", "{\"urlList\":[5]}", "{\"key\":1,\"urlList\":[]}"}) {
    EXPECT_EQ(Post("/indexnow", body), 400u) << body;
  }
  EXPECT_EQ(Post("/indexnow", R"({"key":"0123456789","urlList":["https://b.example/"]})"), 422u);
  EXPECT_EQ(Post("/indexnow", R"({"key":"0123456789","urlList":[]})"), 422u);
  EXPECT_EQ(Post("/indexnow", R"({"key":"wrong-key-0","urlList":["https://a.example/"]})"), 202u);
  ASSERT_TRUE(desk_.Look().ok());
  EXPECT_EQ(Post("/indexnow", R"({"key":"wrong-key-0","keyLocation":"https://a.example/wrong-key-0.txt",
                                  "urlList":["https://a.example/"]})"),
            403u);
}

TEST_F(IndexNowSiteTest, RefusesTooManyUrls) {
  std::string body = R"({"key":"0123456789","urlList":["https://a.example/")";
  for (int i = 0; i < 10'000; ++i) body += R"(,"https://a.example/")";
  EXPECT_EQ(Post("/indexnow", body + "]}"), 400u);
}

}  // namespace
}  // namespace crivello::serve
