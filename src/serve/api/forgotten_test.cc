// SPDX-License-Identifier: Apache-2.0
// Forgetting through the API and the dashboard, with a ForgetControl that the test controls.
#include <gmock/gmock.h>

#include "serve/service_test_support.h"

namespace crivello::serve {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPath = "/api/v1/forgotten";
const std::string kBody = R"({"target": "https://a.it/people/*", "reason": " letter of 3 May "})";

class ForgottenTest : public ServiceTest {};

TEST_F(ForgottenTest, IsPreviewedBegunAndListed) {
  Start();
  EXPECT_EQ(GetJson(kPath), (Json{{"running", false}, {"forgotten", Json::array()}}));
  const Json preview = GetJson("/api/v1/forgotten/preview?target=HTTPS://A.it/people/*");
  EXPECT_EQ(preview["target"], "https://a.it/people/*");
  EXPECT_EQ(preview["pages"], 2);
  EXPECT_EQ(preview["versions"], 3);
  EXPECT_EQ(preview["bytes"], 4000);
  EXPECT_EQ(preview["examples"].size(), 1u);
  GetJson("/api/v1/forgotten/preview?target=two%20words", 400);

  const Json begun = PostJson(kPath, kBody, 202);
  EXPECT_EQ(GetJson(kPath), begun);
  const Json entry = begun["forgotten"][0];
  EXPECT_EQ(entry["target"], "https://a.it/people/*");
  EXPECT_EQ(entry["reason"], "letter of 3 May");
  EXPECT_EQ(entry["begun"], "2020-09-13T12:26:40Z");
  EXPECT_EQ(entry["done"], "2020-09-13T12:27:40Z");
  EXPECT_EQ(entry["pages"], 2);
}

TEST_F(ForgottenTest, TellsWhatIsUnderWayAndTakesNoOtherMeanwhile) {
  forget_.slow = true;
  Start();
  EXPECT_EQ(PostJson(kPath, kBody, 202)["running"], true);
  EXPECT_FALSE(GetJson(kPath)["forgotten"][0].contains("done"));
  EXPECT_EQ(PostJson(kPath, kBody, 409)["error"]["code"], "busy");
  EXPECT_EQ(GetJson(kPath)["forgotten"].size(), 1u);
  EXPECT_THAT(Get("/dashboard").body, HasSubstr("(in progress)"));
}

TEST_F(ForgottenTest, RefusesWhatIsNotWhole) {
  Start();
  for (const std::string wrong :
       {"", "[]", "{}", R"({"target": "a.it"})", R"({"reason": "x"})",
        R"({"target": "a.it", "reason": "  "})", R"({"target": "a.it", "reason": 7})",
        R"({"target": ["a.it"], "reason": "x"})", R"({"target": "two words", "reason": "x"})"}) {
    EXPECT_EQ(PostJson(kPath, wrong, 400)["error"]["code"], "invalid_parameter") << wrong;
  }
  PostJson(kPath, R"({"target": "a.it", "reason": ")" + std::string(1001, 'x') + "\"}", 400);
  EXPECT_TRUE(GetJson(kPath)["forgotten"].empty());
}

TEST_F(ForgottenTest, IsForAdministratorsAndNotForFormsOfOtherSites) {
  Start();
  EXPECT_EQ(Ask("POST", kPath, {{"Content-Type", "text/plain"}}, kBody).status, 403);
  EXPECT_EQ(
      Ask("POST", kPath, {{"Content-Type", "application/json"}, {"X-Forwarded-For", "192.0.2.1"}}, kBody)
          .status,
      403)
      << "without keys, who is elsewhere administers nothing";
  EXPECT_TRUE(GetJson(kPath)["forgotten"].empty());
}

TEST_F(ForgottenTest, NeedsTheKeyOfAnAdministratorWhereThereAreKeys) {
  ASSERT_TRUE(parts_.keys.Add(Role::kSearch, "search-key-of-16b").ok());
  ASSERT_TRUE(parts_.keys.Add(Role::kAdmin, "admin-key-of-16-b").ok());
  Start();
  for (const char* path : {kPath, "/api/v1/forgotten/preview?target=a.it"}) {
    EXPECT_EQ(Get(path).status, 401) << path;
    EXPECT_EQ(Get(path, {{"X-API-Key", "search-key-of-16b"}}).status, 403) << path;
    EXPECT_EQ(Get(path, {{"X-API-Key", "admin-key-of-16-b"}}).status, 200) << path;
  }
  const auto post = [this](const HttpFields& key) {
    HttpFields headers = {{"Content-Type", "application/json"}};
    headers.insert(headers.end(), key.begin(), key.end());
    return Ask("POST", kPath, headers, kBody).status;
  };
  EXPECT_EQ(post({}), 401);
  EXPECT_EQ(post({{"X-API-Key", "search-key-of-16b"}}), 403);
  EXPECT_TRUE(forget_.state().entries.empty());
  EXPECT_EQ(post({{"X-API-Key", "admin-key-of-16-b"}}), 202);
}

TEST_F(ForgottenTest, IsASectionOfTheDashboard) {
  Start();
  PostJson(kPath, R"({"target": "https://a.it/<b>", "reason": "<script>alert(1)</script>"})", 202);
  const std::string page = Get("/dashboard").body;
  EXPECT_GT(page.find("<h2>Forgotten</h2>"), page.find("<h2>Exclusions</h2>"));
  EXPECT_THAT(page, HasSubstr("(2 pages, 13 September 2020, 12:27 UTC)"));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert(1)")));
  EXPECT_THAT(page, HasSubstr("id=\"forget-now\" hidden"));
}

TEST_F(ForgottenTest, IsLeftToTheCommandWhereTheCollectionIsNotOpen) {
  DashboardSite without({.index = parts_.index, .pages = &pages_});
  parts_.dashboard = &without;
  parts_.crawl = nullptr;
  parts_.monitor = nullptr;
  parts_.forget = nullptr;
  Start();
  const std::string page = Get("/dashboard").body;
  EXPECT_THAT(page, HasSubstr("crivello forget"));
  EXPECT_THAT(page, Not(HasSubstr("forget-now")));
  EXPECT_EQ(GetJson(kPath, 409)["error"]["code"], "no_crawl");
}

}  // namespace
}  // namespace crivello::serve
