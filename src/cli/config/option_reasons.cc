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
    {"crivello", "collection", "A folder beside whoever starts the program: nothing is written elsewhere."},
    {"crivello", "log-format", "People read it first; collectors of logs want json."},
    {"crivello", "log-level", "What an operator acts on, and no line for each request or page."},

    {"crawl", "scope", "The site that was asked for, and not the web behind its links."},
    {"crawl", "max-pages", "0 is no limit: the scope is one."},
    {"crawl", "max-per-host", "0 is no limit."},
    {"crawl", "max-per-directory", "0 is no limit."},
    {"crawl", "max-depth", "0 is no limit: traps are met by other means."},
    {"crawl", "max-time", "0 is no limit: a crawl that is stopped goes on where it was."},
    {"crawl", "max-bytes", "0 is no limit: min-free stops before the disk is full."},
    {"crawl", "delay",
     "What webmasters take for polite of a crawler that they do not know; robots.txt may ask for more."},
    {"crawl", "ip-delay", "Many hosts share an address: less than for a host, more than nothing."},
    {"crawl", "back-off", "A server that restarts is back by then, and one that is down is not asked much."},
    {"crawl", "proportion", "0: one request at a time, then the delay; it is for hosts that agreed to more."},
    {"crawl", "connections",
     "With a delay of seconds this is some hundred hosts at once, in the usual limits of a system."},
    {"crawl", "memory", "What a small machine can spare; queues beyond it go to the disk."},
    {"crawl", "min-free", "A full disk harms all else that runs here."},
    {"crawl", "max-body",
     "All but a few pages are smaller, and text that comes later is seldom what a page is about."},
    {"crawl", "tablets",
     "0: one for a new collection, or as many as it has. More are for more than one machine."},
    {"crawl", "warc-compression", "Every tool for archives reads gzip; zstd is smaller and faster to read."},
    {"crawl", "hosts", "Only with simulate."},
    {"crawl", "pages", "Only with simulate."},

    {"serve", "listen", "This machine alone: to be open to others is for its owner to decide."},
    {"serve", "serve-threads",
     "Two for each core of a small machine: one may wait for the disk while another computes."},
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
