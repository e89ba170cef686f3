// SPDX-License-Identifier: Apache-2.0
#include "frontier/host_ranks.h"

#include <algorithm>
#include <cmath>

namespace crivello::frontier {

double RankOfLink(const HostRanks* ranks, std::string_view from, std::string_view to) {
  return ranks == nullptr ? HostRanks::kUnknown : (ranks->Of(from) + ranks->Of(to)) / 2;
}

uint64_t LimitByRank(uint64_t limit, double rank) {
  constexpr uint64_t kNoLimit = uint64_t{1} << 60;  // larger limits are as good as none
  if (limit == 0 || limit > kNoLimit) return limit;
  const double factor = std::exp2(4 * std::clamp(rank, 0.0, 1.0) - 2);
  return static_cast<uint64_t>(std::max(1.0, std::round(static_cast<double>(limit) * factor)));
}

Duration LongerRest(Duration delay, double rank) {
  constexpr double kMost = 3;
  return std::chrono::duration_cast<Duration>(delay * (kMost * (1 - std::clamp(rank, 0.0, 1.0))));
}

}  // namespace crivello::frontier
