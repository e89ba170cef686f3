// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"

namespace crivello::dedup {

// How fingerprints of 64 bits within Hamming distance k are found (Manku, Jain, Das Sarma: Detecting
// near-duplicates for web crawling, 2007).  The bits are cut into m blocks, m > k.  Two fingerprints at
// distance k or less agree in at least m - k blocks; so for each choice of m - k blocks there is a table in
// which those blocks come first, and any close pair agrees in the prefix of at least one.
//
// More blocks make longer prefixes, so fewer fingerprints to compare, but more tables: m over k of them.
// One table of a plan: a permutation of the bits that moves whole blocks.
class HammingTable {
 public:
  // The bits of `mask` first, the others after them; both in their order.
  explicit HammingTable(uint64_t mask);

  unsigned prefix_bits() const { return prefix_bits_; }
  // The bits that are the prefix.
  uint64_t mask() const { return mask_; }
  uint64_t Permute(uint64_t fingerprint) const;
  uint64_t Restore(uint64_t permuted) const;
  // Whether two fingerprints agree in the prefix.
  bool Agree(uint64_t a, uint64_t b) const { return ((a ^ b) & mask_) == 0; }

 private:
  // Runs of bits that stay together: at most one more than blocks.
  struct Run {
    unsigned from;  // of the lowest bit
    unsigned to;
    uint64_t mask;  // at its place `from`
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
  // The fewest blocks with which a random fingerprint meets at most `most_met` others in all tables together,
  // among `fingerprints` of them; at most kMostTables tables.
  static Result<HammingPlan> For(unsigned distance, uint64_t fingerprints, double most_met);
  static constexpr size_t kMostTables = 35;

  unsigned distance = 0;
  unsigned blocks = 0;
  std::vector<HammingTable> tables = {};

  // How many of so many random fingerprints have the same prefix as a given one, over all tables.
  double ExpectedMet(uint64_t fingerprints) const;
};

}  // namespace crivello::dedup
