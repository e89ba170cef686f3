// SPDX-License-Identifier: Apache-2.0
#include "cli/config/crawl_flags.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <optional>

#include "base/atomic_file.h"
#include "base/signing/key_file.h"
#include "cli/app.h"
#include "cli/config/host_settings.h"
#include "cli/units.h"
#include "collection/collection_file.h"
#include "fetch/hosts_file.h"
#include "policy/contact.h"
#include "policy/seed.h"
#include "store/archive_reader.h"

namespace crivello::cli {
namespace {

constexpr uint64_t kLeastWarcBytes = uint64_t{1} << 20;

std::optional<frontier::PriorityOptions> PriorityOf(const std::vector<std::string>& names) {
  frontier::PriorityOptions priority;
  for (const std::string& name : names) {
    if (name == "short-url") {
      priority.short_url = true;
    } else if (name == "off-site") {
      priority.off_site = true;
    } else if (name == "depth") {
      priority.depth = true;
    } else if (name == "rank") {
      priority.host_rank = true;
    } else if (name.starts_with("page-keyword=") && name.size() > 13) {
      priority.page_keywords.push_back(name.substr(13));
    } else if (name.starts_with("keyword=") && name.size() > 8) {
      priority.keywords.push_back(name.substr(8));
    } else {
      return std::nullopt;
    }
  }
  return priority;
}

}  // namespace

void AddCrawlFlags(CLI::App& command, CrawlFlags& flags) {
  command.add_option("SEED", flags.options.seeds, "URLs to start from; without any, the crawl resumes");
  command.add_option("--seeds", flags.seeds_file, "File of seeds, one URL per line")->type_name("FILE");
  AddCrawlRules(command, flags);
}

void AddCrawlRules(CLI::App& command, CrawlFlags& flags) {
  crawl::CrawlOptions& options = flags.options;
  command
      .add_option("--scope", flags.scope,
                  "Fetch only URLs that share this with a seed: host, domain, suffix, any")
      ->check(CLI::IsMember({"host", "domain", "suffix", "any"}))
      ->type_name("SCOPE")
      ->group("What to fetch");
  command
      .add_option("--filter", flags.filters,
                  "POINT=EXPRESSION: keep only what matches at schedule, fetch, parse, follow or store")
      ->type_name("FILTER")
      ->allow_extra_args(false)
      ->group("What to fetch");
  AddCountOption(command, "--max-pages", options.budget.pages, "Stop after N pages (0: no limit)")
      ->group("What to fetch");
  AddCountOption(command, "--max-per-host", options.budget.per_host,
                 "Maximum number of URLs from one host (0: no limit)")
      ->group("What to fetch");
  AddCountOption(command, "--max-per-directory", options.budget.per_directory,
                 "Maximum number of URLs from one directory (0: no limit)")
      ->group("What to fetch");
  command
      .add_option("--max-depth", flags.max_depth,
                  "Maximum number of links from a seed (0: the seeds alone; without the option no limit)")
      ->transform(Natural())
      ->type_name("N")
      ->group("What to fetch");
  command
      .add_option("--max-links-per-page", options.budget.links_per_page,
                  "Follow only the first N links of a page (0: no limit)")
      ->transform(Natural())
      ->type_name("N")
      ->group("What to fetch");
  AddDurationOption(command, "--max-time", options.budget.time, "Stop after this time (0: no limit)")
      ->group("What to fetch");
  AddSizeOption(command, "--max-bytes", options.budget.bytes, "Stop after receiving this much (0: no limit)")
      ->group("What to fetch");
  command
      .add_option("--priority", flags.priorities,
                  "Which URLs come first: short-url, off-site, depth, rank, keyword=WORD (in URL or link), "
                  "page-keyword=WORD (on the linking page); default: first come, first served")
      ->type_name("WHAT")
      ->allow_extra_args(false)
      ->group("What to fetch");
  command
      .add_flag("--scale-by-rank", options.host_ranks.limits,
                "Let the best host have four times --max-per-host, the worst a quarter of it")
      ->group("What to fetch");
  command
      .add_option("--host-rank", options.host_rank,
                  "Rank of hosts that --priority rank and --scale-by-rank go by (crivello rank --level host)")
      ->type_name("NAME")
      ->capture_default_str()
      ->group("What to fetch");
  command.add_flag("--no-sitemaps", flags.no_sitemaps, "Ignore the sitemaps listed in robots.txt")
      ->group("What to fetch");
  command
      .add_flag("--follow-feeds", options.follow_feeds,
                "Poll the feeds that pages name, and fetch new items first")
      ->group("What to fetch");
  command
      .add_flag("--feed-items", options.feed_items,
                "Keep items of feeds that have their full text and no page as documents")
      ->group("What to fetch");
  command.add_option("--sitemap", options.sitemap_seeds, "Sitemaps to start from, in addition to seeds")
      ->type_name("URL")
      ->allow_extra_args(false)
      ->group("What to fetch");
  command
      .add_option("--near-duplicates", flags.near_duplicates,
                  "What to do with pages nearly equal to one already fetched: nothing (off), mark them, mark "
                  "them and follow no links to other hosts (nofollow), or drop them (skip)")
      ->check(CLI::IsMember({"off", "mark", "nofollow", "skip"}))
      ->type_name("HOW")
      ->group("What to fetch");
  command
      .add_flag("--refresh", options.refresh,
                "Fetch seeds again (those given, or all) and follow their new links")
      ->group("What to fetch");

  AddRevisitFlags(command, flags.revisits);

  AddDurationOption(command, "--delay", options.politeness.host_delay,
                    "Delay between two requests to the same host")
      ->group("Politeness");
  AddDurationOption(command, "--ip-delay", options.politeness.address_delay,
                    "Delay between two requests to the same IP address")
      ->group("Politeness");
  AddDurationOption(command, "--back-off", options.politeness.first_back_off,
                    "Pause after a host's first failure; doubles with each further failure")
      ->group("Politeness");
  command
      .add_option("--proportion", options.politeness.proportion,
                  "Fetch in bursts of 1 s per connection, then wait burst/P (0: one request at a time)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("P")
      ->group("Politeness");
  command
      .add_option("--burst", options.politeness.burst_requests,
                  "Fetch up to N pages of a host in a row over one connection, then wait for the delay")
      ->transform(Natural())
      ->check(CLI::Range(1, 100))
      ->type_name("N")
      ->capture_default_str()
      ->group("Politeness");
  command
      .add_option("--contact", options.contact,
                  "E-mail address or URL where webmasters can reach you; kept in the collection")
      ->type_name("WHO")
      ->group("Politeness");
  command
      .add_option("--user-agent", options.user_agent, "User-Agent header (default: program name and contact)")
      ->type_name("TEXT")
      ->group("Politeness");
  command
      .add_option("--sign-key", flags.sign_key,
                  "Sign each request with the key in FILE (crivello sign-key new FILE); needs --sign-agent")
      ->type_name("FILE")
      ->group("Politeness");
  command
      .add_option(
          "--sign-agent", flags.sign_agent,
          "Where servers find the public key: https URL of a key directory, or of the host that serves it")
      ->type_name("URL")
      ->group("Politeness");
  command.add_flag("--no-cookies", flags.no_cookies, "Send no cookies (they are never kept after the crawl)")
      ->group("Politeness");
  command
      .add_flag("--allow-private", options.allow_private, "Also fetch from private and loopback addresses")
      ->group("Politeness");

  AddDurationOption(command, "--timeout", options.limits.total_time, "Maximum time of one request")
      ->group("Resources and network");
  command.add_option("--connections", options.connections, "Maximum number of open connections")
      ->transform(Natural())
      ->check(CLI::Range(1, 100000))
      ->type_name("N")
      ->group("Resources and network");
  AddSizeOption(command, "--memory", options.memory_bytes,
                "Memory limit for queues, caches and pages together")
      ->group("Resources and network");
  AddSizeOption(command, "--min-free", options.min_free_bytes, "Stop when less disk space than this is free")
      ->group("Resources and network");
  AddSizeOption(command, "--max-body", options.limits.body_bytes,
                "Maximum size of a page; the rest is truncated")
      ->group("Resources and network");
  command
      .add_option(
          "--sieve", options.sieve,
          "How a new collection remembers URLs: mercator, offline, rocksdb, memory, bloom, blocked-bloom")
      ->type_name("KIND")
      ->group("Resources and network");
  command
      .add_option("--tablets", options.tablets,
                  "Number of tablets of a new collection, a power of two (0: 1; of a cluster 16)")
      ->transform(Natural())
      ->type_name("N")
      ->group("Resources and network");
  command.add_option("--warc-compression", flags.compression, "Compression of the archive: gzip, zstd, none")
      ->check(CLI::IsMember({"gzip", "zstd", "none"}))
      ->type_name("HOW")
      ->group("Resources and network");
  AddSizeOption(command, "--warc-size", options.warc_bytes, "Size at which a file of the archive is complete")
      ->group("Resources and network");
  command
      .add_option("--warc-prefix", options.warc_prefix,
                  "Start of the names of archive files: letters, digits, '-' and '_'")
      ->type_name("TEXT")
      ->group("Resources and network");
  command
      .add_flag("--no-archive-robots", flags.no_archive_robots,
                "Do not archive the answers to requests for robots.txt")
      ->group("Resources and network");
  command
      .add_option("--log", options.log_file,
                  "Append a line for each fetch, with the columns of Heritrix's crawl.log")
      ->type_name("FILE")
      ->group("Resources and network");
  command.add_option("--hosts-file", flags.hosts_file, "File of lines 'ADDRESS NAME' to use instead of DNS")
      ->type_name("FILE")
      ->group("Resources and network");
  command.add_option("--dns", options.dns_servers, "DNS servers to use instead of the system's")
      ->type_name("ADDRESS")
      ->allow_extra_args(false)
      ->group("Resources and network");
  command.add_option("--proxy", options.proxy, "Proxy: an http://, https:// or socks5h:// URL")
      ->type_name("URL")
      ->group("Resources and network");
  command
      .add_option("--authorities", options.authorities,
                  "Certificate authorities to trust (PEM) instead of the system's")
      ->type_name("FILE")
      ->group("Resources and network");
  command
      .add_flag("--any-certificate", flags.any_certificate,
                "Accept invalid certificates, and record that in the archive")
      ->group("Resources and network");
  command.add_flag("--stages", options.measure_stages, "Print the CPU time of each stage at the end")
      ->group("Resources and network");
}

Result<crawl::CrawlOptions> FinishCrawlOptions(const Session& session, const CrawlFlags& flags) {
  crawl::CrawlOptions options = flags.options;
  CRV_TRY(AddHostSettings(session, &options));
  if (!flags.seeds_file.empty()) {
    CRV_ASSIGN(const std::string text, ReadFile(flags.seeds_file));
    auto seeds = policy::ReadSeedLines(text);
    if (!seeds.ok()) return seeds.status().WithContext(flags.seeds_file);
    options.seeds.insert(options.seeds.end(), seeds->begin(), seeds->end());
  }
  // Before anything is created on disk.
  for (const auto* urls : {&options.seeds, &options.sitemap_seeds}) {
    for (const std::string& url : *urls) CRV_TRY(policy::SeedUrl(url).status());
  }
  options.scope = policy::ScopeKindOf(flags.scope).value_or(policy::ScopeKind::kHost);
  for (const std::string& filter : flags.filters) CRV_TRY(options.filters.Add(filter));
  const auto priority = PriorityOf(flags.priorities);
  if (!priority) {
    return Status::InvalidArgument(
        "--priority takes short-url, off-site, depth, rank, keyword=WORD and page-keyword=WORD");
  }
  options.priority = *priority;
  if (!flags.hosts_file.empty()) {
    CRV_ASSIGN(const std::string text, ReadFile(flags.hosts_file));
    auto hosts = fetch::ParseHostsFile(text);
    if (!hosts.ok()) return hosts.status().WithContext(flags.hosts_file);
    options.hosts = std::move(hosts).value();
  }
  options.compression = flags.compression == "zstd"   ? store::WarcCompression::kZstd
                        : flags.compression == "none" ? store::WarcCompression::kNone
                                                      : store::WarcCompression::kGzip;
  if (flags.any_certificate) options.certificates = fetch::CertificatePolicy::kNote;
  options.near_duplicates =
      crawl::NearDuplicatesOf(flags.near_duplicates).value_or(crawl::NearDuplicates::kMark);
  if (!store::IsArchivePrefix(options.warc_prefix)) {
    return Status::InvalidArgument(fmt::format(
        "invalid --warc-prefix '{}': expected 1 to 64 letters, digits, '-' and '_'", options.warc_prefix));
  }
  if (options.warc_bytes < kLeastWarcBytes) return Status::InvalidArgument("--warc-size must be at least 1M");
  CRV_TRY(FinishRevisitOptions(flags.revisits, &options));
  options.budget.depth = flags.max_depth.value_or(0);
  options.budget.seeds_only = flags.max_depth == 0;
  if (options.politeness.proportion > 0 && options.politeness.burst_requests > 1) {
    return Status::InvalidArgument("choose --burst or --proportion: both say when a burst ends");
  }
  if (flags.sign_key.empty() != flags.sign_agent.empty()) {
    return Status::InvalidArgument(fmt::format("--sign-key and --sign-agent go together: {} is missing",
                                               flags.sign_key.empty() ? "--sign-key" : "--sign-agent"));
  }
  if (!flags.sign_key.empty()) {
    CRV_ASSIGN(auto key, ReadSignKey(flags.sign_key));
    auto directory = web::KeyDirectoryUrl(flags.sign_agent);
    if (!directory.ok()) return Status::InvalidArgument("--sign-agent: " + directory.status().message());
    options.identity = std::make_shared<web::BotIdentity>(std::move(key), *std::move(directory));
  }
  // URLs listed in the sitemap of a site are not seeds.
  options.archive_robots = !flags.no_archive_robots;
  options.sitemaps = !flags.no_sitemaps && !options.budget.seeds_only;
  options.cookies = !flags.no_cookies;
  return options;
}

void WarnOfSeedsOnly(const Session& session, const crawl::CrawlOptions& options) {
  if (!options.budget.seeds_only) return;
  session.log->Write(LogLevel::kWarning, "crawl.seeds_only",
                     "max-depth is 0: only the seeds are fetched; leave the option out for no limit");
}

Result<std::string> Contact(const Session& session, const crawl::CrawlOptions& options) {
  std::string contact = options.contact;
  if (contact.empty()) {
    if (options.allow_private) return contact;
    if (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0) {
      return Status::InvalidArgument(
          "--contact is required: an e-mail address or a URL where webmasters can reach you (not with "
          "--allow-private)");
    }
    session.err->Print("Webmasters must be able to reach you. Your e-mail address, or the URL of a page: ");
    if (!std::getline(std::cin, contact)) contact.clear();
  }
  auto parsed = policy::ParseContact(contact);
  if (!parsed.ok()) return parsed.status().WithContext("--contact");
  return parsed;
}

Status RememberContact(const Session& session, const std::string& contact) {
  if (contact.empty()) return Status::Ok();
  const std::string path = fmt::format("{}/{}", session.collection, collection::kCollectionFileName);
  CRV_ASSIGN(const collection::CollectionFile file, collection::CollectionFile::Read(session.collection));
  for (const char* command : {"up", "crawl"}) {
    const auto table = file.options.find(command);
    if (table != file.options.end() && table->second.options.contains("contact")) return Status::Ok();
  }
  CRV_ASSIGN(const std::string text, ReadFile(path));
  return WriteFileAtomically(path, AsBytes(collection::WithOption(text, "crawl", "contact", contact)));
}

}  // namespace crivello::cli
