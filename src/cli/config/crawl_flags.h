// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/command.h"
#include "crawl/crawl_options.h"

namespace crivello::cli {

// The options of `crawl` as they are written, until FinishCrawlOptions() reads files and expressions.
struct CrawlFlags {
  crawl::CrawlOptions options;
  std::string seeds_file;
  std::string scope = "host";
  std::vector<std::string> filters;
  std::vector<std::string> priorities;
  std::string hosts_file;
  std::string compression = "gzip";
  bool any_certificate = false;
  bool no_sitemaps = false;
  bool no_cookies = false;
};

void AddCrawlFlags(CLI::App& command, CrawlFlags& flags);
Result<crawl::CrawlOptions> FinishCrawlOptions(const CrawlFlags& flags);

// Who answers for the crawl: asked for once on a terminal and kept in crivello.toml.  InvalidArgument if it
// is needed and there is no one to ask.
Result<std::string> Contact(const Session& session, const crawl::CrawlOptions& options);

}  // namespace crivello::cli
