// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "crawl/crawl_stats.h"

namespace crivello::serve {

// A crawl that runs in this process, for those who watch and steer it.  Thread-safe.
class CrawlControl {
 public:
  virtual ~CrawlControl() = default;
  enum class State { kRunning, kPaused, kFinished };
  virtual State state() const = 0;
  virtual crawl::CrawlStats stats() const = 0;
  virtual std::vector<std::string> seeds() const = 0;
  // Adds seeds, durably; a crawl that had finished goes on.  InvalidArgument names the one that is no URL.
  virtual Status AddSeeds(const std::vector<std::string>& urls) = 0;
  // A crawl stays paused until it is resumed, also if the program is started again.
  virtual Status Pause() = 0;
  virtual Status Resume() = 0;
};

}  // namespace crivello::serve
