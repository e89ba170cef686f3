// SPDX-License-Identifier: Apache-2.0
#include "serve/web_service.h"

#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/file_system.h"
#include "base/test_support.h"
#include "serve/service_test_support.h"

namespace crivello::serve {
namespace {

using ::testing::HasSubstr;

class WebServiceTest : public ServiceTest {
 protected:
  static TestClient ConnectTo(const WebService& web) {
    const std::string url = web.url();
    return TestClient(static_cast<uint16_t>(std::stoul(url.substr(url.rfind(':') + 1))));
  }
  static TestClient::Answer AskWeb(const WebService& web, const std::string& target) {
    return ConnectTo(web).Ask("GET", target);
  }
  TemporaryFolder folder_;
};

TEST_F(WebServiceTest, JoinsPagesApiAndDashboardAndLogsRequests) {
  WebServiceOptions options;
  options.listen = "127.0.0.1:0";
  options.access_log = folder_ / "access";
  options.version = "1.2.3";
  {
    const auto web = WebService::Start(options, parts_);
    ASSERT_TRUE(web.ok()) << web.status().ToString();
    EXPECT_EQ(AskWeb(**web, "/").status, 200);
    EXPECT_THAT(AskWeb(**web, "/api/v1/openapi.json").body, HasSubstr("1.2.3"));
    EXPECT_THAT(AskWeb(**web, "/dashboard").body, HasSubstr("<dd data-live=\"pages\">42</dd>"));
    EXPECT_EQ(AskWeb(**web, "/hosts").status, 200);
  }
  const std::string lines = ReadFile(folder_ / "access").value();
  EXPECT_THAT(lines, HasSubstr("/dashboard"));
}

TEST_F(WebServiceTest, RefusesOptionsThatAreWrong) {
  for (const char* listen : {"", "8765", ":8765", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:99999"}) {
    WebServiceOptions options;
    options.listen = listen;
    EXPECT_EQ(WebService::Start(options, parts_).status().code(), StatusCode::kInvalidArgument) << listen;
  }
  ASSERT_TRUE(WriteFileAtomically(folder_ / "keys", AsBytes("nonsense\n")).ok());
  WebServiceOptions options;
  options.listen = "127.0.0.1:0";
  options.keys_file = folder_ / "keys";
  const Status status = WebService::Start(options, parts_).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("keys: "));
  ASSERT_TRUE(WriteFileAtomically(folder_ / "keys", AsBytes("# none yet\n")).ok());
  EXPECT_THAT(WebService::Start(options, parts_).status().message(), HasSubstr("the file has no key"));
}

TEST_F(WebServiceTest, KnowsWhetherItAnswersAnyName) {
  WebServiceOptions options;
  const auto answers_any = [&](const std::string& listen) {
    options.listen = listen;
    const auto web = WebService::Start(options, parts_);
    return web.ok() && (*web)->answers_any_name();
  };
  EXPECT_FALSE(answers_any("127.0.0.1:0"));
  EXPECT_TRUE(answers_any("0.0.0.0:0"));
  options.names = {"search.example"};
  EXPECT_FALSE(answers_any("0.0.0.0:0"));
}

TEST_F(WebServiceTest, IsKnownByTheHostOfItsPublicUrl) {
  WebServiceOptions options;
  options.listen = "127.0.0.1:0";
  options.public_url = "https://search.example/web";
  const auto web = WebService::Start(options, parts_);
  ASSERT_TRUE(web.ok()) << web.status().ToString();
  EXPECT_EQ(ConnectTo(**web).Get("/", {{"Host", "search.example"}}).status, 200);
  EXPECT_EQ(ConnectTo(**web).Get("/", {{"Host", "other.example"}}).status, 421);
}

}  // namespace
}  // namespace crivello::serve
