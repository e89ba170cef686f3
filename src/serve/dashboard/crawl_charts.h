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

// A chart over time, as SVG paths.  The page shows it as is, and scripts replace the paths by newer ones, so
// only the server draws.
struct CrawlChart {
  struct Line {
    std::string_view name;
    std::string path;  // of SVG, from (0, kChartHeight), which is the oldest time and the value 0
    std::string now;   // its latest value
  };
  std::string_view id;
  std::string_view title;
  std::string top;    // the value at the upper edge
  std::string since;  // the time at the left edge, "10 min ago"
  std::vector<Line> lines;
};

// Charts pages per second, bytes per second, queued against crawled, and memory against its budget (0:
// unknown), over the last `span` seconds, or as many as there are, but at least a minute.  Pure.
std::vector<CrawlChart> DrawCrawl(const std::vector<CrawlSample>& samples, int64_t span,
                                  uint64_t memory_budget);

}  // namespace crivello::serve
