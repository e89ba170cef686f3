// SPDX-License-Identifier: Apache-2.0
// The test file of publicsuffix.org, run on the built-in list and on the newest one.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/conformance_suite.h"
#include "web/url/public_suffix.h"
#include "web/url/url.h"

namespace crivello::web {
namespace {

// The suite also has names in Unicode and upper case; ours come from URLs.
std::string HostOf(const std::string& domain) {
  Url url;
  return url.Parse("http://" + domain + "/") ? std::string(url.hostname()) : domain;
}

void RunSuite(const std::string& path, const PublicSuffixList& list, Score* score) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line.starts_with("//")) continue;
    std::istringstream words(line);
    std::string domain, expected;
    words >> domain >> expected;
    const std::string host = domain == "null" ? "" : HostOf(domain);
    const std::string_view found = list.RegistrableDomain(host);
    score->Case(found == (expected == "null" ? "" : HostOf(expected)), line + " gave " + std::string(found));
  }
}

using PublicSuffixConformanceTest = ConformanceSuite;
CRV_CONFORMANCE_SUITE(PublicSuffixConformanceTest);

TEST_P(PublicSuffixConformanceTest, BuiltInListPasses) {
  const std::string tests = SuitePath("psl/tests.txt");
  if (tests.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("psl"));
  RunSuite(tests, PublicSuffixList::BuiltIn(), &score);
  ExpectScore(score, {.cases = 78, .percent = 100.0});
}

TEST_P(PublicSuffixConformanceTest, ListFromTextPasses) {
  const std::string path = SuitePath("psl/public_suffix_list.dat");
  if (path.empty()) GTEST_SKIP() << kNoSuite;
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  const auto list = PublicSuffixList::FromText(text.str());
  ASSERT_TRUE(list.ok()) << list.status().ToString();
  Score score(ScoreName("psl_newest_list"));
  RunSuite(SuitePath("psl/tests.txt"), *list, &score);
  ExpectScore(score, {.cases = 78, .percent = 100.0});
}

}  // namespace
}  // namespace crivello::web
