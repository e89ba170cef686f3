// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "cli/command.h"
#include "crawl/crawl_stats.h"

namespace crivello::cli {

// What a crawl is doing, in some lines for people: rates, totals, queues, and why it is idle when it is.
// `seconds` is how long it has run, `before` the numbers of `interval` seconds ago, for the rates.
std::string DescribeCrawl(const crawl::CrawlStats& now, const crawl::CrawlStats& before, double interval,
                          double seconds);

// Shows that while a crawl runs: on a terminal drawn anew twice a second, elsewhere an event every ten
// seconds. A thread of its own, until destroyed.
class CrawlScreen {
 public:
  // `more`, if there is one, says what goes on beside it: its text follows the first line.
  CrawlScreen(std::function<crawl::CrawlStats()> stats, const Session& session,
              std::function<std::string()> more = {});
  ~CrawlScreen();
  CrawlScreen(const CrawlScreen&) = delete;
  CrawlScreen& operator=(const CrawlScreen&) = delete;

 private:
  void Run();
  void Draw(const std::string& text);
  void Log(const std::string& text, const crawl::CrawlStats& stats, double pages_per_second);

  const std::function<crawl::CrawlStats()> stats_;
  const std::function<std::string()> more_;
  Logger& log_;
  Writer& to_;
  const bool terminal_;
  int drawn_lines_ = 0;
  std::mutex mu_;
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace crivello::cli
