// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "serve/dashboard/crawl_charts.h"
#include "serve/dashboard/crawl_history.h"
#include "serve/http/event_stream.h"
#include "serve/sources.h"

namespace crivello::serve {

// The current state of a crawl, with rates computed from its history.
struct CrawlMoment {
  CrawlControl::State state = CrawlControl::State::kRunning;
  CrawlStatus crawl;
  IndexStats index;
  CollectionStats counts;       // of the collection
  uint64_t resident_bytes = 0;  // memory of the process
  uint64_t memory_budget = 0;   // 0: not known
  double pages_per_second = 0;  // of the last ten seconds
  double bytes_per_second = 0;
  // Estimated seconds until the queue is empty, if it keeps shrinking as in the last minute; else nullopt.
  std::optional<double> seconds_left = {};
  std::string idle;  // why nothing is being fetched; empty if something is
};

// The texts to show, each under the name by which the page and its scripts know it.
std::vector<std::pair<std::string_view, std::string>> TextsOf(const CrawlMoment& moment);

// Samples a crawl every second, keeps its history, and sends server-sent events to those who watch it.  Runs
// a thread of its own until it is destroyed.  Thread-safe.
class CrawlMonitor {
 public:
  // REQUIRES: sources.crawl and sources.pages are not null.
  explicit CrawlMonitor(Sources sources, Duration interval = std::chrono::seconds(1));
  ~CrawlMonitor();
  CrawlMonitor(const CrawlMonitor&) = delete;
  CrawlMonitor& operator=(const CrawlMonitor&) = delete;

  // Up to date, not as of the last second, so that a change just made is visible.
  CrawlMoment Now() const CRV_EXCLUDES(mu_);
  std::vector<CrawlSample> Last(int64_t span) const CRV_EXCLUDES(mu_);
  std::vector<CrawlChart> Charts(int64_t span) const;

  // An event "crawl" every second, with {"state":…,"texts":{name:text},"charts":{span:{id:…}}}.
  EventStream& events() { return events_; }

 private:
  void Run() CRV_EXCLUDES(mu_);
  void Look() CRV_EXCLUDES(mu_);
  void Publish();

  const Sources sources_;
  const Duration interval_;
  EventStream events_;
  mutable Mutex mu_;
  CrawlHistory history_ CRV_GUARDED_BY(mu_);
  bool stopping_ CRV_GUARDED_BY(mu_) = false;
  std::condition_variable_any stop_;
  std::thread thread_;  // the last member
};

// "running", "paused", "finished".
std::string_view NameOf(CrawlControl::State state);

}  // namespace crivello::serve
