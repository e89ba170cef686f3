// SPDX-License-Identifier: Apache-2.0
// Every metric in the sample alert rules exists in /metrics.
#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "base/file_system.h"
#include "base/test_paths.h"
#include "serve/api/result_formats.h"
#include "serve/service_test_support.h"

namespace crivello::serve {
namespace {

TEST_F(ServiceTest, HasEveryMetricThatTheDashboardForGrafanaShows) {
  Start();
  GetJson("/api/v1/search?q=prime");
  const std::string metrics = Get("/metrics").body;
  const auto file = ReadFile(std::string(SourceDirectory()) + "/packaging/grafana.json");
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  const Json board = Json::parse(*file);
  const std::regex named("crivello_[a-z_]+");
  size_t queries = 0;
  for (const Json& panel : board["panels"]) {
    for (const Json& target : panel["targets"]) {
      const std::string expression = target["expr"];
      std::smatch match;
      ASSERT_TRUE(std::regex_search(expression, match, named)) << expression;
      EXPECT_THAT(metrics, testing::ContainsRegex("\n" + match.str() + "[{ ]")) << expression;
      queries++;
    }
  }
  EXPECT_GE(queries, 12u);
}

TEST_F(ServiceTest, HasEveryMetricThatTheAlertRulesName) {
  Start();
  GetJson("/api/v1/search?q=prime");
  const std::string metrics = Get("/metrics").body;
  const auto rules = ReadFile(std::string(SourceDirectory()) + "/packaging/alerts.yml");
  ASSERT_TRUE(rules.ok()) << rules.status().ToString();
  const std::regex named("\\b(crivello_[a-z_]+)(?:\\{([a-z]+)=~?\"([^\"]*)\")?");
  std::set<std::string> names;
  for (std::sregex_iterator it(rules->begin(), rules->end(), named), end; it != end; ++it) {
    const std::string name = (*it)[1];
    names.insert(name);
    EXPECT_THAT(metrics, testing::ContainsRegex("\n" + name + "[{ ]")) << name;
    if ((*it)[2].matched) {
      EXPECT_THAT(metrics, testing::ContainsRegex("\n" + name + "\\{[^}]*" + (*it)[2].str() + "=\""))
          << it->str();
    }
    // Values that are fixed words; a status may not have occurred.
    if ((*it)[2] == "reason" || (*it)[2] == "state" || (*it)[2] == "route") {
      EXPECT_THAT(metrics, testing::HasSubstr((*it)[2].str() + "=\"" + (*it)[3].str() + "\"")) << it->str();
    }
  }
  EXPECT_GE(names.size(), 7u);
}

// The file that people copy is the description that a server of that name serves.
TEST(OpenSearchTest, TheFileInTheDocsIsTheDescriptionOfAServer) {
  auto file = ReadFile(std::string(SourceDirectory()) + "/docs/opensearch.xml");
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  const size_t comment = file->find("<!--");
  file->erase(comment, file->find("-->\n") + 4 - comment);
  EXPECT_EQ(*file, OpenSearchDescription("https://search.example.org/"));
}

}  // namespace
}  // namespace crivello::serve
