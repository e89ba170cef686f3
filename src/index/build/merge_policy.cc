// SPDX-License-Identifier: Apache-2.0
#include "index/build/merge_policy.h"

#include <algorithm>
#include <map>

namespace crivello::index {
namespace {

uint64_t LiveBytes(const MergeCandidate& segment) {
  if (segment.documents == 0) return 0;
  const double live = static_cast<double>(segment.documents - segment.deleted);
  return static_cast<uint64_t>(static_cast<double>(segment.bytes) * live /
                               static_cast<double>(segment.documents));
}

unsigned TierOf(uint64_t bytes, const MergePolicy& policy) {
  const uint64_t factor = std::max<uint64_t>(policy.fan_in, 2);
  unsigned tier = 0;
  // Half of the power: so fan_in merged segments of a tier reach the next one, unless they are all below half
  // of its typical size.
  for (bytes /= std::max<uint64_t>(policy.floor_bytes, 1); bytes > factor / 2; bytes /= factor) tier++;
  return tier;
}

}  // namespace

std::vector<uint64_t> PlanMerge(std::span<const MergeCandidate> segments, const MergePolicy& policy) {
  std::map<unsigned, std::vector<uint64_t>> tiers;
  for (const MergeCandidate& segment : segments) {
    const uint64_t bytes = LiveBytes(segment);
    if (bytes <= policy.max_bytes) tiers[TierOf(bytes, policy)].push_back(segment.id);
  }
  const uint64_t fan_in = std::max<uint64_t>(policy.fan_in, 2);
  for (auto& [tier, ids] : tiers) {
    if (ids.size() < fan_in) continue;
    ids.resize(fan_in);
    return ids;
  }
  for (const MergeCandidate& segment : segments) {
    const double deleted = static_cast<double>(segment.deleted);
    if (segment.deleted > 0 && deleted > policy.max_deleted * static_cast<double>(segment.documents))
      return {segment.id};
  }
  return {};
}

}  // namespace crivello::index
