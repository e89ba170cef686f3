// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crivello::index {

struct MergePolicy {
  // This many segments of about the same size are merged into one.
  uint64_t fan_in = 8;
  // Smaller segments count as this size, so small ones are merged whatever their sizes.
  uint64_t floor_bytes = uint64_t{4} << 20;
  // Larger ones are not merged, except to drop deletions.
  uint64_t max_bytes = uint64_t{32} << 30;
  // A segment is rewritten without its deleted documents when they exceed this fraction of it.
  double max_deleted = 0.3;
};

struct MergeCandidate {
  uint64_t id = 0;
  uint64_t documents = 0;
  uint64_t deleted = 0;
  uint64_t bytes = 0;
};

// Which segments to merge now, by id and in the given order; empty if none.  A pure function.
//
// Sizes, without deleted documents, are grouped in tiers: floor_bytes times a power of fan_in.  The lowest
// tier that has fan_in segments is merged into one segment of the next tier.  So a document is rewritten once
// per tier, there are at most fan_in - 1 segments per tier, and both numbers grow with the logarithm of the
// collection. (The lazy merges of O'Neil et al., The log-structured merge-tree, 1996.)
std::vector<uint64_t> PlanMerge(std::span<const MergeCandidate> segments, const MergePolicy& policy);

}  // namespace crivello::index
