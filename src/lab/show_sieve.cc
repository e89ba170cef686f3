// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/hash.h"
#include "lab/demonstration.h"
#include "lab/svg.h"
#include "sieve/signature_sort.h"

namespace crivello::lab {
namespace {

constexpr size_t kMostUrls = 40;
constexpr size_t kMostCapacity = 16;

std::string ShownSignature(uint64_t signature) { return fmt::format("{:04x}", signature >> 48); }

std::string ShownSignatures(std::span<const uint64_t> signatures) {
  std::vector<std::string> shown;
  for (const uint64_t signature : signatures) shown.push_back(ShownSignature(signature));
  return shown.empty() ? "(empty)" : fmt::format("{}", fmt::join(shown, " "));
}

}  // namespace

Result<Demonstration> ShowSieve(std::span<const std::string> urls, size_t capacity) {
  if (urls.empty() || urls.size() > kMostUrls) {
    return Status::InvalidArgument(fmt::format("expected 1 to {} URLs, got {}", kMostUrls, urls.size()));
  }
  if (capacity == 0 || capacity > kMostCapacity) {
    return Status::InvalidArgument(
        fmt::format("S must have room for 1 to {} signatures, got {}", kMostCapacity, capacity));
  }
  Demonstration shown;
  const size_t flushes = (urls.size() + capacity - 1) / capacity;
  Svg svg(900, 60 + static_cast<double>(flushes) * 150, "Mercator's sieve");
  std::vector<uint64_t> s, z;
  std::vector<std::string> a;
  sieve::SignatureSort sort;
  double y = 44;
  const auto flush = [&](bool last) {
    std::string step = fmt::format("{}: sort S indirectly and stably; V says where each came from",
                                   last ? "the end" : "S is full");
    std::vector<uint64_t> keys = s;
    sort.Sort(keys);
    step += fmt::format("\nS in order  {}\nV           {}", ShownSignatures(sort.signatures()),
                        fmt::join(sort.positions(), " "));
    sort.Deduplicate();
    std::vector<bool> is_new(s.size(), false);
    std::vector<uint64_t> fresh;
    for (size_t i = 0; i < sort.signatures().size(); i++) {
      if (std::binary_search(z.begin(), z.end(), sort.signatures()[i])) continue;
      is_new[sort.positions()[i]] = true;
      fresh.push_back(sort.signatures()[i]);
    }
    step += fmt::format("\nequal ones: the first stays; those in Z are not new: {}", ShownSignatures(fresh));
    std::vector<uint64_t> merged;
    std::merge(z.begin(), z.end(), fresh.begin(), fresh.end(), std::back_inserter(merged));
    step += fmt::format("\nmerge with Z in one pass\nZ           {}\nZ'          {}", ShownSignatures(z),
                        ShownSignatures(merged));
    step += "\nread A and S side by side; out come, in the order of arrival:";
    std::vector<std::string> out;
    svg.Text(20, y + 14, "S");
    svg.Text(20, y + 58, "Z'");
    for (size_t i = 0; i < s.size(); i++) {
      svg.Box(50 + static_cast<double>(i) * 50, y, 48, 20, is_new[i] ? Svg::kPale : "#ffffff");
      svg.Text(74 + static_cast<double>(i) * 50, y + 14, ShownSignature(s[i]),
               is_new[i] ? Svg::kBlue : Svg::kGrey, "middle");
      if (is_new[i]) out.push_back(a[i]);
    }
    for (const std::string& url : out) step += "\n  " + url;
    if (out.empty()) step += "\n  nothing";
    for (size_t i = 0; i < merged.size() && i < 16; i++) {
      const bool added = std::binary_search(fresh.begin(), fresh.end(), merged[i]);
      svg.Box(50 + static_cast<double>(i) * 50, y + 44, 48, 20, added ? Svg::kPale : "#ffffff");
      svg.Text(74 + static_cast<double>(i) * 50, y + 58, ShownSignature(merged[i]),
               added ? Svg::kBlue : Svg::kGrey, "middle");
    }
    svg.Text(50, y + 92, fmt::format("out: {}", fmt::join(out, "  ")), Svg::kGreen);
    y += 150;
    z = std::move(merged);
    s.clear();
    a.clear();
    shown.steps.push_back(std::move(step));
  };
  for (const std::string& url : urls) {
    s.push_back(Hash64(url));
    a.push_back(url);
    shown.steps.push_back(fmt::format("{} arrives, its signature is {}…\nS           {}\nA has {} URLs", url,
                                      ShownSignature(s.back()), ShownSignatures(s), a.size()));
    if (s.size() == capacity) flush(false);
  }
  if (!s.empty()) flush(true);
  shown.svg = std::move(svg).Finish();
  return shown;
}

}  // namespace crivello::lab
