// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles/similarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace crivello::dedup {
namespace {

// Calls use(count in a, count in b) for each word that occurs in a or b.
template <typename Use>
void ForEachOfEither(const WordBag& a, const WordBag& b, Use use) {
  auto x = a.entries().begin();
  auto y = b.entries().begin();
  while (x != a.entries().end() || y != b.entries().end()) {
    const bool from_a = y == b.entries().end() || (x != a.entries().end() && x->word <= y->word);
    const bool from_b = x == a.entries().end() || (y != b.entries().end() && y->word <= x->word);
    use(from_a ? (x++)->count : 0, from_b ? (y++)->count : 0);
  }
}

constexpr std::string_view kMeasureNames[] = {"words", "cosine", "jaccard"};

}  // namespace

double Overlap::Resemblance() const {
  return either == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(either);
}

double Overlap::Containment() const {
  if (smaller == 0) return either == 0 ? 1 : 0;
  return static_cast<double>(shared) / static_cast<double>(smaller);
}

Overlap OverlapOf(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  Overlap overlap = {.smaller = std::min(a.size(), b.size())};
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    overlap.shared += a[i] == b[j] ? 1 : 0;
    const bool first = a[i] <= b[j];
    j += b[j] <= a[i] ? 1 : 0;
    i += first ? 1 : 0;
  }
  overlap.either = a.size() + b.size() - overlap.shared;
  return overlap;
}

WordBag::WordBag(const Words& words) : size_(words.size()) {
  std::vector<uint64_t> hashes;
  hashes.reserve(words.size());
  for (size_t i = 0; i < words.size(); i++) hashes.push_back(Hash64(words[i]));
  std::sort(hashes.begin(), hashes.end());
  for (const uint64_t hash : hashes) {
    if (entries_.empty() || entries_.back().word != hash) entries_.push_back({hash, 0});
    entries_.back().count++;
  }
}

double Cosine(const WordBag& a, const WordBag& b) {
  double product = 0;
  double length_a = 0;
  double length_b = 0;
  ForEachOfEither(a, b, [&](uint64_t x, uint64_t y) {
    product += static_cast<double>(x * y);
    length_a += static_cast<double>(x * x);
    length_b += static_cast<double>(y * y);
  });
  if (a.size() == 0 && b.size() == 0) return 1;
  if (a.size() == 0 || b.size() == 0) return 0;
  return product / std::sqrt(length_a * length_b);
}

double WordShare(const WordBag& a, const WordBag& b) {
  const uint64_t longer = std::max(a.size(), b.size());
  if (longer == 0) return 1;
  uint64_t shared = 0;
  ForEachOfEither(a, b, [&](uint64_t x, uint64_t y) { shared += std::min(x, y); });
  return static_cast<double>(shared) / static_cast<double>(longer);
}

Result<Measure> ParseMeasure(std::string_view name) {
  for (size_t i = 0; i < std::size(kMeasureNames); i++) {
    if (name == kMeasureNames[i]) return static_cast<Measure>(i);
  }
  return Status::InvalidArgument(
      fmt::format("unknown measure '{}': expected words, cosine or jaccard", name));
}

std::string_view MeasureName(Measure measure) { return kMeasureNames[static_cast<size_t>(measure)]; }

}  // namespace crivello::dedup
