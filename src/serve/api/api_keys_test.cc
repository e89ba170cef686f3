// SPDX-License-Identifier: Apache-2.0
#include "serve/api/api_keys.h"

#include <gmock/gmock.h>

#include "base/digest.h"
#include "serve/service_test_support.h"

namespace crivello::serve {
namespace {

constexpr char kSearchKey[] = "search-key-0123456789";
constexpr char kAdminKey[] = "admin-key-0123456789";

TEST(ApiKeysTest, AreReadFromLines) {
  const auto keys = ApiKeys::FromText("# who may what\n\nsearch " + Sha256Digest(kSearchKey) +
                                      "  # phone\nadmin\t" + Sha256Digest(kAdminKey));
  ASSERT_TRUE(keys.ok()) << keys.status().ToString();
  EXPECT_EQ(keys->RoleOf(kSearchKey), Role::kSearch);
  EXPECT_EQ(keys->RoleOf(kAdminKey), Role::kAdmin);
  EXPECT_EQ(keys->RoleOf(""), Role::kAnyone);
  EXPECT_EQ(keys->RoleOf(Sha256Digest(kAdminKey)), Role::kAnyone);
  for (const char* wrong : {"search", "admin plain-text-key-012345", "root sha256:00", "search sha256:zz"}) {
    EXPECT_EQ(ApiKeys::FromText(wrong).status().code(), StatusCode::kInvalidArgument) << wrong;
  }
  ApiKeys added;
  EXPECT_EQ(added.Add(Role::kSearch, "short").code(), StatusCode::kInvalidArgument);
  EXPECT_FALSE(added.HasSearchKey());
}

TEST(ApiKeysTest, AreFoundInRequests) {
  const auto key_of = [](const std::string& name, const std::string& value) {
    const auto found = FindKey({.headers = {{name, value}}});
    return found ? found->key + (found->deliberate ? "" : " (by the browser)") : "none";
  };
  EXPECT_EQ(key_of("authorization", "Bearer abc"), "abc");
  EXPECT_EQ(key_of("authorization", "bearer  abc "), "abc");
  EXPECT_EQ(key_of("x-api-key", "abc"), "abc");
  EXPECT_EQ(key_of("authorization", "Basic dXNlcjphOmI="), "a:b (by the browser)");
  EXPECT_EQ(key_of("authorization", "Basic !!!"), " (by the browser)");
  EXPECT_EQ(key_of("authorization", "Digest abc"), "none");
}

// Which requests are allowed, for all settings of keys.
class AuthMatrixTest : public ServiceTest {
 protected:
  struct Expected {
    int search, admin;
  };
  // From this machine, or from elsewhere: a proxy's header makes it so.
  void Check(const std::string& key, bool local, Expected expected) {
    HttpFields headers;
    if (!key.empty()) headers.emplace_back("Authorization", "Bearer " + key);
    if (!local) headers.emplace_back("X-Forwarded-For", "192.0.2.1");
    SCOPED_TRACE((key.empty() ? "no key" : key) + (local ? ", local" : ", remote"));
    EXPECT_EQ(Get("/api/v1/search?q=a", headers).status, expected.search);
    EXPECT_EQ(Get("/metrics", headers).status, expected.admin);
    headers.emplace_back("Content-Type", "application/json");
    EXPECT_EQ(Ask("POST", "/api/v1/crawl/pause", headers, "{}").status, expected.admin);
    EXPECT_EQ(Get("/health/livez", headers).status, 200);
  }
};

TEST_F(AuthMatrixTest, WithoutKeysAllMaySearchAndThisMachineAdministers) {
  Start();
  Check("", true, {200, 200});
  Check("", false, {200, 403});
  Check("some-wrong-key-0123", false, {200, 403});
}

TEST_F(AuthMatrixTest, WithASearchKeySearchingNeedsIt) {
  ASSERT_TRUE(parts_.keys.Add(Role::kSearch, kSearchKey).ok());
  Start();
  Check("", true, {401, 200});
  Check("", false, {401, 403});
  Check(kSearchKey, true, {200, 200});
  Check(kSearchKey, false, {200, 403});
  Check("some-wrong-key-0123", false, {401, 403});
}

TEST_F(AuthMatrixTest, WithAnAdminKeyAdministeringNeedsIt) {
  ASSERT_TRUE(parts_.keys.Add(Role::kAdmin, kAdminKey).ok());
  Start();
  Check("", true, {200, 401});
  Check("", false, {200, 401});
  Check(kAdminKey, false, {200, 200});
  Check("some-wrong-key-0123", true, {200, 401});
}

TEST_F(AuthMatrixTest, WithBothEachIsGoodForItsOwn) {
  ASSERT_TRUE(parts_.keys.Add(Role::kSearch, kSearchKey).ok());
  ASSERT_TRUE(parts_.keys.Add(Role::kAdmin, kAdminKey).ok());
  Start();
  Check("", true, {401, 401});
  Check(kSearchKey, true, {200, 403});
  Check(kSearchKey, false, {200, 403});
  Check(kAdminKey, false, {200, 200});
}

TEST_F(AuthMatrixTest, AsksBrowsersForTheKey) {
  class Site final : public HttpHandler {
   public:
    HttpResponse Handle(const HttpRequest&) override { return {.body = "page"}; }
  } site;
  parts_.site = &site;
  ASSERT_TRUE(parts_.keys.Add(Role::kSearch, "0123456789abcdef").ok());
  Start();
  const auto refused = Get("/");
  EXPECT_EQ(refused.status, 401);
  EXPECT_THAT(refused.Header("WWW-Authenticate"), testing::StartsWith("Basic "));
  EXPECT_EQ(Get("/", {{"Authorization", "Basic OjAxMjM0NTY3ODlhYmNkZWY="}}).body, "page");
  EXPECT_EQ(Get("/api/v1/search?q=a").Header("WWW-Authenticate"), "Bearer");
}

TEST_F(AuthMatrixTest, RefusesWhatAnotherSiteMayHaveSent) {
  Start();
  const auto pause = [&](const HttpFields& headers) {
    return Ask("POST", "/api/v1/crawl/pause", headers, "").status;
  };
  EXPECT_EQ(pause({}), 403);
  EXPECT_EQ(pause({{"Content-Type", "text/plain"}}), 403);
  EXPECT_EQ(pause({{"Content-Type", "TEXT/PLAIN;charset=utf-8"}}), 403);
  EXPECT_EQ(pause({{"Content-Type", "application/x-www-form-urlencoded"}}), 403);
  EXPECT_EQ(pause({{"Content-Type", "multipart/form-data; boundary=x"}}), 403);
  EXPECT_EQ(crawl_.state(), CrawlControl::State::kRunning);
  const std::pair<std::string, std::string> json = {"Content-Type", "application/json"};
  EXPECT_EQ(pause({json, {"Origin", "https://evil.example"}}), 403);
  EXPECT_EQ(pause({json, {"Origin", "null"}}), 403);
  EXPECT_EQ(pause({json, {"Sec-Fetch-Site", "cross-site"}}), 403);
  EXPECT_EQ(pause({json, {"Origin", "http://127.0.0.1:" + std::to_string(server_->port())}}), 200);
  EXPECT_EQ(pause({json, {"Sec-Fetch-Site", "same-origin"}}), 200);
  EXPECT_EQ(pause({json}), 200);
}

TEST_F(AuthMatrixTest, TakesAKeyAsAProofOfIntentButNotAPassword) {
  ASSERT_TRUE(parts_.keys.Add(Role::kAdmin, "0123456789abcdef").ok());
  Start();
  const auto pause = [&](const HttpFields& headers) {
    return Ask("POST", "/api/v1/crawl/pause", headers, "").status;
  };
  EXPECT_EQ(pause({{"X-API-Key", "0123456789abcdef"}}), 200);
  EXPECT_EQ(pause({{"Authorization", "Basic OjAxMjM0NTY3ODlhYmNkZWY="}}), 403);
}

}  // namespace
}  // namespace crivello::serve
