// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace crivello::succinct {

// Arithmetic on a 64-bit word treated as a vector of small fields (Vigna: Broadword Implementation of
// Rank/Select Queries, 2008). Bits are numbered from the least significant one.

// A mask of the low `width` bits.  REQUIRES: width <= 64.
constexpr uint64_t LowBits(uint64_t width) { return width < 64 ? (uint64_t{1} << width) - 1 : ~uint64_t{0}; }

// The position of the one preceded by `rank` ones; 64 or more if the word has no such one. REQUIRES: rank <
// 64.
//
// Byte-wise prefix counts, by a multiplication, give the byte; then its bits are spread over eight bytes and
// counted in the same way.
constexpr unsigned SelectInWordPortable(uint64_t word, unsigned rank) {
  constexpr uint64_t kOnes = 0x0101010101010101u;
  constexpr uint64_t kHighs = 0x8080808080808080u;
  uint64_t counts = word - ((word >> 1) & 0x5555555555555555u);
  counts = (counts & 0x3333333333333333u) + ((counts >> 2) & 0x3333333333333333u);
  counts =
      ((counts + (counts >> 4)) & 0x0f0f0f0f0f0f0f0fu) * kOnes;  // byte i: ones in bytes 0..i, at most 64
  // One high bit for each byte with a prefix count of at most `rank`: those that end before the one sought.
  const uint64_t before = (((rank * kOnes) | kHighs) - counts) & kHighs;
  const auto shift = static_cast<unsigned>(std::popcount(before)) * 8;
  if (shift == 64) return 64;
  const unsigned in_byte = rank - static_cast<unsigned>(((counts << 8) >> shift) & 0xff);
  const uint64_t byte = (word >> shift) & 0xff;
  const uint64_t spread = (byte * kOnes) & 0x8040201008040201u;  // bit i of the byte, in byte i
  const uint64_t prefix =
      (((((spread | kHighs) - kOnes) | spread) >> 7) & kOnes) * kOnes;  // ones among bits 0..i
  const uint64_t earlier = (((in_byte * kOnes) | kHighs) - prefix) & kHighs;
  return shift + static_cast<unsigned>(std::popcount(earlier));
}

inline unsigned SelectInWord(uint64_t word, unsigned rank) {
#ifdef __BMI2__
  return static_cast<unsigned>(std::countr_zero(_pdep_u64(uint64_t{1} << rank, word)));
#else
  return SelectInWordPortable(word, rank);
#endif
}

}  // namespace crivello::succinct
