// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "collection/collection.h"

namespace crivello::collection {

// The results of a crawl on one host.
struct HostReport {
  std::string host;
  uint64_t pages = 0;                  // rows
  std::array<uint64_t, 6> statuses{};  // of those, by first digit; 0: others
  uint64_t bytes = 0;                  // of their bodies, as sent
  uint64_t revisits = 0;               // of these, archived before under another URL
  uint64_t copies = 0;                 // of these, answers 2xx: copies of a page, byte for byte
  uint64_t near_copies = 0;            // rows that were nearly equal to a page when they were fetched
  uint64_t truncated = 0;
  uint64_t queued = 0;
  uint64_t failed = 0;   // requests without an answer
  uint64_t refused = 0;  // URLs that were not requested: robots.txt, filters, scope
  bool given_up = false;
  std::string last_error;
  // The host with which it shares most pages answered 2xx, as copies or near-copies, and how many; empty if
  // there is none.
  std::string mirror_of;
  uint64_t mirrored = 0;
};

// What became of a seed.
struct SeedReport {
  std::string url;
  int status = 0;        // 0: no answer was kept
  std::string location;  // where it redirects to
  std::string sentence;  // the last decision about it
};

// All hosts that have rows or are known to the frontier, in order of name.  Reads every row's fetch cell,
// every host's state and every line of the ledger.  Needs only the memory of the report itself.
Result<std::vector<HostReport>> ReportHosts(Collection& store);
Result<std::vector<SeedReport>> ReportSeeds(Collection& store);

}  // namespace crivello::collection
