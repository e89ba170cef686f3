// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/conformance_suite.h"
#include "html/html_tree.h"

namespace crivello::html {
namespace {

struct Case {
  std::string data;
  std::string context;  // of a fragment
  bool script_on = false;
  std::string document;
};

// Reads the cases of a .dat file: sections that begin with a line "#name".
std::vector<Case> ReadCases(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<Case> cases;
  std::string section;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const bool in_document = section == "#document";
    if (line == "#data" && (section.empty() || (in_document && cases.back().document.ends_with("\n\n")))) {
      if (in_document) cases.back().document.pop_back();
      cases.emplace_back();
      section = line;
    } else if (line == "#errors" || line == "#new-errors" || line == "#document-fragment" ||
               line == "#script-off" || line == "#script-on" || line == "#document") {
      section = line;
      if (line == "#script-on") cases.back().script_on = true;
    } else if (section == "#data") {
      cases.back().data += line + "\n";
    } else if (section == "#document-fragment") {
      cases.back().context = line;
    } else if (in_document) {
      cases.back().document += line + "\n";
    }
  }
  for (Case& test : cases) {
    if (!test.data.empty()) test.data.pop_back();
    while (test.document.ends_with("\n\n")) test.document.pop_back();
  }
  return cases;
}

std::string Parsed(const Case& test) {
  if (test.context.empty()) return ParseHtml(test.data).Dump();
  Namespace ns = Namespace::kHtml;
  std::string name = test.context;
  if (name.starts_with("svg ")) {
    ns = Namespace::kSvg;
    name = name.substr(4);
  } else if (name.starts_with("math ")) {
    ns = Namespace::kMathMl;
    name = name.substr(5);
  }
  return ParseHtmlFragment(test.data, name, ns).Dump(1);
}

using HtmlTreeConformanceTest = ConformanceSuite;
CRV_CONFORMANCE_SUITE(HtmlTreeConformanceTest);

TEST_P(HtmlTreeConformanceTest, PassesTheTreeConstructionCases) {
  const std::string folder = SuitePath("html/tree-construction");
  if (folder.empty()) GTEST_SKIP() << kNoSuite;
  Score score(ScoreName("html-tree"));
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".dat" && !name.starts_with("scripted_")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    int number = 0;
    for (const Case& test : ReadCases(path)) {
      ++number;
      if (test.script_on) continue;
      const std::string parsed = Parsed(test);
      score.Case(parsed == test.document, path.filename().string() + " " + std::to_string(number) + "\n" +
                                              test.data + "\nwanted\n" + test.document + "got\n" + parsed);
    }
  }
  ExpectScore(score, {.cases = 1438, .percent = 98.0});
}

}  // namespace
}  // namespace crivello::html
