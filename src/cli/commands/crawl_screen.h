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

// What the screen shows of a crawl at one moment.
struct CrawlView {
  crawl::CrawlStats stats = {};
  std::string more = {};      // what happens beside it; follows the first line
  std::string standing = {};  // why nothing is being fetched, and nothing will be without an order
};

// What a crawl is doing, in some lines for people: rates, totals, queues, and why it is idle when it is.
// `seconds` is how long it has run, `before` the numbers of `interval` seconds ago, for the rates.
std::string DescribeCrawl(const CrawlView& now, const crawl::CrawlStats& before, double interval,
                          double seconds);

// Shows that while a crawl runs: on a terminal redrawn twice a second, elsewhere an event every ten seconds,
// and none while the crawl is at a standstill and nothing has changed.  A thread of its own, until destroyed.
class CrawlScreen {
 public:
  CrawlScreen(std::function<CrawlView()> view, const Session& session);
  ~CrawlScreen();
  CrawlScreen(const CrawlScreen&) = delete;
  CrawlScreen& operator=(const CrawlScreen&) = delete;

 private:
  void Run();
  void Draw(const std::string& text);
  void Log(const std::string& text, const crawl::CrawlStats& stats, double pages_per_second);

  const std::function<CrawlView()> view_;
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
