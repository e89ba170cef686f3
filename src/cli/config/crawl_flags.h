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

// The options of `crawl` as they are written, until FinishCrawlOptions() reads files and expressions.
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
  bool no_cookies = false;
  RevisitFlags revisits;
  std::optional<uint32_t> max_depth;  // 0: the seeds alone
  std::string sign_key;               // a file
  std::string sign_agent;             // the URL of the directory of keys
};

// All of them; and all but those that name seeds.
void AddCrawlFlags(CLI::App& command, CrawlFlags& flags);
void AddCrawlRules(CLI::App& command, CrawlFlags& flags);
Result<crawl::CrawlOptions> FinishCrawlOptions(const Session& session, const CrawlFlags& flags);

// --max-depth 0 fetches the seeds alone; of other limits 0 means none, so it is said.
void WarnOfSeedsOnly(const Session& session, const crawl::CrawlOptions& options);

// How webmasters reach whoever runs the crawl: as given, or asked for on a terminal.  InvalidArgument if it
// is not one (policy/contact.h), or is needed and there is nobody to ask.
Result<std::string> Contact(const Session& session, const crawl::CrawlOptions& options);

// Keeps the contact in the collection's crivello.toml, unless that has one: so later commands need none.
// REQUIRES: the collection is there.
Status RememberContact(const Session& session, const std::string& contact);

}  // namespace crivello::cli
