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

// What the progress display shows of a crawl at one moment.
struct CrawlView {
  crawl::CrawlStats stats = {};
  std::string more = {};      // what else is going on; appended to the first line
  std::string standing = {};  // why nothing is being fetched, and nothing will be without a command
};

// Describes a running crawl in some lines for people: rates, totals, queues, and why it is idle if it is.
// `seconds` is how long it has run; `before` has the numbers from `interval` seconds ago, for the rates.
std::string DescribeCrawl(const CrawlView& now, const crawl::CrawlStats& before, double interval,
                          double seconds);

// Displays this during a crawl: redrawn twice a second on a terminal, otherwise an event every ten seconds,
// and none while the crawl is idle and nothing has changed.  Runs its own thread until destroyed.
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
