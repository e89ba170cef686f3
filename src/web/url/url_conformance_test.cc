// SPDX-License-Identifier: Apache-2.0
// The suites of web-platform-tests for URLs.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/conformance_suite.h"
#include "web/url/url.h"

namespace crivello::web {
namespace {

using Json = nlohmann::json;

Json ReadJson(const std::string& path) { return Json::parse(std::ifstream(path)); }

std::map<std::string, std::string> Parts(const Url& url) {
  const auto s = [](std::string_view v) { return std::string(v); };
  return {{"href", url.href()},
          {"origin", url.origin()},
          {"protocol", s(url.protocol())},
          {"username", s(url.username())},
          {"password", s(url.password())},
          {"host", s(url.host())},
          {"hostname", s(url.hostname())},
          {"port", s(url.port())},
          {"pathname", s(url.pathname())},
          {"search", s(url.search())},
          {"hash", s(url.hash())}};
}

// Compares every property that the case lists; differences go to `why`.
bool SameParts(const Url& url, const Json& expected, std::string* why) {
  const auto parts = Parts(url);
  for (const auto& [name, value] : expected.items()) {
    const auto part = parts.find(name);
    if (part == parts.end() || part->second == value.get<std::string>()) continue;
    *why += " " + name + " is " + part->second + " not " + value.get<std::string>();
  }
  return why->empty();
}

using UrlConformanceTest = ConformanceSuite;
CRV_CONFORMANCE_SUITE(UrlConformanceTest);

TEST_P(UrlConformanceTest, ParsesAndResolvesAsBrowsersDo) {
  const std::string path = SuitePath("url/urltestdata.json");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("urltestdata"));
  for (const Json& item : ReadJson(path)) {
    if (!item.is_object()) continue;
    const std::string input = item["input"];
    Url base, url;
    const bool has_base = item.contains("base") && item["base"].is_string();
    bool parsed = !has_base || base.Parse(item["base"].get<std::string>());
    parsed = parsed && url.Parse(input, has_base ? &base : nullptr);
    std::string why;
    if (item.contains("failure")) {
      score.Case(!parsed, item.dump() + " gave " + url.href());
      continue;
    }
    Json expected = item;
    expected.erase("base");
    const bool same = parsed && SameParts(url, expected, &why);
    Url again;
    const bool identity = parsed && again.Parse(url.href()) && Parts(again) == Parts(url);
    score.Case(same && identity, item["input"].dump() + (parsed ? why : " failed"));
  }
  ExpectScore(score, {.cases = 891, .percent = 100.0});
}

TEST_P(UrlConformanceTest, SetsPartsAsTheDomDoes) {
  const std::string path = SuitePath("url/setters_tests.json");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  const std::map<std::string, bool (Url::*)(std::string_view)> setters = {
      {"href", &Url::set_href},         {"protocol", &Url::set_protocol}, {"username", &Url::set_username},
      {"password", &Url::set_password}, {"host", &Url::set_host},         {"hostname", &Url::set_hostname},
      {"port", &Url::set_port},         {"pathname", &Url::set_pathname}, {"search", &Url::set_search},
      {"hash", &Url::set_hash}};
  Score score(ScoreName("setters"));
  const Json suite = ReadJson(path);
  for (const auto& [name, cases] : suite.items()) {
    if (name == "comment") continue;
    for (const Json& item : cases) {
      Url url;
      ASSERT_TRUE(url.Parse(item["href"].get<std::string>())) << item;
      (url.*setters.at(name))(item["new_value"].get<std::string>());
      std::string why;
      const bool same = SameParts(url, item["expected"], &why);
      Url again;
      const bool identity = again.Parse(url.href()) && Parts(again) == Parts(url);
      score.Case(same && identity, name + " " + item["href"].dump() + " " + item["new_value"].dump() + why);
    }
  }
  ExpectScore(score, {.cases = 278, .percent = 100.0});
}

TEST_P(UrlConformanceTest, ConvertsDomainsToAscii) {
  const std::string path = SuitePath("url/toascii.json");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("toascii"));
  for (const Json& item : ReadJson(path)) {
    if (!item.is_object()) continue;
    Url url;
    const bool parsed = url.Parse("https://" + item["input"].get<std::string>() + "/x");
    const bool same = item["output"].is_null() ? !parsed : parsed && url.host() == item["output"];
    score.Case(same, item.dump() + " gave " + url.href());
  }
  ExpectScore(score, {.cases = 87, .percent = 100.0});
}

TEST_P(UrlConformanceTest, EncodesQueriesAsThePage) {
  const std::string path = SuitePath("url/percent-encoding.json");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("percent-encoding"));
  for (const Json& item : ReadJson(path)) {
    if (!item.is_object()) continue;
    const std::string input = item["input"];
    for (const auto& [label, output] : item["output"].items()) {
      Url url;
      const bool parsed = url.Parse("https://doesnotmatter.invalid/?" + input + "#" + input, nullptr,
                                    charset::EncodingForLabel(label).value());
      const bool same = parsed && url.query() == output.get<std::string>() &&
                        url.fragment() == item["output"]["utf-8"].get<std::string>();
      score.Case(same, label + " " + item["input"].dump() + " gave " + url.href());
    }
  }
  ExpectScore(score, {.cases = 16, .percent = 100.0});
}

}  // namespace
}  // namespace crivello::web
