// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace crivello::succinct {

// The register-wise maximum of two HyperLogLog counters, by three methods that give the same bytes. A counter
// is an array of words. Register j has the bits j width .. (j + 1) width - 1, counted from the least
// significant bit of the first word across word boundaries; bits after the last register are zero.
//
// Each function writes the maximum to `to` and returns whether that changed it. `width` is 5 or 6.

// Register by register: the reference for testing the others.
bool MaxByRegisters(uint64_t* to, const uint64_t* from, unsigned registers, unsigned width);

// All registers of a word at once, in a few word operations (Boldi, Vigna: In-Core Computation of
// Geometric Centralities with HyperBall, 2013). Registers are subtracted as if each had a support bit
// above it to borrow from, and the borrow says which register is less. There is no such bit, so the top
// bit of each register takes its role and is compared separately. Registers that cross words pass the
// borrow on.
bool MaxByBroadword(uint64_t* to, const uint64_t* from, unsigned words, unsigned width);

// As many words at once as the processor has lanes. Borrows do not pass between lanes: the two pieces of a
// register that crosses words are compared separately, in both words. REQUIRES: to[-1], to[words], from[-1]
// and from[words] are readable; `to` and `from` are the same or disjoint.
bool MaxBySimd(uint64_t* to, const uint64_t* from, unsigned words, unsigned width);

// The mask words are periodic: after this many words, register and word boundaries coincide again.
constexpr unsigned MaskPeriod(unsigned width) { return width == 5 ? 5 : 3; }

// The most significant bit of each register, for the words of a period.
template <unsigned kWidth>
constexpr std::array<uint64_t, MaskPeriod(kWidth)> RegisterTops() {
  std::array<uint64_t, MaskPeriod(kWidth)> tops = {};
  for (unsigned bit = kWidth - 1; bit < tops.size() * 64; bit += kWidth)
    tops[bit / 64] |= uint64_t{1} << (bit % 64);
  return tops;
}

}  // namespace crivello::succinct
