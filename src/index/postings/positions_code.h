// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/file_system.h"
#include "bits/bit_stream.h"

namespace crivello::index {

// How the positions of a term in a document are encoded: `count` numbers, strictly increasing, below the
// length of the document, one document after the other in a bit stream.  Count and length are not written:
// the reader has the counts, and an array of all lengths, which scoring needs as well.  Immutable; the
// functions are thread-safe, and read nothing outside `bytes`.
struct PositionsCode {
  std::string_view name;
  // Appends.  REQUIRES: positions strictly increase, below `length`.
  void (*write)(bits::BitWriter& writer, std::span<const uint32_t> positions, uint32_t length);
  // Reads out.size() positions from a bit on, and returns the bit after them, or kDamaged.
  // REQUIRES: out.size() <= length.
  uint64_t (*read)(Bytes bytes, uint64_t bit, uint32_t length, std::span<uint32_t> out);
  // Skips some documents, given their counts and lengths: returns the bit after them, or kDamaged.
  uint64_t (*skip)(Bytes bytes, uint64_t bit, std::span<const uint32_t> counts, const uint32_t* lengths);
};

constexpr uint64_t kDamaged = ~uint64_t{0};

// Elias-Fano for each document: to skip one is an addition, because its size is known without reading it.
extern const PositionsCode kEliasFanoPositions;
// Golomb on gaps, with the modulus for a Bernoulli process with the document's count and length.
extern const PositionsCode kGolombPositions;
// Interpolative: the smallest.
extern const PositionsCode kInterpolativePositions;

// The modulus of the Golomb code for gaps between f points thrown at random among n: ln 2 n / f, rounded up,
// in integers, because the reader must compute the same.  Within one of the optimal modulus, ceil(-log(2 - p)
// / log(1 - p)) for p = f / n.  REQUIRES: 1 <= f; n <= 2^32.
uint64_t BernoulliModulus(uint64_t f, uint64_t n);

}  // namespace crivello::index
