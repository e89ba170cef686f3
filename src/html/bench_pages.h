// SPDX-License-Identifier: Apache-2.0
// Real pages; only for benchmarks, here and in modules that use this one.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace crivello::html {

// The HTML files (.html, .htm, .xhtml) in $CRIVELLO_PAGES, sorted by path; none if it is not set.
inline const std::vector<std::string>& BenchPages() {
  static const std::vector<std::string> pages = [] {
    std::vector<std::filesystem::path> paths;
    const char* folder = std::getenv("CRIVELLO_PAGES");
    if (folder == nullptr || !std::filesystem::is_directory(folder)) return std::vector<std::string>();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const auto extension = entry.path().extension();
      const bool html = extension == ".html" || extension == ".htm" || extension == ".xhtml";
      // Documentation shares pages by symbolic links: count each only once.
      if (html && !entry.is_symlink() && entry.is_regular_file()) paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> read;
    for (const auto& path : paths) {
      std::ifstream file(path, std::ios::binary);
      read.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return read;
  }();
  return pages;
}

}  // namespace crivello::html
