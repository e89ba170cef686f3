// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crivello::index {

struct MergePolicy {
  // So many segments of about the same size become one.
  uint64_t fan_in = 8;
  // Segments below this size count as being of it: small ones are merged whatever their sizes.
  uint64_t floor_bytes = uint64_t{4} << 20;
  // Larger ones are left alone, but for their deletions.
  uint64_t max_bytes = uint64_t{32} << 30;
  // A segment is written anew without its deleted documents when they are more than this part of it.
  double max_deleted = 0.3;
};

struct MergeCandidate {
  uint64_t id = 0;
  uint64_t documents = 0;
  uint64_t deleted = 0;
  uint64_t bytes = 0;
};

// Which segments to merge now, by id and in the order given; none if all is well.  A pure function.
//
// Sizes, without deleted documents, are in tiers: floor_bytes times a power of fan_in.  The lowest tier that
// has fan_in segments is merged into one of the tier above.  So a document is written again once a tier,
// there are at most fan_in - 1 segments a tier, and both numbers grow with the logarithm of the collection.
// (The lazy merges of O'Neil et al., The log-structured merge-tree, 1996.)
std::vector<uint64_t> PlanMerge(std::span<const MergeCandidate> segments, const MergePolicy& policy);

}  // namespace crivello::index
