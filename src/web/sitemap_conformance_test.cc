// SPDX-License-Identifier: Apache-2.0
// Sitemaps against the files of crawler-commons, StormCrawler and ultimate-sitemap-parser.  A file passes if
// its kind is told and every address in it, and no other, is reported: what they are is found by a regular
// expression that knows the prefix of the root, in the text itself.
#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "base/conformance.h"
#include "web/sitemap.h"

namespace crivello::web {
namespace {

using Json = nlohmann::json;

// gzread() also reads what is not compressed.
std::string ReadUnpacked(const std::string& path) {
  std::string bytes;
  gzFile in = gzopen(path.c_str(), "rb");
  char buffer[4096];
  for (int n = 0; (n = gzread(in, buffer, sizeof buffer)) > 0;) bytes.append(buffer, static_cast<size_t>(n));
  gzclose(in);
  return bytes;
}

std::vector<std::string> Matches(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) {
    found.push_back(std::regex_replace((*i)[1].str(), std::regex("&amp;"), "&"));
  }
  return found;
}

std::vector<std::string> ExpectedAddresses(const std::string& text, const std::string& kind) {
  if (kind == "text") return Matches(text, R"((?:^|\n)(https?://\S+))");
  if (kind != "feed") {
    const auto prefixed = Matches(text, R"(<(?:(\w+):)?(?:urlset|sitemapindex)\b)");
    const std::string prefix = prefixed.empty() || prefixed[0].empty() ? "" : prefixed[0] + ":";
    return Matches(text, "<" + prefix + R"(loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]*?)\s*(?:\]\]>)?\s*</)");
  }
  const std::string items = text.substr(std::min(text.find("<item"), text.find("<entry")));
  auto links = Matches(items, R"(<link>([^<]*)</link>)");
  if (links.empty()) {
    // The first link of an entry.
    for (const std::string& entry : Matches(items, R"(<entry>([^]*?)</entry>)")) {
      links.push_back(Matches(entry, R"re(<link href="([^"]*)")re").at(0));
    }
  }
  return links;
}

TEST(SitemapConformanceTest, FindsEveryAddressOfRealSitemaps) {
  const std::string folder = SharedPath("conformance/sitemaps");
  if (folder.empty()) GTEST_SKIP() << "skipped: no ../shared";
  std::ifstream manifest(folder + "/manifest.jsonl");
  Score score("sitemaps");
  for (std::string line; std::getline(manifest, line);) {
    const Json test = Json::parse(line);
    const std::string path = test["path"];
    const std::string text = ReadUnpacked(folder + "/" + path);
    std::vector<std::string> found;
    const auto summary =
        ReadSitemap(text, {}, [&](const SitemapEntry& entry) { found.push_back(entry.loc); });
    const std::string kind = test["kind"];
    const auto expected = ExpectedAddresses(text, kind);
    score.Case(
        !expected.empty() && summary.ok() && SitemapKindName(summary->kind) == kind && found == expected,
        path + " " + std::to_string(found.size()) + " of " + std::to_string(expected.size()));
    // The manifest's own count includes image:loc and the like.
    const bool has_tags = kind == "urlset" || kind == "index";
    EXPECT_LE(found.size(), has_tags ? test["loc_tags"].get<size_t>() : found.size()) << path;
  }
  EXPECT_EQ(score.cases(), 19);
  EXPECT_EQ(score.percent(), 100);
}

}  // namespace
}  // namespace crivello::web
