// SPDX-License-Identifier: Apache-2.0
// Google's two public suites, real files with the verdicts of Google's parser, and the rules of RFC 9309.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/conformance_suite.h"
#include "web/page/robots.h"

namespace crivello::web {
namespace {

using Json = nlohmann::json;

std::vector<Json> ReadLines(const std::string& path) {
  std::ifstream file(path);
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(Json::parse(line));
  return lines;
}

std::string DecodeBase64(const std::string& text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) break;
    bits = bits << 6 | static_cast<unsigned>(digit);
    count += 6;
    if (count >= 8) bytes.push_back(static_cast<char>(bits >> (count -= 8)));
  }
  return bytes;
}

std::string TextOf(const Json& item) {
  if (item.contains("robots_b64")) return DecodeBase64(item["robots_b64"]);
  return item.contains("robots") && item["robots"].is_string() ? item["robots"].get<std::string>() : "";
}

bool Passes(const Json& item, const std::string& text) {
  const auto robots = Robots::Parse(text, item["agent"].get<std::string>());
  return robots.Check(RobotsPathOf(item["url"].get<std::string>())).allowed == item["allowed"].get<bool>();
}

class RobotsConformanceTest : public ConformanceSuite {
 protected:
  void RunRobotsSuite(const std::string& name, int cases) {
    const std::string path = SuitePath("robots/" + name + ".jsonl");
    if (path.empty()) GTEST_SKIP() << kNoSuite;
    Score score(ScoreName("robots_" + name));  // including the cases marked google_only
    for (const Json& item : ReadLines(path)) {
      score.Case(Passes(item, TextOf(item)), item.dump().substr(0, 400));
    }
    ExpectScore(score, {.cases = cases, .percent = 100.0});
  }
};
CRV_CONFORMANCE_SUITE(RobotsConformanceTest);

TEST_P(RobotsConformanceTest, PassesGooglesUnitTest) { RunRobotsSuite("google_unit", 145); }
TEST_P(RobotsConformanceTest, PassesGooglesSpecificationTest) {
  RunRobotsSuite("google_ctc_correctness", 146);
}

TEST_P(RobotsConformanceTest, ReadsRealFilesAsGoogleDoes) {
  const std::string files = SuitePath("robots/real_sites_files.jsonl");
  if (files.empty()) GTEST_SKIP() << kNoSuite;
  std::map<std::string, std::string> texts;
  for (const Json& item : ReadLines(files)) texts[item["site"]] = TextOf(item);
  Score score(ScoreName("robots_real_sites"));
  for (const Json& item : ReadLines(SuitePath("robots/real_sites_cases.jsonl"))) {
    score.Case(Passes(item, texts.at(item["site"])), item.dump());
  }
  ExpectScore(score, {.cases = 977, .percent = 100.0});
}

TEST_P(RobotsConformanceTest, FollowsTheFactsOfRfc9309) {
  const std::string path = SuitePath("robots/rfc9309_http.jsonl");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  const std::map<std::string, RobotsAccess> access = {
      {"parse_and_follow", RobotsAccess::kParse},
      {"follow_redirects", RobotsAccess::kFollowRedirect},
      {"may_treat_as_unavailable_allow_all", RobotsAccess::kAllowAll},
      {"allow_all", RobotsAccess::kAllowAll},
      {"disallow_all", RobotsAccess::kDisallowAll},
      {"may_allow_all_or_cached", RobotsAccess::kAllowAll}};
  Score score(ScoreName("robots_rfc9309_http"));
  for (const Json& item : ReadLines(path)) {
    const std::string expect = item["expect"];
    bool passed = false;
    if (const auto expected = access.find(expect); expected != access.end()) {
      passed = RobotsAccessFor({.status = item["status"].is_null() ? 0 : item["status"].get<int>(),
                                .redirects = item.value("redirects", 0),
                                .days_unreachable = item.value("for_days", 0)}) == expected->second;
    } else if (expect == "refetch") {
      passed = kRobotsMaxAgeHours < item["cache_age_hours"].get<int>();
    } else if (expect == "parse_whole") {
      const size_t size = item["size_bytes"];
      const std::string rules = "User-agent: *\nDisallow: /last\n";
      const auto robots =
          Robots::Parse(std::string(size - rules.size() - 1, '#').append("\n").append(rules), "any");
      passed = !robots.Check("/last").allowed;
    } else if (expect == "path_/robots.txt") {
      passed = kRobotsPath == "/robots.txt";
    } else if (expect == "allowed") {
      const auto robots = Robots::Parse(TextOf(item), item["agent"].get<std::string>());
      passed = robots.Check(RobotsPathOf(item["url"].get<std::string>())).allowed;
    }
    score.Case(passed, item.dump());
  }
  ExpectScore(score, {.cases = 12, .percent = 100.0});
}

}  // namespace
}  // namespace crivello::web
