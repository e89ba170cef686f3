// SPDX-License-Identifier: Apache-2.0
#include "frontier/priority.h"

#include <algorithm>

#include "base/ascii.h"

namespace crivello::frontier {
namespace {

// The first class is for URLs that someone waits for: seeds, commands, new items of feeds.  Links follow.
constexpr uint8_t kBestLinkClass = 1;

bool Contains(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return AsciiLower(a) == AsciiLower(b); };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

// 0 for a home page; each additional level, parameter and thirty bytes count the same, up to eight.
double Length(std::string_view path) {
  constexpr double kMost = 8;
  double steps = static_cast<double>(path.size()) / 30;
  for (const char c : path.substr(1)) steps += c == '/' || c == '?' || c == '&' ? 1 : 0;
  return path.size() <= 1 ? 0 : std::min(steps, kMost) / kMost;
}

}  // namespace

bool HasKeyword(const std::vector<std::string>& words, std::string_view text) {
  return std::any_of(words.begin(), words.end(), [&](const auto& word) { return Contains(text, word); });
}

uint8_t PriorityOf(const PriorityOptions& options, const LinkContext& link) {
  const auto parts = SplitUrl(link.url);
  if (!parts) return kPriorityClasses - 1;
  double sum = 0;
  int criteria = 0;
  const auto count = [&](double badness) {
    sum += badness;
    criteria++;
  };
  if (options.short_url) count(Length(parts->path));
  if (options.off_site) count(link.from_host.empty() || link.from_host != parts->host ? 0 : 1);
  if (options.depth) count(std::min(link.depth, 7u) / 7.0);
  if (options.host_rank) count(1 - std::clamp(link.host_rank, 0.0, 1.0));
  if (!options.keywords.empty()) {
    count(HasKeyword(options.keywords, link.url) || HasKeyword(options.keywords, link.text) ? 0 : 1);
  }
  if (!options.page_keywords.empty()) count(link.page_has_keyword ? 0 : 1);
  if (criteria == 0) return kBestLinkClass;
  return static_cast<uint8_t>(
      std::clamp<double>(sum / criteria * kPriorityClasses, kBestLinkClass, kPriorityClasses - 1));
}

}  // namespace crivello::frontier
