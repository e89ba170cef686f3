// SPDX-License-Identifier: Apache-2.0
#include "cli/config/option_reasons.h"

namespace crivello::cli {
namespace {

struct Reason {
  std::string_view table;
  std::string_view option;
  std::string_view why;
};

constexpr Reason kReasons[] = {
    {"crivello", "collection", "A folder in the current directory: nothing is written elsewhere."},
    {"crivello", "log-format", "For people; use json for log collectors."},
    {"crivello", "log-level", "What an operator acts on, without a line for each request or page."},

    {"crawl", "scope", "Only the sites that were given, not the web behind their links."},
    {"crawl", "max-pages", "0: no limit, because the scope limits the crawl."},
    {"crawl", "max-per-host", "0: no limit."},
    {"crawl", "max-per-directory", "0: no limit."},
    {"crawl", "host-rank", "The rank of hosts that 'up' computes by itself."},
    {"crawl", "max-links-per-page",
     "0: no limit, because menus come first on most pages and would use it up."},
    {"crawl", "max-time", "0: no limit, because a stopped crawl can be resumed."},
    {"crawl", "max-bytes", "0: no limit, because min-free stops the crawl before the disk is full."},
    {"crawl", "near-duplicates",
     "Nothing is lost: near-copies are fetched and followed, and search shows one of them."},
    {"crawl", "revisit", "Keeps most copies current for the same number of visits (docs/freshness.md)."},
    {"crawl", "revisit-budget",
     "Each page once in 20 days on average: what a small crawl can afford beside new pages."},
    {"crawl", "revisit-share", "New pages and revisits get the same number of visits."},
    {"crawl", "revisit-shortest", "No site likes its page fetched more often than that by one crawler."},
    {"crawl", "revisit-longest", "A page that has never changed is looked at once a year."},
    {"crawl", "keep-versions",
     "0: all, because a version that is deleted from the table is hard to find again."},
    {"crawl", "delay",
     "What webmasters consider polite from an unknown crawler; robots.txt may ask for more."},
    {"crawl", "ip-delay", "Many hosts share an address, so it is shorter than the delay of a host."},
    {"crawl", "back-off",
     "A server that restarts is back by then, and a server that is down gets few requests."},
    {"crawl", "proportion",
     "0: one request at a time, then the delay. Use more only for hosts that agreed to it."},
    {"crawl", "burst",
     "1: one request at a time, then the delay. Use more only for hosts that agreed to it."},
    {"crawl", "timeout", "A slow server still delivers a large page in that time."},
    {"crawl", "connections",
     "With a delay of seconds this serves a few hundred hosts at once, within the usual limits of a system."},
    {"crawl", "memory", "What a small machine can spare; larger queues are kept on disk."},
    {"crawl", "min-free", "A full disk harms every other program on the machine."},
    {"crawl", "max-body",
     "Almost all pages are smaller, and text beyond that is rarely what a page is about."},
    {"crawl", "tablets",
     "0: one for a new collection, otherwise as many as it has. Several are for several machines."},
    {"crawl", "warc-size", "What archives usually exchange: large enough to be few, small enough to copy."},
    {"crawl", "warc-prefix", "The program's name; archives that collect files of many crawls want another."},
    {"crawl", "warc-compression", "Every archive tool reads gzip; zstd is smaller and faster to read."},
    {"crawl", "hosts", "Only with simulate."},
    {"crawl", "pages", "Only with simulate."},

    {"serve", "listen", "This machine only: its owner decides whether others have access."},
    {"serve", "serve-threads",
     "Two for each core of a small machine: one can wait for the disk while another computes."},
};

}  // namespace

std::string_view ReasonOf(std::string_view table, std::string_view option) {
  for (const Reason& reason : kReasons) {
    if (reason.table == table && reason.option == option) return reason.why;
  }
  return "";
}

std::vector<std::pair<std::string_view, std::string_view>> OptionsWithReasons() {
  std::vector<std::pair<std::string_view, std::string_view>> options;
  for (const Reason& reason : kReasons) options.emplace_back(reason.table, reason.option);
  return options;
}

}  // namespace crivello::cli
