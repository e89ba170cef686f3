// SPDX-License-Identifier: Apache-2.0
#include "serve/http/accept_language.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"

namespace crivello::serve {
namespace {

constexpr size_t kMaxLanguages = 5;
constexpr size_t kMaxHeader = 1000;

bool IsLanguageTag(std::string_view tag) {
  return tag.size() >= 2 && tag.size() <= 35 &&
         std::all_of(tag.begin(), tag.end(), [](char c) { return IsAsciiAlnum(c) || c == '-'; });
}

}  // namespace

std::vector<std::string> AcceptedLanguages(std::string_view header) {
  std::vector<std::pair<double, std::string>> by_quality;
  header = header.substr(0, kMaxHeader);
  while (!header.empty()) {
    const size_t comma = std::min(header.find(','), header.size());
    const std::string_view item = header.substr(0, comma);
    header.remove_prefix(std::min(comma + 1, header.size()));
    const size_t semicolon = std::min(item.find(';'), item.size());
    const std::string_view tag = TrimAsciiSpace(item.substr(0, semicolon));
    double quality = 1;
    if (const size_t q = item.find("q=", semicolon); q != std::string_view::npos) {
      const char* end = item.data() + item.size();
      if (std::from_chars(item.data() + q + 2, end, quality).ec != std::errc()) continue;
    }
    if (IsLanguageTag(tag) && quality > 0 && quality <= 1) by_quality.emplace_back(quality, tag);
  }
  std::stable_sort(by_quality.begin(), by_quality.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> languages;
  for (auto& [quality, tag] : by_quality) {
    if (languages.size() < kMaxLanguages) languages.push_back(std::move(tag));
  }
  return languages;
}

}  // namespace crivello::serve
