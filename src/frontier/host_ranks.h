// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"

namespace crivello::frontier {

// How the hosts of the web rank, for a crawl that prefers good ones.  Thread-safe; cheap enough to ask for
// each link.
class HostRanks {
 public:
  // What a host is taken to have that is not ranked: as good as the one in the middle.
  static constexpr double kUnknown = 0.5;

  virtual ~HostRanks() = default;
  // The share of the other ranked hosts that are not better than this one: 1 for the best, 0 for the worst.
  virtual double Of(std::string_view host) const = 0;
};

// What a frontier does with them.
struct HostRankUse {
  const HostRanks* ranks = nullptr;  // null: nothing; outlives the frontier
  bool visits = false;  // better hosts are visited more often, where there are more hosts than connections
  bool limits = false;  // BudgetOptions::per_host is for the host in the middle: see LimitByRank()
};

// The mean of the ranks of the two hosts of a link: LinkContext::host_rank.  Unknown without ranks.
double RankOfLink(const HostRanks* ranks, std::string_view from, std::string_view to);

// The limit of the URLs of a host by its rank: four times `limit` for the best host, `limit` for the one in
// the middle, a quarter of it for the worst, and at least 1.  0, no limit, stays 0.  A pure function.
uint64_t LimitByRank(uint64_t limit, double rank);

// How much longer a host rests while others are ready and wait for a connection, if its delay is `delay`:
// nothing for the best host, three times the delay for the worst.  A pure function.
Duration LongerRest(Duration delay, double rank);

}  // namespace crivello::frontier
