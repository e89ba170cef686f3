// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"

namespace crivello::dedup {

// How 64-bit fingerprints within Hamming distance k are found (Manku, Jain, Das Sarma: Detecting
// near-duplicates for web crawling, 2007). The bits are divided into m blocks, m > k. Two fingerprints at
// distance k or less agree in at least m - k blocks. So for each choice of m - k blocks there is a table in
// which those blocks come first, and any close pair has the same prefix in at least one table.
//
// More blocks give longer prefixes, so fewer fingerprints to compare, but more tables: m over k of them.
// One table of a plan: a permutation of the bits that moves whole blocks.
class HammingTable {
 public:
  // Puts the bits of `mask` first, then the others, each in order.
  explicit HammingTable(uint64_t mask);

  unsigned prefix_bits() const { return prefix_bits_; }
  // The bits that form the prefix.
  uint64_t mask() const { return mask_; }
  uint64_t Permute(uint64_t fingerprint) const;
  uint64_t Restore(uint64_t permuted) const;
  // Whether two fingerprints agree in the prefix.
  bool Agree(uint64_t a, uint64_t b) const { return ((a ^ b) & mask_) == 0; }

 private:
  // Runs of bits that stay together: at most one more than there are blocks.
  struct Run {
    unsigned from;  // of the lowest bit
    unsigned to;
    uint64_t mask;  // at position `from`
  };
  uint64_t mask_;
  unsigned prefix_bits_;
  std::vector<Run> runs_;
};

struct HammingPlan {
  static constexpr unsigned kMostDistance = 6;
  static constexpr unsigned kMostBlocks = 12;

  // InvalidArgument unless distance <= kMostDistance and distance < blocks <= kMostBlocks.
  static Result<HammingPlan> Create(unsigned distance, unsigned blocks);
  // The plan with the fewest blocks for which a random fingerprint meets at most `most_met` others in all
  // tables together, among `fingerprints`; it has at most kMostTables tables.
  static Result<HammingPlan> For(unsigned distance, uint64_t fingerprints, double most_met);
  static constexpr size_t kMostTables = 35;

  unsigned distance = 0;
  unsigned blocks = 0;
  std::vector<HammingTable> tables = {};

  // How many of that many random fingerprints share a prefix with a given one, over all tables.
  double ExpectedMet(uint64_t fingerprints) const;
};

}  // namespace crivello::dedup
