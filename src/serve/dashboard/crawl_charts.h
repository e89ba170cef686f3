// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "serve/dashboard/crawl_history.h"

namespace crivello::serve {

// The size of a chart in its own units; the page stretches it.
inline constexpr int kChartWidth = 600;
inline constexpr int kChartHeight = 140;

// A chart over time, drawn: the page shows it as it is and scripts put newer paths in place of older ones, so
// that there is one place that draws.
struct CrawlChart {
  struct Line {
    std::string_view name;
    std::string path;  // of SVG, from (0, kChartHeight), which is the oldest time and nothing
    std::string now;   // its last value
  };
  std::string_view id;
  std::string_view title;
  std::string top;    // the value at its upper edge
  std::string since;  // the time at its left edge, "10 min ago"
  std::vector<Line> lines;
};

// Pages a second, bytes a second, queued against crawled, memory against its budget (0: none is known), of
// the `span` seconds before the last sample, or of as many as there are, but no less than a minute.  Pure.
std::vector<CrawlChart> DrawCrawl(const std::vector<CrawlSample>& samples, int64_t span,
                                  uint64_t memory_budget);

}  // namespace crivello::serve
