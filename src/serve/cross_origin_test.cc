// SPDX-License-Identifier: Apache-2.0
// Searches by pages of other sites, and deleting documents over HTTP.
#include "serve/http/cross_origin.h"

#include <gmock/gmock.h>

#include "serve/service_test_support.h"

namespace crivello::serve {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string FieldOf(const HttpResponse& answer, std::string_view name) {
  for (const auto& [key, value] : answer.headers) {
    if (key == name) return value;
  }
  return "";
}

class CrossOriginTest : public testing::Test {
 protected:
  CrossOriginTest() : searcher_(search::IndexSearcher::Create(TestSnapshot(TestPages(), 7)).value()) {}

  HttpResponse Ask(const std::vector<std::string>& allowed, const std::string& method,
                   const std::string& path, HttpFields headers) {
    ServiceParts parts;
    parts.searcher = searcher_.get();
    parts.pages = &pages_;
    parts.sink = &sink_;
    parts.index = [] { return IndexStats{.ready = true}; };
    parts.keys = keys_;
    parts.cross_origin = CrossOrigin::Of(allowed).value();
    Service service(std::move(parts));
    HttpRequest request;
    request.method = method;
    request.path = path;
    request.parameters = parameters_;
    request.headers = std::move(headers);
    request.from_loopback = true;
    return service.Handle(request);
  }

  std::unique_ptr<search::IndexSearcher> searcher_;
  TestPageSource pages_;
  TestSink sink_;
  ApiKeys keys_;
  decltype(HttpRequest::parameters) parameters_ = {{"q", "prime"}};
};

TEST_F(CrossOriginTest, APageThatIsAllowedMayReadSearchesAndNothingElse) {
  const std::vector<std::string> allowed = {"https://www.example.org"};
  const HttpFields from = {{"origin", "https://www.example.org"}};
  HttpResponse answer = Ask(allowed, "GET", "/api/v1/search", from);
  EXPECT_EQ(answer.status, 200u);
  EXPECT_EQ(FieldOf(answer, "Access-Control-Allow-Origin"), "https://www.example.org");
  EXPECT_EQ(FieldOf(answer, "Cross-Origin-Resource-Policy"), "cross-origin");
  EXPECT_EQ(FieldOf(answer, "Vary"), "Origin");
  EXPECT_THAT(FieldOf(answer, "Access-Control-Allow-Credentials"), IsEmpty());

  for (const char* other :
       {"https://example.org", "http://www.example.org", "https://www.example.org.evil.test", "null"}) {
    answer = Ask(allowed, "GET", "/api/v1/search", {{"origin", other}});
    EXPECT_THAT(FieldOf(answer, "Access-Control-Allow-Origin"), IsEmpty()) << other;
  }
  for (const char* path : {"/metrics", "/api/v1/forgotten", "/api/v1/documents", "/"}) {
    EXPECT_THAT(FieldOf(Ask(allowed, "GET", path, from), "Access-Control-Allow-Origin"), IsEmpty()) << path;
  }
  EXPECT_THAT(FieldOf(Ask({}, "GET", "/api/v1/search", from), "Access-Control-Allow-Origin"), IsEmpty());
  EXPECT_EQ(FieldOf(Ask({"*"}, "GET", "/api/v1/search", {{"origin", "https://a.test"}}),
                    "Access-Control-Allow-Origin"),
            "*");
}

TEST_F(CrossOriginTest, APreflightIsAnsweredForSearchesOnly) {
  const std::vector<std::string> allowed = {"https://www.example.org"};
  const HttpFields from = {{"origin", "https://www.example.org"}, {"access-control-request-method", "GET"}};
  const HttpResponse answer = Ask(allowed, "OPTIONS", "/api/v1/search", from);
  EXPECT_EQ(answer.status, 204u);
  EXPECT_EQ(FieldOf(answer, "Access-Control-Allow-Methods"), "GET, HEAD");
  EXPECT_THAT(FieldOf(answer, "Access-Control-Allow-Headers"), HasSubstr("Authorization"));
  EXPECT_EQ(FieldOf(answer, "Access-Control-Allow-Origin"), "https://www.example.org");
  EXPECT_EQ(Ask(allowed, "OPTIONS", "/api/v1/documents", from).status, 405u);
  EXPECT_EQ(Ask({}, "OPTIONS", "/api/v1/search", from).status, 405u);
}

TEST_F(CrossOriginTest, ErrorsCanBeReadTooAndKeysStillCount) {
  ASSERT_TRUE(keys_.Add(Role::kSearch, "0123456789abcdef").ok());
  const std::vector<std::string> allowed = {"https://www.example.org"};
  HttpResponse answer = Ask(allowed, "GET", "/api/v1/search", {{"origin", "https://www.example.org"}});
  EXPECT_EQ(answer.status, 401u);
  EXPECT_EQ(FieldOf(answer, "Access-Control-Allow-Origin"), "https://www.example.org");
  answer = Ask(allowed, "GET", "/api/v1/search",
               {{"origin", "https://www.example.org"}, {"authorization", "Bearer 0123456789abcdef"}});
  EXPECT_EQ(answer.status, 200u);
  parameters_.clear();
  answer = Ask(allowed, "GET", "/embed.js", {});
  EXPECT_EQ(answer.status, 200u) << "a page loads the script without a key";
  EXPECT_EQ(FieldOf(answer, "Cross-Origin-Resource-Policy"), "cross-origin");
  EXPECT_THAT(answer.body, HasSubstr("api/v1/search"));
}

TEST_F(CrossOriginTest, TakesOriginsOnly) {
  for (const char* wrong : {"www.example.org", "https://www.example.org/", "https://www.example.org/search",
                            "ftp://a.test", "https://user@a.test", ""}) {
    EXPECT_FALSE(CrossOrigin::Of({wrong}).ok()) << wrong;
  }
  EXPECT_TRUE(CrossOrigin::Of({"http://localhost:3000", "*"}).ok());
}

TEST_F(CrossOriginTest, DocumentsAreDeletedByUrlOrById) {
  parameters_ = {{"url", "https://a.test/1"}};
  EXPECT_EQ(Json::parse(Ask({}, "DELETE", "/api/v1/documents", {}).body), (Json{{"deleted", 1}}));
  parameters_ = {{"id", "doc-17"}};
  EXPECT_EQ(Json::parse(Ask({}, "DELETE", "/api/v1/documents", {}).body)["deleted"], 1);
  parameters_ = {{"url", "https://nowhere.test/"}};
  EXPECT_EQ(Json::parse(Ask({}, "DELETE", "/api/v1/documents", {}).body)["deleted"], 0);
  ASSERT_EQ(sink_.removed.size(), 3u);
  EXPECT_EQ(sink_.removed[1].id, "doc-17");
  parameters_ = {};
  EXPECT_EQ(Ask({}, "DELETE", "/api/v1/documents", {}).status, 400u);
  parameters_ = {{"url", "https://a.test/1"}, {"id", "doc-17"}};
  EXPECT_EQ(Json::parse(Ask({}, "DELETE", "/api/v1/documents", {}).body)["deleted"], 2);
  parameters_ = {{"id", "doc-17"}};
  EXPECT_EQ(
      Ask({}, "DELETE", "/api/v1/documents", {{"origin", "https://evil.test"}, {"host", "a.test"}}).status,
      403u);
  ASSERT_TRUE(keys_.Add(Role::kAdmin, "0123456789abcdef").ok());
  EXPECT_EQ(Ask({}, "DELETE", "/api/v1/documents", {}).status, 401u);
  EXPECT_EQ(sink_.removed.size(), 5u);
}

}  // namespace
}  // namespace crivello::serve
