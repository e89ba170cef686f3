// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "care/exclusion_work.h"
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

  // What is left out by its owner's word (crawl/exclusions.h).
  virtual std::vector<policy::Exclusion> exclusions() const = 0;
  // What an exclusion would drop, and what not; changes nothing.
  virtual Result<care::ExclusionPreview> Preview(const policy::Exclusion& exclusion) = 0;
  // Leaves that out from now on, durably, and drops it from the queues.  How many URLs were dropped; nothing
  // if that goes on, for what is being fetched is ended first.
  virtual Result<std::optional<uint64_t>> Exclude(const policy::Exclusion& exclusion) = 0;
  // Takes an exclusion back.  What it dropped stays dropped.  NotFound if there is none such.
  virtual Status Include(const policy::Exclusion& exclusion) = 0;
};

}  // namespace crivello::serve
