// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace crivello::succinct {

// The register-wise maximum of two HyperLogLog counters, in three ways that leave the same bytes.  A counter
// is an array of words where register j takes the bits j width .. (j + 1) width - 1, counted from the least
// significant of the first word, whatever words they fall in; bits after the last register are zero.
//
// Each writes the maximum to `to` and returns whether that changed it.  `width` is 5 or 6.

// Register by register: the judge of the others.
bool MaxByRegisters(uint64_t* to, const uint64_t* from, unsigned registers, unsigned width);

// All registers of a word at once, in a few operations on words (Boldi, Vigna: In-Core Computation of
// Geometric Centralities with HyperBall, 2013).  Registers are subtracted from one another as if each had a
// bit of support above it to borrow from, and the borrow says which one is less; there is no such bit, so its
// part is played by the most significant bit of each register, which is compared apart.  Registers that cross
// words pass the borrow on.
bool MaxByBroadword(uint64_t* to, const uint64_t* from, unsigned words, unsigned width);

// As many words at once as the processor has lanes.  No borrow passes between lanes: the two pieces of a
// register that crosses words are compared apart, in both words.
// REQUIRES: to[-1], to[words], from[-1] and from[words] can be read; `to` and `from` are the same or apart.
bool MaxBySimd(uint64_t* to, const uint64_t* from, unsigned words, unsigned width);

// The words of masks repeat: after this many of them registers and words start together again.
constexpr unsigned MaskPeriod(unsigned width) { return width == 5 ? 5 : 3; }

// The most significant bit of each register, in the words of a period.
template <unsigned kWidth>
constexpr std::array<uint64_t, MaskPeriod(kWidth)> RegisterTops() {
  std::array<uint64_t, MaskPeriod(kWidth)> tops = {};
  for (unsigned bit = kWidth - 1; bit < tops.size() * 64; bit += kWidth)
    tops[bit / 64] |= uint64_t{1} << (bit % 64);
  return tops;
}

}  // namespace crivello::succinct
