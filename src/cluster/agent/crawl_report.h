// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status.h"

namespace crivello::cluster {

// What an agent says of its crawl when it is asked.  Format: docs/formats/crawl-report.md.
struct CrawlReport {
  struct Tablet {
    std::string tablet;
    uint64_t epoch = 0;
    bool idle = false;      // nothing to fetch, and nothing to send
    uint64_t sequence = 0;  // rises with each change
    uint64_t lag_urls = 0;
    friend bool operator==(const Tablet&, const Tablet&) = default;
  };
  std::string agent;
  uint64_t lease_milliseconds = 0;
  uint64_t seeds = 0;        // that it knows
  uint64_t pages = 0;        // fetched since it was started
  uint64_t queued = 0;       // URLs
  uint64_t all_tablets = 0;  // that the collection has
  std::vector<Tablet> tablets = {};
  friend bool operator==(const CrawlReport&, const CrawlReport&) = default;
};

// REQUIRES: names without spaces and line feeds.
std::string EncodeCrawlReport(const CrawlReport& report);
// Corruption if the bytes are not exactly what the function above writes.
Result<CrawlReport> DecodeCrawlReport(std::string_view bytes);

// Seeds that somebody gives to an agent.
std::string EncodeSeedOrder(const std::vector<std::string>& urls);
Result<std::vector<std::string>> DecodeSeedOrder(std::string_view bytes);

// Finds out from reports when a crawl is over: each tablet was idle, with nothing on its way to others,
// twice, a lease apart, and did not change meanwhile.  Then there was a moment at which all of them were idle
// at once, and an idle tablet begins to work only when another one sends it something.  One thread at a time.
class CrawlEndWatch {
 public:
  // The answers to one question to all agents, which was asked at `asked` and answered before `answered`.
  // Whether the crawl is over.  An agent that knows fewer seeds than another one counts as busy.
  bool Take(const std::vector<CrawlReport>& reports, MonotonicTime asked, MonotonicTime answered);

 private:
  using State = std::map<std::string, std::pair<uint64_t, uint64_t>>;  // epoch and sequence, by tablet

  std::optional<State> idle_;
  MonotonicTime since_ = {};
};

}  // namespace crivello::cluster
