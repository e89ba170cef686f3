// SPDX-License-Identifier: Apache-2.0
#include "cli/config/crawl_flags.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <optional>

#include "base/atomic_file.h"
#include "cli/app.h"
#include "cli/units.h"
#include "collection/collection_file.h"
#include "fetch/hosts_file.h"
#include "policy/contact.h"
#include "policy/seed.h"

namespace crivello::cli {
namespace {

std::optional<frontier::PriorityOptions> PriorityOf(const std::vector<std::string>& names) {
  frontier::PriorityOptions priority;
  for (const std::string& name : names) {
    if (name == "short-url") {
      priority.short_url = true;
    } else if (name == "off-site") {
      priority.off_site = true;
    } else if (name == "depth") {
      priority.depth = true;
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
  crawl::CrawlOptions& options = flags.options;
  command.add_option("SEED", options.seeds, "URLs to start from; without any, the crawl resumes");
  command.add_option("--seeds", flags.seeds_file, "A file of seeds, one a line")->type_name("FILE");

  command
      .add_option("--scope", flags.scope,
                  "Fetch only what shares this with a seed: host, domain, suffix, any")
      ->check(CLI::IsMember({"host", "domain", "suffix", "any"}))
      ->type_name("SCOPE")
      ->group("What to fetch");
  command
      .add_option("--filter", flags.filters, "POINT=EXPRESSION, at schedule, fetch, parse, follow or store")
      ->type_name("FILTER")
      ->allow_extra_args(false)
      ->group("What to fetch");
  AddCountOption(command, "--max-pages", options.budget.pages, "Stop after so many pages")
      ->group("What to fetch");
  AddCountOption(command, "--max-per-host", options.budget.per_host, "URLs of one host, at most")
      ->group("What to fetch");
  AddCountOption(command, "--max-per-directory", options.budget.per_directory,
                 "URLs of one directory, at most")
      ->group("What to fetch");
  command
      .add_option("--max-depth", options.budget.depth, "Maximum number of links from a seed (0: no limit)")
      ->transform(Natural())
      ->type_name("N")
      ->group("What to fetch");
  AddDurationOption(command, "--max-time", options.budget.time, "Stop after so long")->group("What to fetch");
  AddSizeOption(command, "--max-bytes", options.budget.bytes, "Stop after so many bytes")
      ->group("What to fetch");
  command
      .add_option("--priority", flags.priorities,
                  "Serve first, within a host: short-url, off-site, depth, keyword=WORD; else first come")
      ->type_name("WHAT")
      ->allow_extra_args(false)
      ->group("What to fetch");
  command.add_flag("--no-sitemaps", flags.no_sitemaps, "Do not read the sitemaps that robots.txt names")
      ->group("What to fetch");
  command.add_option("--sitemap", options.sitemap_seeds, "URLs of sitemaps to start from, as from seeds")
      ->type_name("URL")
      ->allow_extra_args(false)
      ->group("What to fetch");
  command
      .add_flag(
          "--refresh", options.refresh,
          "Ask again for the seeds (those given, or all) that were fetched before, and follow new links")
      ->group("What to fetch");

  AddDurationOption(command, "--delay", options.politeness.host_delay, "Between two requests to a host")
      ->group("Manners");
  AddDurationOption(command, "--ip-delay", options.politeness.address_delay,
                    "Between two requests to an address")
      ->group("Manners");
  AddDurationOption(command, "--back-off", options.politeness.first_back_off,
                    "Rest after a host's first failure; twice as long after each further one")
      ->group("Manners");
  command
      .add_option("--proportion", options.politeness.proportion,
                  "Fetch for a second over one connection, then rest for as long divided by this")
      ->check(CLI::NonNegativeNumber)
      ->type_name("P")
      ->group("Manners");
  command
      .add_option("--contact", options.contact,
                  "E-mail address or URL where webmasters can reach you; kept in the collection")
      ->type_name("WHO")
      ->group("Manners");
  command.add_option("--user-agent", options.user_agent, "Instead of the program's name and the contact")
      ->type_name("TEXT")
      ->group("Manners");
  command.add_flag("--no-cookies", flags.no_cookies, "Send back no cookies (never kept past the run)")
      ->group("Manners");
  command.add_flag("--allow-private", options.allow_private, "Fetch from private and loopback addresses too")
      ->group("Manners");

  command.add_option("--connections", options.connections, "Open at one time, at most")
      ->transform(Natural())
      ->check(CLI::Range(1, 100000))
      ->type_name("N")
      ->group("Means");
  AddSizeOption(command, "--memory", options.memory_bytes, "For queues, caches and pages together")
      ->group("Means");
  AddSizeOption(command, "--min-free", options.min_free_bytes, "Stop before the disk has less")
      ->group("Means");
  AddSizeOption(command, "--max-body", options.limits.body_bytes, "Of one page; the rest is cut off")
      ->group("Means");
  command
      .add_option(
          "--sieve", options.sieve,
          "How a new collection remembers URLs: mercator, offline, rocksdb, memory, bloom, blocked-bloom")
      ->type_name("KIND")
      ->group("Means");
  command.add_option("--tablets", options.tablets, "Parts of a new collection: a power of two")
      ->transform(Natural())
      ->type_name("N")
      ->group("Means");
  command.add_option("--warc-compression", flags.compression, "Of the archive: gzip, zstd, none")
      ->check(CLI::IsMember({"gzip", "zstd", "none"}))
      ->type_name("HOW")
      ->group("Means");
  command
      .add_option("--hosts-file", flags.hosts_file, "Lines 'ADDRESS NAME': these names are not asked of DNS")
      ->type_name("FILE")
      ->group("Means");
  command.add_option("--dns", options.dns_servers, "Name servers, instead of the system's")
      ->type_name("ADDRESS")
      ->allow_extra_args(false)
      ->group("Means");
  command.add_option("--proxy", options.proxy, "http://, https:// or socks5h:// URL of a proxy")
      ->type_name("URL")
      ->group("Means");
  command.add_option("--authorities", options.authorities, "Authorities to trust (PEM), not the system's")
      ->type_name("FILE")
      ->group("Means");
  command.add_flag("--any-certificate", flags.any_certificate, "Note a bad certificate and go on")
      ->group("Means");
  command.add_flag("--stages", options.measure_stages, "Tell at the end what CPU time each stage took")
      ->group("Means");
}

Result<crawl::CrawlOptions> FinishCrawlOptions(const CrawlFlags& flags) {
  crawl::CrawlOptions options = flags.options;
  if (!flags.seeds_file.empty()) {
    CRV_ASSIGN(const std::string text, ReadFile(flags.seeds_file));
    auto seeds = policy::ReadSeedLines(text);
    if (!seeds.ok()) return seeds.status().WithContext(flags.seeds_file);
    options.seeds.insert(options.seeds.end(), seeds->begin(), seeds->end());
  }
  // Before anything is made on the disk.
  for (const auto* urls : {&options.seeds, &options.sitemap_seeds}) {
    for (const std::string& url : *urls) CRV_TRY(policy::SeedUrl(url).status());
  }
  options.scope = policy::ScopeKindOf(flags.scope).value_or(policy::ScopeKind::kHost);
  for (const std::string& filter : flags.filters) CRV_TRY(options.filters.Add(filter));
  const auto priority = PriorityOf(flags.priorities);
  if (!priority) {
    return Status::InvalidArgument("--priority takes short-url, off-site, depth and keyword=WORD");
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
  options.sitemaps = !flags.no_sitemaps;
  options.cookies = !flags.no_cookies;
  return options;
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
