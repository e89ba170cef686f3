// SPDX-License-Identifier: Apache-2.0
// The benefit of site templates on documentation sites. $CRIVELLO_WEBBOX is a folder with layout.tsv (one
// line per host: name, address, kind, language, pages, bytes, package, folder of its pages in pkgs/).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "charset/charset.h"
#include "charset/encoding_decode.h"
#include "text/content/main_content.h"

namespace crivello::text {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxPagesOfHost = 100;

// What documentation generators (DocBook, Sphinx, Antora, JavaDoc, ...) themselves mark as
// surroundings.
bool IsMarkedSurroundings(const html::Node& node) {
  if (node.IsHtml(html::Tag::kNav) || node.IsHtml(html::Tag::kFooter)) return true;
  if (const auto* role = node.Find("role")) {
    if (*role == "navigation" || *role == "contentinfo" || *role == "banner" || *role == "search")
      return true;
  }
  const auto* names = node.Find("class");
  if (names == nullptr) return false;
  for (const std::string_view name : {"navheader", "navfooter", "related", "sphinxsidebar", "footer", "nav",
                                      "topNav", "bottomNav", "subNav", "docnav", "header-navigation"}) {
    if (*names == name) return true;
  }
  return false;
}

struct Tally {
  size_t cut = 0;  // bytes of surroundings that were cut
  size_t around = 0;
  size_t kept = 0;  // bytes of content that were kept
  size_t content = 0;
};

std::vector<std::string> HostFolders(const std::string& webbox) {
  std::ifstream layout(webbox + "/layout.tsv");
  std::vector<std::string> folders;
  std::string line;
  while (std::getline(layout, line)) {
    std::istringstream fields(line);
    std::vector<std::string> values;
    for (std::string value; std::getline(fields, value, '\t');) values.push_back(value);
    if (values.size() >= 8 && values[2] == "doc") folders.push_back(webbox + "/pkgs/" + values[7]);
  }
  return folders;
}

std::vector<fs::path> PagesOf(const std::string& folder) {
  std::vector<fs::path> pages;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    if (entry.path().extension() == ".html" && !entry.is_symlink() && entry.is_regular_file())
      pages.push_back(entry.path());
  }
  std::sort(pages.begin(), pages.end());
  if (pages.size() > kMaxPagesOfHost) pages.resize(kMaxPagesOfHost);
  return pages;
}

TEST(TemplateGainTest, CutsTheSurroundingsOfDocumentationAndKeepsItsContent) {
  const char* webbox = std::getenv("CRIVELLO_WEBBOX");
  if (webbox == nullptr) GTEST_SKIP() << "skipped: no $CRIVELLO_WEBBOX";
  std::map<ContentMethod, Tally> tallies;
  size_t hosts = 0;
  size_t pages = 0;
  for (const std::string& folder : HostFolders(webbox)) {
    SiteTemplate site;
    bool marked = false;
    for (const fs::path& path : PagesOf(folder)) {
      std::ifstream in(path, std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(in), {});
      const html::HtmlTree tree =
          html::ParseHtml(charset::DecodeToUtf8(bytes, charset::DecideCharset(bytes, "").encoding).text());
      const HtmlDocument page = ReadHtmlDocument(tree);
      std::vector<bool> around(page.document.blocks.size());
      for (const HtmlPart& part : page.parts) {
        if (!IsMarkedSurroundings(tree[part.node])) continue;
        std::fill(around.begin() + part.first_block, around.begin() + part.last_block, true);
        marked = true;
      }
      // As in a crawl: a page is judged by the pages before it, and the first few do not count.
      if (site.pages() >= 5 && marked) {
        ++pages;
        for (const ContentMethod method : kContentMethods) {
          const std::vector<CutReason> cut = FindMainContent(page, method, &site);
          Tally& tally = tallies[method];
          for (size_t i = 0; i < cut.size(); ++i) {
            const size_t size = page.document.blocks[i].text.size();
            if (around[i]) {
              tally.around += size;
              tally.cut += cut[i] != CutReason::kNone ? size : 0;
            } else if (cut[i] != CutReason::kTitle) {
              tally.content += size;
              tally.kept += cut[i] == CutReason::kNone ? size : 0;
            }
          }
        }
      }
      site.Learn(page.document);
    }
    hosts += marked ? 1 : 0;
  }
  ASSERT_GT(pages, 0u);
  for (const auto& [method, tally] : tallies) {
    const double cut = 100.0 * static_cast<double>(tally.cut) / static_cast<double>(tally.around);
    const double kept = 100.0 * static_cast<double>(tally.kept) / static_cast<double>(tally.content);
    std::printf(
        "template %zu hosts %zu pages %s cut %.1f%% of the surroundings, kept %.1f%% of the content\n", hosts,
        pages, std::string(ContentMethodName(method)).c_str(), cut, kept);
    if (method == ContentMethod::kDefault) {
      EXPECT_GE(cut, 95);
      EXPECT_GE(kept, 90);
    }
  }
}

}  // namespace
}  // namespace crivello::text
