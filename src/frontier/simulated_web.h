// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "frontier/politeness.h"

namespace crivello::frontier {

// The composition of a simulated web.  Fractions, from 0 to 1, are of hosts, or of pages where stated.
struct SimulatedWebOptions {
  uint64_t seed = 1;
  uint32_t hosts = 1000;
  uint64_t pages = 100000;                            // total; the sizes of hosts follow Zipf's law
  double hosts_per_address = 3;                       // on average; a few addresses have many hosts
  uint32_t links_per_page = 12;                       // on average
  double remote_links = 0.2;                          // of links, to other hosts
  double repeated_links = 0.8;                        // of links, to popular pages
  Duration latency = std::chrono::milliseconds(300);  // of a response, on average
  double latency_spread = 0.5;                        // a response takes (1 - this) to (1 + this) times that
  Duration slow_latency = std::chrono::seconds(8);

  double slow = 0.02;           // hosts that take slow_latency
  double nameless = 0.02;       // the name does not exist
  double late_names = 0.03;     // the name servers fail twice before they answer
  double dead = 0.03;           // no connection, ever
  double silent = 0.02;         // every request times out
  double busy = 0.05;           // sometimes 429 or 503, with or without Retry-After
  double flaky = 0.05;          // a fifth of the pages fails on the first attempt
  double server_errors = 0.01;  // of pages: 500, always
  double redirects = 0.03;      // of pages, to other pages, half of them of other hosts
  double missing = 0.05;        // of pages: 404

  double robots_missing = 0.4;
  double robots_disallow = 0.2;  // some directories
  double robots_disallow_all = 0.02;
  double robots_crawl_delay = 0.05;  // 10 s
  double robots_error = 0.02;        // 500 at first, then a file that allows all
  double robots_moved = 0.02;        // to another host, which serves it
};

// A web computed from its seed: the same options give the same web, using no memory.  Hosts are named h0.sim,
// h1.sim, ..., biggest first; page 0 of a host is "/", page n of directory d is "/dD/pN".  Page p of a host
// links to its pages 2p+1 and 2p+2, and the home page of host h to those of hosts 2h+1 and 2h+2.  So only an
// unavailable page or host on the way can hide a page from a crawl that begins at h0.sim.
//
// Immutable, thread-safe.
class SimulatedWeb {
 public:
  explicit SimulatedWeb(const SimulatedWebOptions& options);

  enum class Fate : uint8_t { kWell, kSlow, kNameless, kLateName, kDead, kSilent, kBusy, kFlaky };
  enum class RobotsFate : uint8_t { kMissing, kAllow, kDisallow, kDisallowAll, kCrawlDelay, kError, kMoved };

  uint32_t hosts() const { return options_.hosts; }
  uint64_t pages(uint32_t host) const;
  uint64_t pages() const { return total_pages_; }
  Fate fate(uint32_t host) const;
  RobotsFate robots_fate(uint32_t host) const;
  std::string Name(uint32_t host) const;
  std::string Address(uint32_t host) const;
  std::string PageUrl(uint32_t host, uint64_t page) const;
  std::string Seed() const { return PageUrl(0, 0); }
  // The number of a host; nullopt if there is no such name.
  std::optional<uint32_t> HostNumber(std::string_view name) const;

  // The answer of the name servers to the attempt-th query, from 1.
  struct Resolution {
    std::string address = {};  // empty if it failed
    bool permanent = false;    // it will always fail
    Duration took{};
  };
  Resolution Resolve(std::string_view host, uint32_t attempt) const;

  // The response to a request, the attempt-th for this URL, from 1.
  struct Answer {
    FetchResult result = FetchResult::kAnswered;
    int status = 0;
    Duration took{};
    uint64_t bytes = 0;
    std::optional<Duration> retry_after = {};
    std::string location = {};            // of a redirect
    std::string robots = {};              // the text of a robots.txt
    std::vector<std::string> links = {};  // canonical URLs, in order, some more than once
  };
  Answer Fetch(std::string_view url, uint32_t attempt) const;

 private:
  uint64_t Hash(uint64_t what, uint64_t a, uint64_t b = 0) const;
  double Chance(uint64_t what, uint64_t a, uint64_t b = 0) const;
  std::string RobotsText(uint32_t host) const;
  Answer FetchRobots(uint32_t host, uint32_t attempt) const;
  void FillLinks(uint32_t host, uint64_t page, Answer* answer) const;

  const SimulatedWebOptions options_;
  double zipf_scale_ = 0;
  uint64_t total_pages_ = 0;
};

}  // namespace crivello::frontier
