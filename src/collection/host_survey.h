// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "collection/collection.h"
#include "collection/report.h"

namespace crivello::collection {

struct SurveyOptions {
  // The number of pages of a host whose texts and links are read: those with the first keys.  Everything else
  // is about all pages.
  uint64_t sampled_pages = 500;
  size_t troubles = 200;  // the latest
};

// The hosts of a collection, for people: what was fetched from each, its robots.txt and delays, its errors,
// and which hosts link to which.
struct HostSurvey {
  struct Host {
    HostReport report;
    std::string robots;      // a summary of its robots.txt for us; of its first origin
    Duration crawl_delay{};  // that robots.txt asks for; 0: none
    WallTime next_fetch{};   // the earliest time; in the past: at any time
    uint32_t failures = 0;   // in a row
    std::map<std::string, uint64_t> languages = {};  // pages sampled, by language
    uint64_t sampled = 0;
    uint64_t rank_place = 0;  // in the rank of hosts, 1 is best; 0: not known.  SurveyHosts() leaves it so
  };
  // Between different hosts of `hosts`, by their places there; in pages sampled.
  struct Link {
    uint32_t from = 0;
    uint32_t to = 0;
    uint64_t count = 0;
  };
  // A page that could not be fetched, or that was skipped.
  struct Trouble {
    std::string url = {};
    int64_t time = 0;       // microseconds since 1970
    std::string kind = {};  // "status-404", or an EventKind's name
    std::string sentence = {};
  };

  std::vector<Host> hosts = {};                         // in order of name
  uint64_t ranked_hosts = 0;                            // in the rank of hosts, crawled or not
  std::vector<Link> links = {};                         // in order of from, to
  std::vector<Trouble> troubles = {};                   // the latest first
  std::map<std::string, uint64_t> trouble_counts = {};  // of all, by kind
};

// Reads every row's fetch cell, every host's state and every line of the ledger, and some text and link
// cells; a crawl may run meanwhile.  Needs only the memory of the survey itself.
Result<HostSurvey> SurveyHosts(Collection& store, const SurveyOptions& options = {});

}  // namespace crivello::collection
