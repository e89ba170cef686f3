// SPDX-License-Identifier: Apache-2.0
#include "text/content/slope.h"

#include <algorithm>
#include <limits>

namespace crivello::text {

void TagRuns::Add(bool tag, uint64_t count) {
  count = std::min<uint64_t>(count, std::numeric_limits<uint32_t>::max() - size_);
  if (count == 0) return;
  if (runs_.empty() || runs_.back().tag != tag) runs_.push_back({0, tag});
  runs_.back().length += static_cast<uint32_t>(count);
  size_ += count;
  if (tag) tags_ += count;
}

SlopePlateau FindPlateau(const TagRuns& tags) {
  if (tags.size() == 0) return {};
  // Kadane's scan, one run per step: a best segment begins where a run of words begins and ends where one
  // ends, so only those places are examined. Without words, the best segment is the first token alone.
  SlopePlateau best{0, 0, 0};
  int64_t best_sum = -1;
  int64_t sum = 0;  // of the best segment that ends here; negative: none
  uint64_t first = 0;
  uint64_t at = 0;
  for (const TagRuns::Run& run : tags.runs()) {
    if (run.tag) {
      sum -= run.length;
    } else {
      // A segment of sum zero is extended, because of equal segments the earlier is preferred.
      if (sum < 0) {
        sum = 0;
        first = at;
      }
      sum += run.length;
      if (sum > best_sum) {
        best_sum = sum;
        best.i = first;
        best.j = at + run.length - 1;
      }
    }
    at += run.length;
  }
  best.value = static_cast<uint64_t>(static_cast<int64_t>(tags.tags()) + best_sum);
  return best;
}

std::vector<TokenRange> FindLowSlopes(const TagRuns& tags, const LowSlopeOptions& options) {
  struct Segment {
    TokenRange range;
    double left = 0;   // the sum of everything before it
    double right = 0;  // the same including it
    size_t below = 0;  // 1 + index of the nearest earlier segment with a smaller left, or 0
  };
  // Ruzzo and Tompa: a new segment is joined with the nearest one that begins lower, if that one ends lower.
  // `below` skips segments that do not begin lower, which amortises the search.
  std::vector<Segment> segments;
  double sum = 0;
  uint64_t at = 0;
  for (const TagRuns::Run& run : tags.runs()) {
    if (run.tag) {
      sum -= options.tag_weight * run.length;
      at += run.length;
      continue;
    }
    Segment fresh{{at, at + run.length}, sum, sum + run.length, 0};
    sum = fresh.right;
    at += run.length;
    for (;;) {
      size_t below = segments.size();
      while (below > 0 && segments[below - 1].left >= fresh.left) below = segments[below - 1].below;
      fresh.below = below;
      if (below == 0 || segments[below - 1].right >= fresh.right) break;
      fresh.range.first = segments[below - 1].range.first;
      fresh.left = segments[below - 1].left;
      segments.resize(below - 1);
    }
    segments.push_back(fresh);
  }
  double best = 0;
  for (const Segment& segment : segments) best = std::max(best, segment.right - segment.left);
  std::vector<TokenRange> sections;
  for (const Segment& segment : segments) {
    if (segment.right - segment.left >= options.share * best) sections.push_back(segment.range);
  }
  return sections;
}

std::vector<SlopePoint> SlopeCurve(const TagRuns& tags, size_t max_points) {
  std::vector<SlopePoint> points;
  const size_t steps = std::max<size_t>(max_points, 2) - 1;
  uint64_t at = 0;
  uint64_t climbed = 0;
  size_t step = 0;
  const auto wanted = [&] { return tags.size() / steps * step + tags.size() % steps * step / steps; };
  for (const TagRuns::Run& run : tags.runs()) {
    for (; step < steps && wanted() < at + run.length; ++step) {
      const SlopePoint point{wanted(), climbed + (run.tag ? wanted() - at : 0)};
      if (points.empty() || points.back().token != point.token) points.push_back(point);
    }
    at += run.length;
    if (run.tag) climbed += run.length;
  }
  points.push_back({at, climbed});
  return points;
}

}  // namespace crivello::text
