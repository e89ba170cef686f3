// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "cli/command.h"
#include "crawl/crawl_options.h"

namespace crivello::cli {

// The options of `crawl` and `up` for revisiting pages, as text.
struct RevisitFlags {
  bool continuous = false;
  std::string policy = "optimal";
  std::string budget = "5%";
  std::string share = "50%";
  Duration shortest = std::chrono::hours(1);
  Duration longest = std::chrono::hours(24 * 365);
  uint64_t keep_versions = 0;
};

void AddRevisitFlags(CLI::App& command, RevisitFlags& flags);
// InvalidArgument if a value is invalid.
Status FinishRevisitOptions(const RevisitFlags& flags, crawl::CrawlOptions* options);

// "5%" is 0.05.  InvalidArgument if it is not a percentage from 0 to 100.
Result<double> ParsePercent(std::string_view text);

}  // namespace crivello::cli
