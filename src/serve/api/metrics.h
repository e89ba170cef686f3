// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "serve/api/disk_stats.h"
#include "serve/dashboard/crawl_control.h"
#include "serve/http/http_server.h"

namespace crivello::serve {

// Metrics in the text that Prometheus reads (exposition format 0.0.4).  docs/metrics.md lists their names.
class MetricsText {
 public:
  enum class Type : uint8_t { kCounter, kGauge, kHistogram };
  // Begins a family; its samples follow.
  void Family(std::string_view name, Type type, std::string_view help);
  // `labels` is the text between the braces, "a=\"b\"", or empty; `suffix` is appended to the family's name.
  void Sample(std::string_view suffix, std::string_view labels, double value);
  // A family with a single sample.
  void One(std::string_view name, Type type, std::string_view help, double value);
  std::string Finish() && { return std::move(text_); }

 private:
  std::string name_;
  std::string text_;
};

// How requests were answered: the count by endpoint and status, and the latency by endpoint.
// Thread-safe.
class RequestMetrics {
 public:
  // The duration is that of the handler alone, without the wait in the queue.
  void Record(std::string_view route, unsigned status, Duration duration) CRV_EXCLUDES(mutex_);
  void AppendTo(MetricsText* text) const CRV_EXCLUDES(mutex_);

 private:
  static constexpr std::array<double, 12> kBounds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                     0.05,   0.1,   0.25,   0.5,   1,    2.5};
  struct Times {
    std::array<uint64_t, kBounds.size() + 1> counts{};  // up to each bound, and beyond
    double seconds = 0;
  };
  struct OfRoute {
    std::map<unsigned, uint64_t> statuses;
    Times times;
  };
  mutable Mutex mutex_;
  std::map<std::string, OfRoute, std::less<>> routes_ CRV_GUARDED_BY(mutex_);
};

void AppendHttp(const HttpStats& counters, MetricsText* text);
void AppendCrawl(const CrawlStatus& crawl, MetricsText* text);
void AppendDisk(const DiskStats& disk, MetricsText* text);

}  // namespace crivello::serve
