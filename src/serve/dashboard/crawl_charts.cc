// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/crawl_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "serve/pages/wording.h"

namespace crivello::serve {
namespace {

// As many points as a screen can resolve: a rate is the mean between two of them.
constexpr int64_t kPoints = 150;
constexpr int64_t kLeastSpan = 60;

using Value = std::function<double(const CrawlSample&)>;

struct Series {
  std::string_view name;
  std::vector<std::pair<int64_t, double>> points;  // time, value
};

// Thins to one sample for each part of the span: its last.
std::vector<CrawlSample> Thinned(const std::vector<CrawlSample>& samples, int64_t step) {
  std::vector<CrawlSample> thin;
  for (const CrawlSample& sample : samples) {
    if (!thin.empty() && thin.back().time / step == sample.time / step) {
      thin.back() = sample;
    } else {
      thin.push_back(sample);
    }
  }
  return thin;
}

Series Levels(std::string_view name, const std::vector<CrawlSample>& samples, const Value& value) {
  Series series = {name, {}};
  for (const CrawlSample& sample : samples) series.points.emplace_back(sample.time, value(sample));
  return series;
}

Series Rates(std::string_view name, const std::vector<CrawlSample>& samples, const Value& sum) {
  Series series = {name, {}};
  for (size_t i = 1; i < samples.size(); ++i) {
    const auto seconds = static_cast<double>(samples[i].time - samples[i - 1].time);
    const double rate = seconds > 0 ? (sum(samples[i]) - sum(samples[i - 1])) / seconds : 0;
    series.points.emplace_back(samples[i].time, std::max(rate, 0.0));
  }
  return series;
}

// The smallest of 1, 2, 5, 10, 20 ... that is not less.
double RoundUp(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1, 2, 5, 10}) {
    if (factor * power >= value * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

// The same for bytes: 1, 2, 4 ...
double RoundUpBytes(double value) { return value <= 1 ? 1 : std::exp2(std::ceil(std::log2(value) - 1e-9)); }

using Format = std::function<std::string(double)>;

CrawlChart Draw(std::string_view id, std::string_view title, const std::vector<Series>& all, int64_t end,
                int64_t span, const std::function<double(double)>& round_up, const Format& format) {
  double most = 0;
  for (const Series& series : all) {
    for (const auto& [time, value] : series.points) most = std::max(most, value);
  }
  const double top = round_up(most);
  CrawlChart chart = {id, title, format(top), LastingOf(static_cast<double>(span)) + " ago", {}};
  for (const Series& series : all) {
    CrawlChart::Line line = {series.name, "",
                             series.points.empty() ? "" : format(series.points.back().second)};
    for (const auto& [time, value] : series.points) {
      const double x = kChartWidth * (1 - static_cast<double>(end - time) / static_cast<double>(span));
      const double y = kChartHeight * (1 - value / top);
      line.path += fmt::format("{}{:.1f} {:.1f}", line.path.empty() ? "M" : "L", x, y);
    }
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

double AsDouble(uint64_t value) { return static_cast<double>(value); }
std::string Count(double value) { return Grouped(static_cast<uint64_t>(std::llround(value))); }
std::string PagesRate(double value) { return fmt::format("{:.{}f}/s", value, value < 10 ? 1 : 0); }
std::string Bytes(double value) { return SizeOf(static_cast<uint64_t>(std::llround(value))); }
std::string BytesRate(double value) { return Bytes(value) + "/s"; }

}  // namespace

std::vector<CrawlChart> DrawCrawl(const std::vector<CrawlSample>& samples, int64_t span,
                                  uint64_t memory_budget) {
  if (!samples.empty()) {
    span = std::clamp(samples.back().time - samples.front().time, std::min(kLeastSpan, span), span);
  }
  const std::vector<CrawlSample> thin = Thinned(samples, (span + kPoints - 1) / kPoints);
  const int64_t end = thin.empty() ? 0 : thin.back().time;
  std::vector<Series> memory = {
      Levels("used", thin, [](const CrawlSample& sample) { return AsDouble(sample.resident); })};
  if (memory_budget > 0) {
    memory.push_back(Levels("budget", thin, [&](const CrawlSample&) { return AsDouble(memory_budget); }));
  }
  return {
      Draw("rate", "Pages per second",
           {Rates("pages", thin, [](const CrawlSample& sample) { return AsDouble(sample.pages); })}, end,
           span, RoundUp, PagesRate),
      Draw("received", "Received per second",
           {Rates("bytes", thin, [](const CrawlSample& sample) { return AsDouble(sample.bytes); })}, end,
           span, RoundUpBytes, BytesRate),
      Draw("progress", "Queued and crawled",
           {Levels("crawled", thin, [](const CrawlSample& sample) { return AsDouble(sample.rows); }),
            Levels("queued", thin, [](const CrawlSample& sample) { return AsDouble(sample.queued); })},
           end, span, RoundUp, Count),
      Draw("memory", "Memory", memory, end, span, RoundUpBytes, Bytes),
  };
}

}  // namespace crivello::serve
