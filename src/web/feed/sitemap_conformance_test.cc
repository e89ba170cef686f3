// SPDX-License-Identifier: Apache-2.0
// Sitemaps compared with the files of crawler-commons, StormCrawler and ultimate-sitemap-parser. A file
// passes if its kind is recognised and exactly its addresses are reported. A regular expression that knows
// the prefix of the root finds the expected addresses in the text itself.
#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/conformance_suite.h"
#include "web/feed/sitemap.h"

namespace crivello::web {
namespace {

using Json = nlohmann::json;

// gzread() also reads uncompressed files.
std::string ReadUnpacked(const std::string& path) {
  std::string bytes;
  gzFile in = gzopen(path.c_str(), "rb");
  char buffer[4096];
  for (int n = 0; (n = gzread(in, buffer, sizeof buffer)) > 0;) bytes.append(buffer, static_cast<size_t>(n));
  gzclose(in);
  return bytes;
}

// The text between each `open` and the next `close`, without CDATA's marks, spaces and &amp;.
std::vector<std::string> Between(const std::string& text, const std::string& open, const std::string& close) {
  std::vector<std::string> found;
  for (size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    at += open.size();
    std::string value = text.substr(at, text.find(close, at) - at);
    for (const std::string mark : {"<![CDATA[", "]]>", "amp;", " ", "\n", "\t", "\r"}) {
      for (size_t i = value.find(mark); i != std::string::npos; i = value.find(mark))
        value.erase(i, mark.size());
    }
    found.push_back(value);
  }
  return found;
}

std::vector<std::string> ExpectedAddresses(const std::string& text, const std::string& kind) {
  if (kind == "text") {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("http")) lines.push_back(line.substr(0, line.find('\r')));
    }
    return lines;
  }
  if (kind != "feed") {
    const size_t root = text.find(kind == "index" ? "sitemapindex" : "urlset");
    const std::string tag = text.substr(0, root).substr(text.rfind('<', root));  // "<" or "<prefix:"
    return Between(text, tag + "loc>", "</");
  }
  const std::string items = text.substr(std::min(text.find("<item"), text.find("<entry")));
  auto links = Between(items, "<link>", "</link>");
  if (!links.empty()) return links;
  // Atom: the first link of each entry.
  for (size_t at = items.find("<entry>"); at != std::string::npos; at = items.find("<entry>", at + 1)) {
    links.push_back(Between(items.substr(at), "<link href=\"", "\"").at(0));
  }
  return links;
}

using SitemapConformanceTest = ConformanceSuite;
CRV_CONFORMANCE_SUITE(SitemapConformanceTest);

TEST_P(SitemapConformanceTest, FindsEveryAddressOfRealSitemaps) {
  const std::string folder = SuitePath("sitemaps");
  if (folder.empty()) GTEST_SKIP() << kNoSuite;
  std::ifstream manifest(folder + "/manifest.jsonl");
  Score score(ScoreName("sitemaps"));
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
  ExpectScore(score, {.cases = 19, .percent = 100});
}

}  // namespace
}  // namespace crivello::web
