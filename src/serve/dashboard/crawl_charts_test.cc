// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/crawl_charts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace crivello::serve {
namespace {

TEST(CrawlChartsTest, DrawsRatesAndLevelsFromTheRightEdge) {
  std::vector<CrawlSample> samples;
  for (int64_t i = 0; i <= 300; i += 4) {
    const auto n = static_cast<uint64_t>(i);
    samples.push_back({.time = 1000 + i, .pages = 5 * n, .rows = n, .queued = 300 - n, .resident = 1 << 20});
  }
  const auto charts = DrawCrawl(samples, 600, 4 << 20);
  ASSERT_EQ(charts.size(), 4u);
  EXPECT_EQ(charts[0].id, "rate");
  EXPECT_EQ(charts[0].top, "5.0/s");
  EXPECT_EQ(charts[0].lines[0].now, "5.0/s");
  EXPECT_EQ(charts[0].since, "5 min ago") << "there are no ten minutes";
  // At the top throughout: the first rate is that of the first two samples.
  EXPECT_TRUE(charts[0].lines[0].path.starts_with("M8.0 0.0L")) << charts[0].lines[0].path;
  EXPECT_TRUE(charts[0].lines[0].path.ends_with("L600.0 0.0")) << charts[0].lines[0].path;

  const CrawlChart& progress = charts[2];
  ASSERT_EQ(progress.lines.size(), 2u);
  EXPECT_EQ(progress.top, "500");
  EXPECT_EQ(progress.lines[0].now, "300");
  EXPECT_EQ(progress.lines[1].now, "0");
  EXPECT_TRUE(progress.lines[0].path.starts_with("M0.0 140.0")) << progress.lines[0].path;
  EXPECT_TRUE(progress.lines[1].path.starts_with("M0.0 56.0")) << progress.lines[1].path;

  EXPECT_EQ(charts[3].top, "4.0 MiB");
  EXPECT_EQ(charts[3].lines[0].now, "1.0 MiB");
}

TEST(CrawlChartsTest, DrawsNothingOfNothing) {
  for (const CrawlChart& chart : DrawCrawl({}, 600, 0)) {
    for (const CrawlChart::Line& line : chart.lines) EXPECT_EQ(line.path, "");
  }
  for (const CrawlChart& chart : DrawCrawl({{.time = 5}}, 600, 0)) {
    for (const CrawlChart::Line& line : chart.lines) EXPECT_EQ(line.path.find("nan"), std::string::npos);
  }
}

TEST(CrawlChartsTest, HasNoMorePointsThanCanBeSeen) {
  std::vector<CrawlSample> samples;
  for (int64_t i = 0; i < 600; ++i) samples.push_back({.time = i, .rows = static_cast<uint64_t>(i)});
  for (const CrawlChart& chart : DrawCrawl(samples, 600, 0)) {
    for (const CrawlChart::Line& line : chart.lines) {
      EXPECT_LE(std::count(line.path.begin(), line.path.end(), 'L'), 151);
    }
  }
}

}  // namespace
}  // namespace crivello::serve
