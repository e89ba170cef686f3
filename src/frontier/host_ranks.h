// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"

namespace crivello::frontier {

// The ranks of web hosts, for a crawl that prefers good ones.  Thread-safe; cheap enough to query for each
// link.
class HostRanks {
 public:
  // The rank of a host without one: as good as the median host.
  static constexpr double kUnknown = 0.5;

  virtual ~HostRanks() = default;
  // The share of the other ranked hosts that are not better than this one: 1 for the best, 0 for the worst.
  virtual double Of(std::string_view host) const = 0;
};

// How a frontier uses them.
struct HostRankUse {
  const HostRanks* ranks = nullptr;  // null: not used; must outlive the frontier
  bool visits = false;               // visit better hosts more often if there are more hosts than connections
  bool limits = false;               // BudgetOptions::per_host is for the median host: see LimitByRank()
};

// The mean of the ranks of the two hosts of a link: LinkContext::host_rank.  kUnknown without ranks.
double RankOfLink(const HostRanks* ranks, std::string_view from, std::string_view to);

// The maximum number of URLs of a host by its rank: four times `limit` for the best host, `limit` for the
// median one, a quarter of it for the worst, and at least 1.  0 (no limit) stays 0.  A pure function.
uint64_t LimitByRank(uint64_t limit, double rank);

// How much longer a host with this delay rests while other hosts are ready and wait for a connection: nothing
// for the best host, three times the delay for the worst.  A pure function.
Duration LongerRest(Duration delay, double rank);

}  // namespace crivello::frontier
