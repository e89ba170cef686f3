// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "bits/bit_stream.h"
#include "graph/bv/bv_format.h"

namespace crivello::graph {

// The difference a - b as a natural number: 0, -1, 1, -2, 2, ... are 0, 1, 2, 3, 4, ...
// REQUIRES: both are below 2^62.
inline uint64_t SignedToNatural(uint64_t a, uint64_t b) { return a >= b ? 2 * (a - b) : 2 * (b - a) - 1; }

// Writes numbers in one of the codes of version 0, and computes their lengths.  Immutable.
class BvCodeWriter {
 public:
  // REQUIRES: CheckWritable() accepted it.
  explicit BvCodeWriter(BvCode code);

  // The length in bits.  REQUIRES: x < 2^62.
  uint64_t Length(uint64_t x) const {
    if (by_log_) [[likely]]
      return lengths_[static_cast<size_t>(std::bit_width(x + 1)) - 1];
    return OtherLength(x);
  }
  // Returns the length of the codeword.
  uint64_t Write(uint64_t x, bits::BitWriter& writer) const;

 private:
  uint64_t OtherLength(uint64_t x) const;

  BvCode code_;
  // For gamma, delta and zeta, the length of a codeword depends only on the logarithm of x + 1.
  bool by_log_;
  std::array<uint8_t, 64> lengths_ = {};
};

}  // namespace crivello::graph
