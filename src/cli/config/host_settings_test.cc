// SPDX-License-Identifier: Apache-2.0
#include "cli/config/host_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cli_test_support.h"

namespace crivello::cli {
namespace {

using testing::HasSubstr;

class HostSettingsTest : public testing::Test {
 protected:
  // The options that a crawl gets from the table of one host.
  Status Read(const std::string& host, std::map<std::string, std::vector<std::string>> table) {
    Session session;
    for (auto& [option, values] : table) session.hosts[host][option] = {values, "crivello.toml:3"};
    options_ = {};
    return AddHostSettings(session, &options_);
  }

  TemporaryFolder folder_;
  crawl::CrawlOptions options_;
};

TEST_F(HostSettingsTest, TakesDelayHeadersAndALogin) {
  WriteText(folder_ / "password", "open sesame\n");
  ASSERT_EQ(Read("Example.ORG", {{"delay", {"500ms"}},
                                 {"headers", {"X-Key: a:b", "Accept-Language: it"}},
                                 {"user", {"Aladdin"}},
                                 {"password-file", {folder_ / "password"}}}),
            Status::Ok());
  EXPECT_EQ(options_.politeness.host_delays.at("example.org"), std::chrono::milliseconds(500));
  const auto& fields = options_.host_settings.at("example.org").fields;
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0].name + "=" + fields[0].value, "X-Key=a:b");
  EXPECT_EQ(fields[1].name + "=" + fields[1].value, "Accept-Language=it");
  // The example of RFC 7617.
  EXPECT_EQ(fields[2].name + "=" + fields[2].value, "Authorization=Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  ASSERT_EQ(Read("a.example", {{"delay", {"2s"}}}), Status::Ok());
  EXPECT_TRUE(options_.host_settings.empty());
}

TEST_F(HostSettingsTest, SaysWhereWhatIsWrong) {
  WriteText(folder_ / "password", "x");
  const std::string file = folder_ / "password";
  using Table = std::map<std::string, std::vector<std::string>>;
  for (const auto& [host, table] : std::vector<std::pair<std::string, Table>>{
           {"a b", {{"delay", {"1s"}}}},
           {"a.example:8080", {{"delay", {"1s"}}}},
           {"a.example/x", {{"delay", {"1s"}}}},
           {"a.example", {{"delay", {"soon"}}}},
           {"a.example", {{"delay", {"1s", "2s"}}}},
           {"a.example", {{"headers", {"no colon"}}}},
           {"a.example", {{"headers", {"X: a\nY: b"}}}},
           {"a.example", {{"headers", {"Host: b.example"}}}},
           {"a.example", {{"headers", {"authorization: x"}}}},
           {"a.example", {{"user", {"u"}}}},
           {"a.example", {{"password-file", {file}}}},
           {"a.example", {{"user", {"u:v"}}, {"password-file", {file}}}},
           {"a.example", {{"user", {"u"}}, {"password-file", {file + ".gone"}}}}}) {
    const Status status = Read(host, table);
    EXPECT_FALSE(status.ok()) << host;
    EXPECT_THAT(status.message(), HasSubstr("crivello.toml:3")) << host;
  }
}

}  // namespace
}  // namespace crivello::cli
