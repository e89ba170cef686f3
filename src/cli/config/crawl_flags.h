// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/command.h"
#include "cli/config/revisit_flags.h"
#include "crawl/crawl_options.h"

namespace crivello::cli {

// The options of `crawl` as text; FinishCrawlOptions() reads files and parses expressions.
struct CrawlFlags {
  crawl::CrawlOptions options;
  std::string seeds_file;
  std::string scope = "host";
  std::vector<std::string> filters;
  std::vector<std::string> priorities;
  std::string hosts_file;
  std::string near_duplicates = "mark";
  std::string compression = "gzip";
  bool any_certificate = false;
  bool no_sitemaps = false;
  bool no_archive_robots = false;
  bool no_cookies = false;
  RevisitFlags revisits;
  std::optional<uint32_t> max_depth;  // 0: seeds only
  std::string sign_key;               // a file
  std::string sign_agent;             // the URL of the directory of keys
};

// Adds all of them, or all except those that name seeds.
void AddCrawlFlags(CLI::App& command, CrawlFlags& flags);
void AddCrawlRules(CLI::App& command, CrawlFlags& flags);
Result<crawl::CrawlOptions> FinishCrawlOptions(const Session& session, const CrawlFlags& flags);

// --max-depth 0 fetches only the seeds; since 0 means "no limit" in other options, this warns about it.
void WarnOfSeedsOnly(const Session& session, const crawl::CrawlOptions& options);

// How webmasters can reach the operator: as given, or asked for on a terminal.  InvalidArgument if it is not
// a valid contact (policy/contact.h), or if it is needed and there is no terminal.
Result<std::string> Contact(const Session& session, const crawl::CrawlOptions& options);

// Saves the contact in the collection's crivello.toml, unless that has one, so that later commands need none.
// REQUIRES: the collection exists.
Status RememberContact(const Session& session, const std::string& contact);

}  // namespace crivello::cli
