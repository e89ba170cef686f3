// SPDX-License-Identifier: Apache-2.0
#include "dedup/simhash/hamming_plan.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace crivello::dedup {

HammingTable::HammingTable(uint64_t mask)
    : mask_(mask), prefix_bits_(static_cast<unsigned>(std::popcount(mask))) {
  unsigned next_prefix = 64 - prefix_bits_;
  unsigned next_rest = 0;
  for (unsigned bit = 0; bit < 64;) {
    const bool in_prefix = (mask >> bit & 1) != 0;
    unsigned end = bit;
    while (end < 64 && ((mask >> end & 1) != 0) == in_prefix) end++;
    unsigned& to = in_prefix ? next_prefix : next_rest;
    const unsigned width = end - bit;
    const uint64_t ones = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
    runs_.push_back({.from = bit, .to = to, .mask = ones << bit});
    to += width;
    bit = end;
  }
}

uint64_t HammingTable::Permute(uint64_t fingerprint) const {
  uint64_t permuted = 0;
  for (const Run& run : runs_) permuted |= (fingerprint & run.mask) >> run.from << run.to;
  return permuted;
}

uint64_t HammingTable::Restore(uint64_t permuted) const {
  uint64_t fingerprint = 0;
  for (const Run& run : runs_) fingerprint |= (permuted >> run.to << run.from) & run.mask;
  return fingerprint;
}

Result<HammingPlan> HammingPlan::Create(unsigned distance, unsigned blocks) {
  if (distance > kMostDistance || blocks <= distance || blocks > kMostBlocks) {
    return Status::InvalidArgument(
        fmt::format("cannot search within distance {} with {} blocks: expected a distance of at most {}, and "
                    "more blocks than that, at most {}",
                    distance, blocks, kMostDistance, kMostBlocks));
  }
  HammingPlan plan = {.distance = distance, .blocks = blocks};
  for (uint64_t choice = 0; choice < uint64_t{1} << blocks; choice++) {
    if (static_cast<unsigned>(std::popcount(choice)) != blocks - distance) continue;
    uint64_t mask = 0;
    for (unsigned block = 0; block < blocks; block++) {
      if ((choice >> block & 1) == 0) continue;
      for (unsigned bit = 64 * block / blocks; bit < 64 * (block + 1) / blocks; bit++) {
        mask |= uint64_t{1} << bit;
      }
    }
    plan.tables.emplace_back(mask);
  }
  return plan;
}

Result<HammingPlan> HammingPlan::For(unsigned distance, uint64_t fingerprints, double most_met) {
  Result<HammingPlan> best = Create(distance, distance + 1);
  for (unsigned blocks = distance + 2; best.ok() && blocks <= kMostBlocks; blocks++) {
    if (best->ExpectedMet(fingerprints) <= most_met) break;
    CRV_ASSIGN(HammingPlan next, Create(distance, blocks));
    if (next.tables.size() > kMostTables) break;
    best = std::move(next);
  }
  return best;
}

double HammingPlan::ExpectedMet(uint64_t fingerprints) const {
  double met = 0;
  for (const HammingTable& table : tables) {
    met += std::ldexp(static_cast<double>(fingerprints), -static_cast<int>(table.prefix_bits()));
  }
  return met;
}

}  // namespace crivello::dedup
