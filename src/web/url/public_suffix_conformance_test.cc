// SPDX-License-Identifier: Apache-2.0
// The test file of publicsuffix.org, on the built-in list and on the newest one.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/conformance.h"
#include "web/url/public_suffix.h"
#include "web/url/url.h"

namespace crivello::web {
namespace {

// The suite also gives names in Unicode and upper case; ours come from URLs.
std::string HostOf(const std::string& domain) {
  Url url;
  return url.Parse("http://" + domain + "/") ? std::string(url.hostname()) : domain;
}

void RunSuite(const PublicSuffixList& list, Score* score) {
  std::ifstream file(SharedPath("conformance/psl/tests.txt"));
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

TEST(PublicSuffixConformanceTest, BuiltInListPasses) {
  if (SharedPath("conformance/psl/tests.txt").empty()) GTEST_SKIP() << "skipped: no ../shared";
  Score score("psl");
  RunSuite(PublicSuffixList::BuiltIn(), &score);
  EXPECT_EQ(score.cases(), 78);
  EXPECT_EQ(score.percent(), 100.0);
}

TEST(PublicSuffixConformanceTest, ListFromTextPasses) {
  const std::string path = SharedPath("conformance/psl/public_suffix_list.dat");
  if (path.empty()) GTEST_SKIP() << "skipped: no ../shared";
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  const auto list = PublicSuffixList::FromText(text.str());
  ASSERT_TRUE(list.ok()) << list.status().ToString();
  Score score("psl_newest_list");
  RunSuite(*list, &score);
  EXPECT_EQ(score.cases(), 78);
  EXPECT_EQ(score.percent(), 100.0);
}

}  // namespace
}  // namespace crivello::web
